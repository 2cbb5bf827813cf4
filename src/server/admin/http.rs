//! The same over HTTP.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::Metrics;

/// Connections at one time; more have to wait.
const CONNECTIONS: usize = 16;
/// How long a client may take to ask, and to ask again.
const PATIENCE: Duration = Duration::from_secs(30);
/// The pause after a failed accept.
const RETRY: Duration = Duration::from_millis(50);
/// What Prometheus calls the format.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Answers `/healthz` and `/metrics` until `stop` is cancelled.
pub async fn serve_admin(listener: TcpListener, metrics: Arc<Metrics>, stop: CancellationToken) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let tasks = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = accept(&listener, &places) => accepted,
        };
        let (stream, place) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "a connection for the operator could not be accepted");
                tokio::time::sleep(RETRY).await;
                continue;
            }
        };
        let (metrics, stop) = (metrics.clone(), stop.clone());
        tasks.spawn(async move {
            let service = service_fn(|request: Request<Incoming>| {
                let answer = answer(request.method(), request.uri().path(), &metrics);
                async move { Ok::<_, Infallible>(answer) }
            });
            let mut server = http1::Builder::new();
            server.timer(TokioTimer::new()).header_read_timeout(PATIENCE);
            let connection = server.serve_connection(TokioIo::new(stream), service);
            let ended = tokio::select! {
                ended = connection => ended,
                () = stop.cancelled() => Ok(()),
            };
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection for the operator broke off");
            }
            drop(place);
        });
    }
    tasks.close();
    tasks.wait().await;
}

/// The next connection, once there is a place for it.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(tokio::net::TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let place = places.clone().acquire_owned().await.map_err(io::Error::other)?;
    Ok((listener.accept().await?.0, place))
}

fn answer(method: &Method, path: &str, metrics: &Metrics) -> Response<Full<Bytes>> {
    let text = "text/plain; charset=utf-8";
    let (status, kind, body) = match path {
        "/healthz" | "/metrics" if ![Method::GET, Method::HEAD].contains(method) => {
            (StatusCode::METHOD_NOT_ALLOWED, text, "only GET\n".into())
        }
        "/healthz" => (StatusCode::OK, text, "ok\n".into()),
        "/metrics" => (StatusCode::OK, OPEN_METRICS, metrics.text()),
        _ => (StatusCode::NOT_FOUND, text, "there are /healthz and /metrics\n".into()),
    };
    let mut response = Response::new(Full::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    if status == StatusCode::METHOD_NOT_ALLOWED {
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
    }
    response
}
