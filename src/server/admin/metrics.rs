//! Counters of a server, in the text format of OpenMetrics, which Prometheus reads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

use crate::room::{Done, Journal, RoomRecord, Rooms};

/// What a server counts. Counting costs next to nothing, whether somebody asks or not.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    rooms: Arc<OnceLock<Arc<Rooms>>>,
    /// Connections at present.
    pub(in crate::server) connections: Gauge,
    /// Connections there were.
    pub(in crate::server) accepted: Counter,
    /// Connections there were too many of.
    pub(in crate::server) turned_away: Counter,
    waiting: Gauge,
    answers: Counter,
    refusals: Counter,
    commits: Histogram,
}

impl Default for Metrics {
    fn default() -> Metrics {
        let mut registry = Registry::with_prefix("egtp");
        let rooms = Arc::new(OnceLock::new());
        // from 0.1 ms to 13 s
        let commits = Histogram::new(exponential_buckets(0.0001, 2.0, 18));
        let [connections, waiting] = [(); 2].map(|()| Gauge::default());
        let [accepted, turned_away, answers, refusals] = [(); 4].map(|()| Counter::default());
        registry.register("connections", "Connections at present", connections.clone());
        registry.register("connections_accepted", "Connections there were", accepted.clone());
        registry.register("connections_turned_away", "Connections there were too many of", turned_away.clone());
        registry.register("commands_waiting", "Commands that wait for the other side at present", waiting.clone());
        registry.register("answers", "Answers given", answers.clone());
        registry.register("refusals", "Answers that refused something", refusals.clone());
        registry.register("commit_seconds", "How long it took to write an event down", commits.clone());
        registry.register_collector(Box::new(RoomsCollector(rooms.clone())));
        Metrics { registry, rooms, connections, accepted, turned_away, waiting, answers, refusals, commits }
    }
}

impl Metrics {
    /// Counts what happens in these rooms, too.
    pub fn watch(&self, rooms: &Arc<Rooms>) {
        self.rooms.get_or_init(|| rooms.clone());
    }

    /// The same journal, timed.
    pub fn timed(self: &Arc<Self>, journal: Arc<dyn Journal>) -> Arc<dyn Journal> {
        Arc::new(Timed { journal, commits: self.commits.clone() })
    }

    /// Everything counted, as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Err(error) = encode(&mut text, &self.registry) {
            tracing::error!(%error, "the metrics cannot be written");
        }
        text
    }
}

/// What the rooms themselves count, asked for when somebody wants to know.
#[derive(Debug)]
struct RoomsCollector(Arc<OnceLock<Arc<Rooms>>>);

impl Collector for RoomsCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        let Some(rooms) = self.0.get() else { return Ok(()) };
        let count = i64::try_from(rooms.len()).unwrap_or(i64::MAX);
        let gauge = ConstGauge::new(count);
        gauge.encode(encoder.encode_descriptor("rooms", "Rooms at present", None, gauge.metric_type())?)?;
        let mut counter = |name, help, value: &AtomicU64| {
            let counter = ConstCounter::new(value.load(Ordering::Relaxed));
            counter.encode(encoder.encode_descriptor(name, help, None, counter.metric_type())?)
        };
        let counters = &rooms.counters;
        counter("room_events", "Turns and other events in rooms", &counters.events)?;
        counter("wrong_keys", "Keys that opened no seat", &counters.wrong_keys)
    }
}

/// A journal that is timed.
#[derive(Debug)]
struct Timed {
    journal: Arc<dyn Journal>,
    commits: Histogram,
}

impl Timed {
    fn timed(&self, done: Done) -> Done {
        let (began, commits) = (Instant::now(), self.commits.clone());
        Box::new(move |result| {
            commits.observe(began.elapsed().as_secs_f64());
            done(result);
        })
    }
}

impl Journal for Timed {
    fn create(&self, room: &RoomRecord, done: Done) {
        self.journal.create(room, self.timed(done));
    }

    fn append(&self, room: &str, number: u64, event: &str, done: Done) {
        self.journal.append(room, number, event, self.timed(done));
    }

    fn close(&self, room: &str, done: Done) {
        self.journal.close(room, done);
    }
}

/// Answers after which a conversation hands on what it has counted, if it has not paused before.
const MANY: u64 = 64;

/// What one conversation counts; handed on now and then, so that conversations are not in each other's way.
#[derive(Debug)]
pub(in crate::server) struct Tally {
    metrics: Option<Arc<Metrics>>,
    answers: u64,
    refusals: u64,
    waits: bool,
}

impl Tally {
    pub(in crate::server) fn new(metrics: Option<Arc<Metrics>>) -> Tally {
        Tally { metrics, answers: 0, refusals: 0, waits: false }
    }

    /// One answer, if there was one.
    pub(in crate::server) fn answered(&mut self, answer: &[u8]) {
        self.answers += !answer.is_empty() as u64;
        self.refusals += (answer.first() == Some(&b'?')) as u64;
    }

    /// Whether a command waits now.
    pub(in crate::server) fn waits(&mut self, waits: bool) {
        if let Some(metrics) = &self.metrics
            && waits != std::mem::replace(&mut self.waits, waits)
        {
            if waits {
                metrics.waiting.inc()
            } else {
                metrics.waiting.dec()
            };
        }
    }

    /// Hands on what was counted once it is many, lest conversations wait for each other's counting.
    pub(in crate::server) fn hand_on_many(&mut self) {
        if self.answers >= MANY {
            self.hand_on();
        }
    }

    /// Hands on what was counted.
    pub(in crate::server) fn hand_on(&mut self) {
        if let Some(metrics) = &self.metrics {
            metrics.answers.inc_by(std::mem::take(&mut self.answers));
            metrics.refusals.inc_by(std::mem::take(&mut self.refusals));
        }
    }
}

impl Drop for Tally {
    fn drop(&mut self) {
        self.waits(false);
        self.hand_on();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes nothing down, at once.
    #[derive(Debug)]
    struct Nowhere;

    impl Journal for Nowhere {
        fn create(&self, _: &RoomRecord, done: Done) {
            done(Ok(()));
        }

        fn append(&self, _: &str, _: u64, _: &str, done: Done) {
            done(Err("no".into()));
        }

        fn close(&self, _: &str, done: Done) {
            done(Ok(()));
        }
    }

    #[test]
    fn what_is_counted_is_told() {
        let metrics = Arc::new(Metrics::default());
        let mut tally = Tally::new(Some(metrics.clone()));
        tally.answered(b"= \n\n");
        tally.answered(b"?1 no\n\n");
        tally.answered(b"");
        tally.waits(true);
        tally.waits(true);
        let journal = metrics.timed(Arc::new(Nowhere));
        journal.append("r", 1, "black D4", Box::new(|result| assert_eq!(result, Err("no".into()))));
        assert!(metrics.text().contains("egtp_commands_waiting 1\n"), "{}", metrics.text());
        drop(tally);
        metrics.watch(&Arc::new(Rooms::new(Default::default())));
        let text = metrics.text();
        for line in [
            "egtp_answers_total 2",
            "egtp_refusals_total 1",
            "egtp_commands_waiting 0",
            "egtp_commit_seconds_count 1",
            "egtp_rooms 0",
            "egtp_room_events_total 0",
            "egtp_wrong_keys_total 0",
            "# TYPE egtp_connections gauge",
        ] {
            assert!(text.lines().any(|other| other == line), "{line}:\n{text}");
        }
        assert!(text.ends_with("# EOF\n"));
    }
}
