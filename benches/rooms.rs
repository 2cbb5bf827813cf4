//! What rooms can bear: `cargo bench --bench rooms`.
//!
//! A thousand rooms played at once over loopback, client and server sharing the machine. At each of the two seats sits a
//! program as front ends are: one says `play`, the other's `genmove` waits for it. Turns a second, how long `play` takes
//! to be answered, and how long a turn takes from one seat to the other; as fast as it goes, and at a turn in 100 ms for
//! each room; in memory, and durable (in a folder for temporary files: `TMPDIR` chooses another disk). Then, on Linux,
//! the memory of rooms in which nobody moves.

use std::error::Error;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

const ROOMS: usize = 1_000;
const IDLE_ROOMS: usize = 2_500;
const TIME: Duration = Duration::from_secs(5);
const SIDES: [&str; 2] = ["black", "white"];

/// A server that ends with the value.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(arguments: &[&str]) -> Result<Server> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_egtp"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--max-rooms", "12000", "--max-costly", "100000"]);
        command.args(["--max-connections", "12000", "--max-per-address", "12000"]);
        let mut child = command.args(arguments).stderr(Stdio::piped()).spawn()?;
        let mut complaints = BufReader::new(child.stderr.take().ok_or("no standard error")?);
        let mut line = String::new();
        complaints.read_line(&mut line)?;
        let address = line.trim().rsplit(' ').next().unwrap_or_default().to_string();
        std::thread::spawn(move || std::io::copy(&mut complaints, &mut std::io::sink()));
        Ok(Server { child, address })
    }

    /// Memory in use, in KiB.
    fn memory(&self) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().unwrap_or_default();
        self.child.wait().map(drop).unwrap_or_default();
    }
}

/// A program at a seat.
struct Seat {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Seat {
    async fn connect(address: &str) -> Result<Seat> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Seat { stream, buffer: Vec::new() })
    }

    async fn send(&mut self, line: String) -> Result<()> {
        Ok(self.stream.write_all(line.as_bytes()).await?)
    }

    /// The next response and when it came; an error unless it is `=`.
    async fn response(&mut self) -> Result<(String, Instant)> {
        self.buffer.clear();
        while !self.buffer.ends_with(b"\n\n") {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err("the server has closed the connection".into());
            }
        }
        let text = String::from_utf8_lossy(&self.buffer).trim_end().to_string();
        if text.starts_with('=') { Ok((text, Instant::now())) } else { Err(text.into()) }
    }

    async fn ask(&mut self, line: String) -> Result<String> {
        self.send(line).await?;
        Ok(self.response().await?.0)
    }
}

/// A room and both its seats.
async fn sit_down(address: &str, room: usize) -> Result<[Seat; 2]> {
    let mut seats = [Seat::connect(address).await?, Seat::connect(address).await?];
    let opened = seats[0].ask(format!("egtp_open room-{room} tromp-taylor size=19\n")).await?;
    for (seat, side) in seats.iter_mut().zip(SIDES) {
        let mut words = opened.split_whitespace().skip_while(|word| *word != side);
        let key = words.nth(1).ok_or_else(|| format!("no key: {opened}"))?;
        seat.ask(format!("egtp_sit room-{room} {side} {key}\n")).await?;
    }
    Ok(seats)
}

/// The turns of a game in which nothing is ever captured: the sides fill columns in turn, but for the last point.
fn turns() -> Vec<String> {
    let column = |first: usize| {
        let columns = "ABCDEFGHJKLMNOPQRST".chars().skip(first).step_by(2);
        columns.flat_map(|c| (1..19).map(move |row| format!("{c}{row}")))
    };
    column(0).zip(column(1)).flat_map(|(black, white)| [black, white]).collect()
}

/// How long things took, in microseconds.
#[derive(Default)]
struct Times {
    play: Vec<u32>,
    across: Vec<u32>,
}

/// Plays until the time is over, or so many turns.
async fn play(seats: &mut [Seat; 2], turns: &[String], until: Instant, pace: Option<Duration>) -> Result<Times> {
    let mut times = Times::default();
    seats[1].send("genmove black\n".into()).await?;
    let mut next = Instant::now() + pace.unwrap_or_default().mul_f64(fastrand::f64());
    for (i, turn) in turns.iter().enumerate() {
        if let Some(pace) = pace {
            tokio::time::sleep_until(next.into()).await;
            next += pace;
        }
        if Instant::now() > until {
            break;
        }
        let (one, two) = seats.split_at_mut(1);
        let (mover, other) = if i % 2 == 0 { (&mut one[0], &mut two[0]) } else { (&mut two[0], &mut one[0]) };
        let begun = Instant::now();
        mover.send(format!("play {} {turn}\n", SIDES[i % 2])).await?;
        let (played, told) = tokio::join!(mover.response(), other.response());
        let ((_, played), (told, came)) = (played?, told?);
        if told != format!("= {turn}") {
            return Err(format!("{told} and not {turn}").into());
        }
        times.play.push((played - begun).as_micros() as u32);
        times.across.push((came - begun).as_micros() as u32);
        mover.send(format!("genmove {}\n", SIDES[1 - i % 2])).await?;
    }
    Ok(times)
}

fn percentile(times: &mut [u32], part: f64) -> u32 {
    times.sort_unstable();
    times.get((times.len() as f64 * part) as usize).copied().unwrap_or_default()
}

async fn load(name: &str, arguments: &[&str], pace: Option<Duration>) -> Result<()> {
    let server = Server::start(arguments)?;
    let (turns, barrier) = (Arc::new(turns()), Arc::new(Barrier::new(ROOMS)));
    let mut rooms = JoinSet::new();
    for room in 0..ROOMS {
        let mut seats = sit_down(&server.address, room).await?;
        let (turns, barrier) = (turns.clone(), barrier.clone());
        rooms.spawn(async move {
            barrier.wait().await;
            play(&mut seats, &turns, Instant::now() + TIME, pace).await
        });
    }
    let begun = Instant::now();
    let mut all = Times::default();
    while let Some(times) = rooms.join_next().await {
        let times = times??;
        all.play.extend(times.play);
        all.across.extend(times.across);
    }
    let rate = all.across.len() as f64 / begun.elapsed().as_secs_f64();
    let [p50, p99] = [0.5, 0.99].map(|part| percentile(&mut all.across, part));
    let [play50, play99] = [0.5, 0.99].map(|part| percentile(&mut all.play, part));
    println!("{name:<22} {rate:>9.0} {p50:>10} {p99:>10} {play50:>10} {play99:>10}");
    Ok(())
}

/// Rooms in which a hundred turns have been made and nobody moves.
async fn idle(arguments: &[&str]) -> Result<()> {
    let server = Server::start(arguments)?;
    let Some(before) = server.memory() else { return Ok(()) };
    let turns = turns();
    let mut waiting = Vec::new();
    for room in 0..IDLE_ROOMS {
        let mut seats = sit_down(&server.address, room).await?;
        play(&mut seats, &turns[..100], Instant::now() + TIME, None).await?;
        waiting.push(seats);
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let after = server.memory().unwrap_or_default();
    let connections = 2 * IDLE_ROOMS;
    println!(
        "{connections} connections in {IDLE_ROOMS} games of 100 turns: {:.1} MiB, {:.1} KiB each",
        after / 1024.0,
        (after - before) / connections as f64
    );
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let pace = Some(Duration::from_millis(100));
    println!("{ROOMS} rooms; times in microseconds, from the sending of a play");
    println!(
        "{:<22} {:>9} {:>10} {:>10} {:>10} {:>10}",
        "", "turns/s", "other p50", "other p99", "play p50", "play p99"
    );
    load("in memory", &[], None).await?;
    load("in memory, paced", &[], pace).await?;
    load("durable", &["--store", &path("one.db")], None).await?;
    load("durable, paced", &["--store", &path("two.db")], pace).await?;
    idle(&[]).await?;
    idle(&["--store", &path("three.db")]).await
}
