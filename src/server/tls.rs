//! Encryption: certificates and keys from PEM files, for those who listen and those who connect.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore, ServerConfig};
use tokio_rustls::{TlsAcceptor, TlsConnector, client, server};

use super::files::read;

/// How long both ends may take to agree on a connection.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// Why certificates cannot be used: one line that says what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TlsError(String);

impl fmt::Display for TlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TlsError {}

/// The server's end: shows a certificate.
#[derive(Clone)]
pub struct TlsServer(TlsAcceptor);

/// The client's end: believes only some certificates.
#[derive(Clone)]
pub struct TlsClient {
    connector: TlsConnector,
    /// What is believed, for an error's text.
    trusts: Trusts,
}

#[derive(Clone, Debug)]
enum Trusts {
    System,
    File(PathBuf),
}

/// These hold private keys.
impl fmt::Debug for TlsServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TlsServer")
    }
}

impl fmt::Debug for TlsClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TlsClient({:?})", self.trusts)
    }
}

impl TlsServer {
    /// With a certificate, followed by those that signed it if they are needed, and its private key.
    pub fn load(certificates: &Path, key: &Path) -> Result<TlsServer, TlsError> {
        let chain = certificates_in(certificates)?;
        let (shown, bytes) = (key.display(), contents(key)?);
        let private = PrivateKeyDer::from_pem_slice(&bytes).map_err(|error| match error {
            pem::Error::NoItemsFound => TlsError(format!("{shown} holds no private key in PEM form")),
            error => TlsError(format!("{shown} cannot be understood: {error}")),
        })?;
        let config = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .map(|builder| builder.with_no_client_auth())
            .and_then(|builder| builder.with_single_cert(chain, private));
        let config = config.map_err(|error| {
            let certificates = certificates.display();
            TlsError(format!("the certificate in {certificates} and the key in {shown} cannot be used: {error}"))
        })?;
        Ok(TlsServer(TlsAcceptor::from(Arc::new(config))))
    }

    /// Agrees with a client, unless that takes more than ten seconds.
    pub async fn accept<S: AsyncRead + AsyncWrite + Unpin>(&self, stream: S) -> io::Result<server::TlsStream<S>> {
        let accepting = tokio::time::timeout(HANDSHAKE, self.0.accept(stream)).await;
        accepting.unwrap_or_else(|elapsed| Err(elapsed.into()))
    }
}

impl TlsClient {
    /// Believes the certificates in a file and what they signed; without one, what the system believes.
    pub fn load(trusted: Option<&Path>) -> Result<TlsClient, TlsError> {
        let mut roots = RootCertStore::empty();
        let trusts = match trusted {
            Some(path) => {
                for certificate in certificates_in(path)? {
                    let added = roots.add(certificate);
                    added.map_err(|error| TlsError(format!("{} cannot be used: {error}", path.display())))?;
                }
                Trusts::File(path.into())
            }
            None => {
                let (added, _) = roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
                if added == 0 {
                    let what = "this system has no list of certificates to believe; give one with --tls-ca FILE";
                    return Err(TlsError(what.into()));
                }
                Trusts::System
            }
        };
        let config = ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions();
        let config = config.map_err(|error| TlsError(format!("TLS cannot be used: {error}")))?;
        let config = config.with_root_certificates(roots).with_no_client_auth();
        Ok(TlsClient { connector: TlsConnector::from(Arc::new(config)), trusts })
    }

    /// Agrees with a server that must be this host; the caller limits the time.
    pub(super) async fn connect<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        host: &str,
        stream: S,
    ) -> io::Result<client::TlsStream<S>> {
        let name = ServerName::try_from(host.to_string());
        let name = name.map_err(|_| invalid(format!("{host} is not a name that a certificate can have")))?;
        self.connector.connect(name, stream).await.map_err(|error| self.explained(error))
    }

    /// What to do about an error. That it is not the right server is [`InvalidData`](io::ErrorKind::InvalidData).
    fn explained(&self, error: io::Error) -> io::Error {
        match error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
            Some(rustls::Error::InvalidCertificate(why)) => {
                let trusts = match &self.trusts {
                    Trusts::System => "--tls-ca FILE names another certificate to believe".into(),
                    Trusts::File(path) => format!("believed is what is in {}", path.display()),
                };
                let why = match why {
                    rustls::CertificateError::UnknownIssuer => "nobody who is believed has signed it".into(),
                    rustls::CertificateError::Other(other) if other.to_string().contains("CaUsedAsEndEntity") => {
                        "it is one to sign others with; a server's says basicConstraints=CA:FALSE".into()
                    }
                    why => why.to_string(),
                };
                invalid(format!("its certificate is not believed: {why}; {trusts}"))
            }
            Some(rustls::Error::InvalidMessage(_)) => invalid("it does not speak TLS; try without --tls".into()),
            _ if error.kind() == io::ErrorKind::UnexpectedEof => {
                io::Error::new(error.kind(), "it closed the connection instead of speaking TLS")
            }
            _ => error,
        }
    }
}

fn invalid(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

fn contents(path: &Path) -> Result<Vec<u8>, TlsError> {
    read(path).map_err(|error| TlsError(format!("cannot read {}: {error}", path.display())))
}

/// All certificates of a file, of which there must be one.
fn certificates_in(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let shown = path.display();
    let found = CertificateDer::pem_slice_iter(&contents(path)?).collect::<Result<Vec<_>, _>>();
    let found = found.map_err(|error| TlsError(format!("{shown} cannot be understood: {error}")))?;
    if found.is_empty() {
        return Err(TlsError(format!("{shown} holds no certificate in PEM form")));
    }
    Ok(found)
}
