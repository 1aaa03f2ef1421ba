//! The address of a page: the game, its start, the moves, the players, and what is shown. So a link or
//! a reload restores everything.

use std::collections::BTreeSet;

use foregone::{Player, Side};
use serde::Deserialize;

use crate::players::Who;

/// The longest text of moves, in bytes, and the most moves.
pub const LONGEST: usize = 8192;
pub const MAX_MOVES: usize = 600;

/// The most places that are picked for one move.
const MAX_CLICKS: usize = 100;

/// The most plies that a player looks ahead.
pub const DEEPEST: u32 = 30;

/// A query of these names and texts.
pub fn query<T: AsRef<str>>(fields: impl IntoIterator<Item = (&'static str, T)>) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// The names of the fields of an address, and of those that only lead to another address.
pub const NAMES: [&str; 12] = [
    "game", "position", "moves", "at", "first", "second", "depth", "hints", "review", "pick",
    "guess", "stop",
];
pub const TYPED: [&str; 5] = ["wait", "mv", "look", "set", "line"];
pub const TREE: [&str; 2] = ["show", "open"];

/// The fields of an address as they come in, unchecked.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Fields {
    pub game: String,
    pub position: String,
    pub moves: String,
    pub at: String,
    pub first: String,
    pub second: String,
    pub depth: String,
    pub hints: String,
    pub review: String,
    pub pick: String,
    pub guess: String,
    pub stop: String,
    /// Whether to work on missing answers, instead of showing that they are missing.
    pub wait: String,
    /// Texts typed into the page: moves, a position, a list of moves; and moves to look at without
    /// the computer's answer.
    pub mv: Option<String>,
    pub look: Option<String>,
    pub set: Option<String>,
    pub line: Option<String>,
    /// Of a game tree: which one is shown, and the nodes that are opened or closed.
    pub show: String,
    pub open: String,
}

/// A valid address.
#[derive(Clone, Debug, PartialEq)]
pub struct Address {
    pub game: String,
    /// `None` for the start.
    pub position: Option<String>,
    pub moves: Vec<String>,
    /// The number of moves made before the shown position.
    pub at: usize,
    pub players: [Who; 2],
    pub depth: u32,
    pub hints: bool,
    pub review: bool,
    /// The places that are picked.
    pub clicks: Vec<usize>,
    /// The numbers of moves after which the perfect player moved without a proof.
    pub guesses: Vec<usize>,
    /// Whether the computer waits instead of moving.
    pub stop: bool,
}

/// Who plays if an address does not say: at the start of a game a person against the perfect player; a link to some
/// position is to look at, and does not move by itself.
fn usual_players(at_start: bool) -> [Who; 2] {
    [Who::Human, if at_start { Who::Perfect } else { Who::Human }]
}

impl Address {
    /// The usual game: a person first, the perfect player second.
    pub fn new(game: impl Into<String>) -> Address {
        Address {
            game: game.into(),
            position: None,
            moves: Vec::new(),
            at: 0,
            players: usual_players(true),
            depth: 4,
            hints: false,
            review: false,
            clicks: Vec::new(),
            guesses: Vec::new(),
            stop: false,
        }
    }

    /// Reads the fields; each field that cannot be read gives an error in words.
    pub fn read(fields: &Fields) -> Result<Address, String> {
        for text in [&fields.position, &fields.moves] {
            if text.len() > LONGEST {
                return Err(format!(
                    "a text is {} bytes long, expected at most {LONGEST}",
                    text.len()
                ));
            }
        }
        let moves: Vec<String> = fields
            .moves
            .split([',', ' '])
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
            .collect();
        if moves.len() > MAX_MOVES {
            return Err(format!("found {} moves, expected at most {MAX_MOVES}", moves.len()));
        }
        let number = |text: &str, what: &str, max: usize, usual: usize| match text {
            "" => Ok(usual),
            text => text
                .parse::<usize>()
                .ok()
                .filter(|number| *number <= max)
                .ok_or_else(|| format!("{what}: expected a number from 0 to {max}")),
        };
        let at_start = fields.position.is_empty() && moves.is_empty() && fields.line.is_none();
        let usual = usual_players(at_start);
        let who = |text: &str, usual| if text.is_empty() { Ok(usual) } else { Who::parse(text) };
        let clicks = fields.pick.split(',').filter(|text| !text.is_empty());
        let clicks = clicks.map(|text| number(text, "pick", 10_000, 0));
        let clicks: Vec<usize> = clicks.collect::<Result<_, _>>()?;
        if clicks.len() > MAX_CLICKS {
            return Err(format!(
                "found {} places in pick, expected at most {MAX_CLICKS}",
                clicks.len()
            ));
        }
        let guesses = fields.guess.split(',').filter(|text| !text.is_empty());
        let guesses = guesses.map(|text| number(text, "guess", MAX_MOVES, 0));
        // All links of a page repeat them, so no number comes twice.
        let guesses = guesses.collect::<Result<BTreeSet<_>, _>>()?;
        Ok(Address {
            position: Some(fields.position.clone()).filter(|text| !text.is_empty()),
            at: number(&fields.at, "at", moves.len(), moves.len())?,
            moves,
            players: [who(&fields.first, usual[0])?, who(&fields.second, usual[1])?],
            depth: number(&fields.depth, "depth", DEEPEST as usize, 4)?.max(1) as u32,
            hints: fields.hints == "on",
            review: fields.review == "on",
            clicks,
            guesses: guesses.into_iter().collect(),
            stop: fields.stop == "on",
            game: fields.game.clone(),
        })
    }

    /// The address of the board.
    pub fn link(&self) -> String {
        format!("play.html?{}", self.query())
    }

    /// The address of the game tree from here.
    pub fn tree(&self) -> String {
        format!("tree.html?{}", self.query())
    }

    /// The same, shown in another way or with other nodes open.
    pub fn tree_as(&self, show: &str, open: &BTreeSet<String>) -> String {
        let open: Vec<_> = open.iter().map(String::as_str).collect();
        let more = [("show", show.to_owned()), ("open", open.join(","))];
        let fields = self.fields().into_iter().chain(more);
        format!("tree.html?{}", query(fields.filter(|(_, text)| !text.is_empty())))
    }

    /// The query that names the shown position alone: the game, its start, and the moves up to it.
    pub fn place(&self) -> String {
        let shown = self.back_to(self.at);
        let names = ["game", "position", "moves"];
        query(shown.fields().into_iter().filter(|(name, _)| names.contains(name)))
    }

    /// Adds a request to compute the missing answers.
    pub fn waiting(&self) -> String {
        format!("play.html?{}&wait=on", self.query())
    }

    /// The fields with values other than the defaults, as name and text.
    pub fn fields(&self) -> Vec<(&'static str, String)> {
        let usual = Address::new(self.game.clone());
        let mut fields = vec![("game", self.game.clone())];
        let mut field = |name, text: String| fields.push((name, text));
        if let Some(position) = &self.position {
            field("position", position.clone());
        }
        if !self.moves.is_empty() {
            field("moves", self.moves.join(","));
        }
        if self.at != self.moves.len() {
            field("at", self.at.to_string());
        }
        let players = usual_players(self.position.is_none() && self.moves.is_empty());
        for (name, side) in [("first", Side::First), ("second", Side::Second)] {
            if self.players[side.index()] != players[side.index()] {
                field(name, self.players[side.index()].name().to_owned());
            }
        }
        if self.depth != usual.depth {
            field("depth", self.depth.to_string());
        }
        for (name, on) in [("hints", self.hints), ("review", self.review), ("stop", self.stop)] {
            if on {
                field(name, "on".to_owned());
            }
        }
        for (name, numbers) in [("pick", &self.clicks), ("guess", &self.guesses)] {
            if !numbers.is_empty() {
                let numbers: Vec<_> = numbers.iter().map(usize::to_string).collect();
                field(name, numbers.join(","));
            }
        }
        fields
    }

    fn query(&self) -> String {
        query(self.fields())
    }

    /// The computer's player of a side, if it is one.
    pub fn player(&self, side: Side) -> Option<Player> {
        self.players[side.index()].player(self.depth)
    }

    /// The address after a move from the shown position; later moves are dropped.
    pub fn after(&self, mv: &str) -> Address {
        let mut moves = self.moves[..self.at].to_vec();
        moves.push(mv.to_owned());
        let guesses = self.guesses.iter().copied().filter(|at| *at < self.at).collect();
        let at = moves.len();
        Address { at, moves, guesses, clicks: Vec::new(), stop: false, ..self.clone() }
    }

    /// The same game after its first `at` moves.
    pub fn seen_at(&self, at: usize) -> Address {
        Address { at, clicks: Vec::new(), stop: false, ..self.clone() }
    }

    /// With all but the first moves taken back.
    pub fn back_to(&self, at: usize) -> Address {
        let guesses = self.guesses.iter().copied().filter(|before| *before < at).collect();
        Address { moves: self.moves[..at].to_vec(), guesses, ..self.seen_at(at) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_comes_back_as_it_was() {
        let mut address = Address::new("kalah(pits=3)");
        address.position = Some("1 2 3 & 4 first".to_owned());
        address.moves = vec!["1-9".to_owned(), "@1".to_owned()];
        address.at = 1;
        address.players = [Who::Random, Who::Human];
        address.depth = 7;
        address.hints = true;
        address.clicks = vec![5, 3, 5];
        address.guesses = vec![0];
        let link = address.link();
        let query = link.strip_prefix("play.html?").unwrap();
        let pairs: std::collections::HashMap<String, String> =
            form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let fields = serde_json::from_value(serde_json::to_value(pairs).unwrap()).unwrap();
        assert_eq!(Address::read(&fields), Ok(address));
    }

    #[test]
    fn a_link_to_a_position_moves_for_nobody() {
        let read = |moves: &str, position: &str, second: &str| {
            let [moves, position, second] = [moves, position, second].map(str::to_owned);
            let game = "nim".to_owned();
            let fields = Fields { game, moves, position, second, ..Fields::default() };
            Address::read(&fields).unwrap().players
        };
        assert_eq!(read("", "", ""), [Who::Human, Who::Perfect]);
        assert_eq!(read("2:2", "", ""), [Who::Human; 2]);
        assert_eq!(read("", "1 2 3 first", ""), [Who::Human; 2]);
        assert_eq!(read("2:2", "", "perfect"), [Who::Human, Who::Perfect]);
        // A game that goes on says who plays it.
        assert!(Address::new("nim").after("2:2").link().contains("second=perfect"));
        assert!(!Address::new("nim").link().contains("second"));
    }

    #[test]
    fn every_field_has_its_name_in_the_list() {
        let unknown = serde_json::from_str::<Fields>(r#"{"unknown": ""}"#).unwrap_err();
        let names = unknown.to_string();
        let names = names.split("expected one of ").nth(1).unwrap().split(" at line").next();
        let names: Vec<_> = names.unwrap().split(", ").map(|name| name.trim_matches('`')).collect();
        assert_eq!(names, [&NAMES[..], &TYPED[..], &TREE[..]].concat());
    }

    #[test]
    fn odd_fields_are_errors() {
        let odd = |change: fn(&mut Fields)| {
            let mut fields = Fields::default();
            change(&mut fields);
            Address::read(&fields).unwrap_err()
        };
        assert!(odd(|f| f.at = "1".into()).contains("0 to 0"));
        assert!(odd(|f| f.at = "-1".into()).contains("number"));
        assert!(odd(|f| f.first = "perfekt".into()).contains("did you mean `perfect`"));
        assert!(odd(|f| f.depth = "31".into()).contains("0 to 30"));
        assert!(odd(|f| f.moves = "1,".repeat(700)).contains("at most 600"));
        assert!(odd(|f| f.moves = "1".repeat(9000)).contains("at most 8192"));
        assert!(odd(|f| f.pick = "x".into()).contains("pick"));
        assert!(odd(|f| f.pick = "1,".repeat(101)).contains("101 places"));
        let repeated = Fields { guess: "7,0,7,".repeat(999), ..Fields::default() };
        assert_eq!(Address::read(&repeated).unwrap().guesses, [0, 7]);
    }
}
