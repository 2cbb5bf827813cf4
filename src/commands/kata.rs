//! KataGo's way of choosing rules and positions, and KGS's of naming rules.

use serde_json::{Map, Value};

use super::admin::answer;
use super::args::{color, vertex};
use super::rooms;
use super::table::{Command, InRoom, Phases};
use super::{Controller, Failure};
use crate::board::{Color, Point};
use crate::game::Event;
use crate::gtp::Args;
use crate::rules::{Counting, Ending, RULESETS, Repetition, Ruleset, find_alias};

const RULES_STAY: &str = "the rules of a room cannot change; egtp_open opens another room";

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "kata-get-rules",
        "",
        "the rules in force as KataGo's JSON, and what that cannot express",
        |c, _, text| answer(text, &Value::Object(as_json(c.ruleset())).to_string()),
    )
    .in_room(InRoom::Official),
    Command::new(
        "kata-set-rules",
        "NAME | JSON…",
        "KataGo's rules of that name or JSON; the board stays; answers what is not refereed",
        set_rules,
    )
    .in_room(InRoom::Refused(RULES_STAY))
    .phases(Phases::Start),
    Command::new(
        "kata-set-rule",
        "KEY VALUE",
        "one of KataGo's rules: ko, scoring, suicide, …; the others stay",
        set_rule,
    )
    .in_room(InRoom::Refused(RULES_STAY))
    .phases(Phases::Start),
    Command::new(
        "kgs-rules",
        "NAME",
        "KGS's rules of that name: chinese, aga, japanese or new_zealand",
        |c, args, text| {
            let name = match args.get(0).unwrap_or_default() {
                "chinese" => "chinese-kgs",
                name @ ("aga" | "japanese" | "new_zealand") => name,
                name => {
                    return Err(Failure::Other(format!(
                        "unknown rules {name}; there are chinese aga japanese new_zealand"
                    )));
                }
            };
            change(c, named(name)?, text)
        },
    )
    .in_room(InRoom::Refused(RULES_STAY))
    .phases(Phases::Start),
    Command::new(
        "set_position",
        "[COLOR V]…",
        "a new game from these stones, Black to move, without any history",
        set_position,
    )
    .in_room(InRoom::Own(|sitting, args, text| rooms::set_up(sitting, "set_position", args, text))),
];

/// Rules with what they cannot express.
struct Wanted {
    ruleset: Ruleset,
    beyond: String,
}

/// The ruleset that KataGo calls so; any other of ours by its name.
fn named(name: &str) -> Result<Wanted, Failure> {
    let ruleset = find_alias(name).ok_or_else(|| {
        let aliases = RULESETS.iter().flat_map(|ruleset| ruleset.aliases.iter().copied());
        let names: Vec<&str> = RULESETS.iter().map(|ruleset| ruleset.name).chain(aliases).collect();
        Failure::Other(format!("unknown rules {name}; there are {}, or JSON", names.join(" ")))
    })?;
    Ok(Wanted { ruleset, beyond: ruleset.beyond.into() })
}

fn set_rules(controller: &mut Controller, args: &Args<'_>, text: &mut String) -> Result<(), Failure> {
    let words = args.words().join(" ");
    if !words.starts_with('{') {
        return change(controller, named(&words)?, text);
    }
    let bad = |error: serde_json::Error| Failure::Other(format!("not JSON: {error}"));
    let rules: Map<String, Value> = serde_json::from_str(&words).map_err(bad)?;
    // KataGo takes what is not said from Tromp and Taylor's rules
    let mut wanted = named("tromp-taylor")?;
    // dead stones are marked, since JSON says nothing of an ending
    wanted.ruleset.ending = Ending::Agreement;
    for (key, value) in &rules {
        set(&mut wanted, key, &plain(value))?;
    }
    change(controller, wanted, text)
}

fn set_rule(controller: &mut Controller, args: &Args<'_>, text: &mut String) -> Result<(), Failure> {
    let mut wanted = Wanted { ruleset: *controller.ruleset(), beyond: String::new() };
    let (key, value) = (args.get(0).unwrap_or_default(), args.get(1).unwrap_or_default());
    set(&mut wanted, key, value)?;
    change(controller, wanted, text)
}

fn change(controller: &mut Controller, wanted: Wanted, text: &mut String) -> Result<(), Failure> {
    controller.change_rules(wanted.ruleset).map_err(Failure::Refused)?;
    if wanted.beyond.is_empty() { Ok(()) } else { answer(text, &format!("not refereed: {}", wanted.beyond)) }
}

/// A JSON value as the word that `kata-set-rule` takes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), String::from)
}

/// Sets one of KataGo's rules, or notes that the switches cannot express it.
fn set(wanted: &mut Wanted, key: &str, value: &str) -> Result<(), Failure> {
    let rules = &mut wanted.ruleset;
    let upper = value.to_uppercase();
    let bad = |values: &str| Failure::Other(format!("{key} cannot be {value}; it can be {values}"));
    let yes = |values: &str| match upper.as_str() {
        "TRUE" => Ok(true),
        "FALSE" => Ok(false),
        _ => Err(bad(values)),
    };
    // values that mean what the referee does anyway
    let beyond = match key {
        "ko" => {
            rules.repetition = match upper.as_str() {
                "SIMPLE" => Repetition::Ko,
                "POSITIONAL" => Repetition::Positional,
                "SITUATIONAL" => Repetition::Situational,
                _ => return Err(bad("SIMPLE, POSITIONAL, SITUATIONAL")),
            };
            false
        }
        "scoring" | "score" => {
            rules.counting = match upper.as_str() {
                "AREA" => Counting::Area,
                "TERRITORY" => Counting::Territory,
                _ => return Err(bad("AREA, TERRITORY")),
            };
            false
        }
        "suicide" => {
            rules.suicide = yes("true, false")?;
            false
        }
        "hasButton" => yes("true, false")?,
        // passing is never held against anybody here
        "friendlyPassOk" => {
            yes("true, false")?;
            false
        }
        "tax" => match upper.as_str() {
            "NONE" => false,
            "SEKI" | "ALL" => true,
            _ => return Err(bad("NONE, SEKI, ALL")),
        },
        "whiteHandicapBonus" => match upper.as_str() {
            "0" => false,
            "N" | "N-1" => true,
            _ => return Err(bad("0, N, N-1")),
        },
        _ => {
            let keys = "ko scoring suicide tax hasButton friendlyPassOk whiteHandicapBonus";
            return Err(Failure::Other(format!("unknown rule {key}; there are {keys}")));
        }
    };
    if beyond {
        let comma = if wanted.beyond.is_empty() { "" } else { ", " };
        wanted.beyond += &format!("{comma}{key} {value}");
    }
    Ok(())
}

/// The rules in KataGo's words. What those cannot express stands under a key of our own.
fn as_json(rules: &Ruleset) -> Map<String, Value> {
    let ko = match rules.repetition {
        Repetition::None | Repetition::Ko => "SIMPLE",
        Repetition::Positional => "POSITIONAL",
        Repetition::Situational => "SITUATIONAL",
    };
    let scoring = match rules.counting {
        Counting::Area => "AREA",
        Counting::Territory => "TERRITORY",
    };
    let mut beyond = vec![];
    if rules.repetition == Repetition::None {
        beyond.push("repetition none");
    }
    if rules.special {
        beyond.push("special turns");
    }
    if rules.pass_stones {
        beyond.push("pass stones");
    }
    let mut json = Map::new();
    json.insert("friendlyPassOk".into(), true.into());
    json.insert("hasButton".into(), false.into());
    json.insert("ko".into(), ko.into());
    json.insert("scoring".into(), scoring.into());
    json.insert("suicide".into(), rules.suicide.into());
    json.insert("tax".into(), "NONE".into());
    json.insert("whiteHandicapBonus".into(), "0".into());
    if !beyond.is_empty() {
        json.insert("x-beyond".into(), beyond.join(", ").into());
    }
    json
}

fn set_position(controller: &mut Controller, args: &Args<'_>, _: &mut String) -> Result<(), Failure> {
    let stones = stones(controller, args)?;
    controller.game().can_set_up(&stones).map_err(Failure::Refused)?;
    controller.clear();
    controller.apply(&Event::SetUp { stones, to_move: Color::Black }).map_err(Failure::Refused)
}

/// Pairs of a colour and a vertex.
pub(super) fn stones(controller: &Controller, args: &Args<'_>) -> Result<Vec<(Color, Point)>, Failure> {
    let pairs = args.words().chunks(2);
    pairs
        .map(|pair| match pair {
            [who, word] => Ok((color(who)?, vertex(controller.game().topology(), word)?)),
            _ => Err(Failure::Usage),
        })
        .collect()
}
