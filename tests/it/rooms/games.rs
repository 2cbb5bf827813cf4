//! Random games between the clients, on boards so small that everything soon happens twice.

use super::board::{Grid, Side};
use super::clients::{Action, Client, Style};
use super::duo::{Duo, Fault};
use super::official::{Ending, Phase, Repetition, Rules, Turn};
use super::text::{Speaker, Wire, move_word};
use super::tinker;
use crate::play::Random;

/// One game: the room in both programs, and who sits at it.
pub(crate) struct Play<W> {
    pub(crate) duo: Duo<W>,
    pub(crate) clients: Vec<Client>,
}

/// What the clients of a style can do.
pub(crate) fn actions(style: Style, points: usize) -> Vec<Action> {
    let clicks = (0..points).map(Some).chain([None]).map(Action::Click);
    match style {
        Style::Console => {
            let special = (0..8).map(Action::Special);
            clicks.chain([Action::Resume]).chain(special).chain([Action::Resign]).collect()
        }
        Style::Watcher => vec![Action::Generate],
        _ => {
            let others = [Action::Generate, Action::Back, Action::Forward, Action::Stop, Action::Restart];
            clicks.chain(others).collect()
        }
    }
}

impl<W: Wire> Play<W> {
    /// A client does something, all read what they are told, and both programs are compared.
    pub(crate) fn step(&mut self, client: usize, action: Action) -> Result<(), Fault> {
        self.clients[client].act(&mut self.duo, action)?;
        self.settle()
    }

    pub(crate) fn settle(&mut self) -> Result<(), Fault> {
        for client in &mut self.clients {
            client.poll(&self.duo);
        }
        self.duo.compare_official()?;
        // nobody may wait for what cannot come
        let room = self.duo.room();
        for client in &self.clients {
            let conn = room.conn(client.conn);
            let Some(side) = conn.waits else { continue };
            let at_end = conn.view.cursor == Some(room.game.turns.len());
            if room.game.phase != Phase::Play || room.game.to_move != side || !at_end {
                return self.duo.fault(&format!("HANG: {:?} waits for {}", client.style, side.name()));
            }
        }
        Ok(())
    }

    /// Asks every connection that does not wait about its view.
    fn compare_views(&mut self) -> Result<(), Fault> {
        for client in &self.clients {
            if self.duo.conn(client.conn).waits.is_none() {
                self.duo.send(client.conn, "egtp_view")?;
            }
        }
        Ok(())
    }

    /// A program of each seat that starts afresh, clears its board and follows must end in step.
    fn catch_up(&mut self) -> Result<(), Fault> {
        let turns = self.duo.room().game.turns.clone();
        let grid = self.duo.room().game.rules.grid;
        let start = grid.names(&self.duo.room().game.boards[0].black);
        for seat in self.clients.iter().map(|client| client.seat).collect::<Vec<_>>() {
            let conn = self.duo.enter(seat)?;
            self.duo.send(conn, "clear_board")?;
            if !start.is_empty() {
                self.duo.send(conn, &format!("set_free_handicap {start}"))?;
            }
            for turn in &turns {
                let (side, mv) = turn.plain();
                let line = if Some(side) != seat {
                    format!("genmove {}", side.name())
                } else if turn.is_special() {
                    break;
                } else {
                    format!("play {} {}", side.name(), move_word(grid, mv))
                };
                if !matches!(self.duo.send(conn, &line)?, Some(Ok(_))) {
                    break;
                }
            }
            let reached = self.duo.conn(conn).view.cursor;
            if reached != Some(turns.len()) && !turns.iter().any(Turn::is_special) {
                return self.duo.fault(&format!("CATCH-UP: stuck at {reached:?}"));
            }
            self.duo.send(conn, "list_stones black")?;
            self.duo.send(conn, "list_stones white")?;
            self.duo.close(conn, true)?;
        }
        self.compare_views()
    }
}

/// Who plays in a random game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cast {
    /// Clients as people use them: their intentions are watched.
    Clients,
    /// The same on a board with stones for special turns.
    Specials,
    /// Connections that send anything, too.
    Anybody,
    /// Only such connections, on a board with handicap stones.
    Handicap,
}

fn rules(random: &mut Random, cast: Cast) -> Rules {
    let (width, height) = random.pick(&[(2, 2), (3, 1), (3, 2), (3, 3)]);
    let specials = cast == Cast::Specials;
    Rules {
        grid: if specials { Grid { width: 3, height: 3 } } else { Grid { width, height } },
        repetition: random.pick(&[Repetition::Positional, Repetition::Ko]),
        ending: random.pick(&[Ending::Agreement, Ending::Agreement, Ending::Proposal, Ending::Automatic]),
        special: specials || random.percent(50),
        resign: random.percent(80),
    }
}

fn client<W: Wire>(random: &mut Random, duo: &mut Duo<W>, seat: Side, undo: bool) -> Result<Client, Fault> {
    use Style::*;
    let style = random.pick(&[GoGui, GoGui, Sabaki, Q5Go, Quarry, Kigo, Console]);
    let eager = style == GoGui && random.percent(50);
    Client::new(duo, style, Some(seat), undo || style == Kigo, eager)
}

fn scene<W: Wire>(random: &mut Random, cast: Cast, model: Speaker, real: W) -> Result<Play<W>, Fault> {
    let rules = rules(random, cast);
    let undo = random.percent(50);
    let mut clients = Vec::new();
    if cast == Cast::Handicap {
        let stones = 2 + random.below(rules.grid.points().len().min(4) - 2);
        let mut duo = Duo::with_handicap(model, real, rules, stones)?;
        for seat in [Some(Side::Black), Some(Side::White), Some(Side::White), None] {
            clients.push(Client::new(&mut duo, Style::Tinker, seat, undo, false)?);
        }
        return Ok(Play { duo, clients });
    }
    let mut duo = Duo::new(model, real, rules)?;
    if cast == Cast::Specials {
        give_stones(&mut duo)?;
        clients.push(Client::new(&mut duo, Style::Console, Some(Side::Black), undo, false)?);
    } else {
        clients.push(client(random, &mut duo, Side::Black, undo)?);
    }
    clients.push(client(random, &mut duo, Side::White, undo)?);
    if random.percent(40) {
        let seat = random.pick(&Side::BOTH);
        clients.push(client(random, &mut duo, seat, undo)?);
    }
    if random.percent(30) {
        clients.push(Client::new(&mut duo, Style::Watcher, None, undo, false)?);
    }
    if cast == Cast::Specials {
        let turns = duo.room().game.turns.clone();
        clients.iter_mut().for_each(|client| client.load(&turns));
    }
    if cast == Cast::Anybody {
        for _ in 0..1 + random.below(3) {
            let seat = random.pick(&[Some(Side::Black), Some(Side::White), None]);
            clients.push(Client::new(&mut duo, Style::Tinker, seat, undo, false)?);
        }
    }
    Ok(Play { duo, clients })
}

/// Black has four stones, White two.
fn give_stones<W: Wire>(duo: &mut Duo<W>) -> Result<(), Fault> {
    let conns = [duo.enter(Some(Side::Black))?, duo.enter(Some(Side::White))?];
    let grid = duo.room().game.rules.grid;
    for (i, mv) in [Some(0), Some(8), Some(1), Some(7), Some(3), None, Some(4), None].into_iter().enumerate() {
        let side = Side::BOTH[i % 2];
        if duo.send(conns[i % 2], &format!("play {} {}", side.name(), move_word(grid, mv)))? != Some(Ok(String::new()))
        {
            return duo.fault("no stones for special turns");
        }
    }
    duo.close(conns[0], true)?;
    duo.close(conns[1], false)
}

fn choose(random: &mut Random, style: Style, points: usize) -> Action {
    let all = actions(style, points);
    if random.percent(12) && style != Style::Watcher {
        return Action::Click(None);
    }
    match random.pick(&all) {
        // games that go on show more
        Action::Resign if random.percent(80) => Action::Click(None),
        action if random.percent(60) || !all.contains(&Action::Generate) => action,
        _ => Action::Generate,
    }
}

/// A game of so many actions. Says how many lines were compared.
pub(crate) fn game<W: Wire>(seed: u64, length: usize, cast: Cast, model: Speaker, real: W) -> Result<usize, Fault> {
    let mut random = Random::new(seed);
    let mut play = scene(&mut random, cast, model, real)?;
    let points = play.duo.room().game.rules.grid.points().len();
    let arbiter = play.duo.enter(Some(Side::White))?;
    for _ in 0..length {
        if play.duo.room().game.phase == Phase::Scoring && random.percent(10) {
            play.duo.send(arbiter, "egtp_resume")?;
        }
        let i = random.below(play.clients.len());
        match play.clients[i].style {
            Style::Tinker => {
                tinker::act(&mut random, &mut play.duo, play.clients[i].conn)?;
                play.settle()?;
            }
            style => play.step(i, choose(&mut random, style, points))?,
        }
        if random.percent(5) {
            // to ask changes nothing but that a view found by its stones is settled
            let conn = play.clients[i].conn;
            if play.duo.conn(conn).waits.is_none() {
                play.duo.send(conn, "egtp_view")?;
            }
        }
    }
    play.catch_up()?;
    Ok(play.duo.lines)
}
