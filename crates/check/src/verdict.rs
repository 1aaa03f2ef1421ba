//! What comes of checking a file. Every figure in it was counted here, never taken from the file.

use std::fmt;

use foregone_record::words::{counted, grouped};
use foregone_rules::Worth;
use serde_json::{Value as Json, json};

/// What came of checking a table; positions are states of the game, or texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<S> {
    /// Every entry is right.
    Right(Counts),
    /// Something in it is false.
    False(Flaw<S>),
    /// Nothing false was found, but what the file holds does not show that it is right.
    Unshown(Unshown<S>),
}

/// How many positions were checked, in each layer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// By layer.
    pub layers: Vec<Count>,
}

/// How many positions there are, by what they are worth to their mover (beyond what is banked).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Won.
    pub wins: u64,
    /// Drawn; without distances also by play without end.
    pub draws: u64,
    /// Drawn by play without end, where the file has distances.
    pub endless: u64,
    /// Lost.
    pub losses: u64,
}

impl Count {
    /// Counts a position that is worth this.
    pub(crate) fn add(&mut self, worth: Worth) {
        let count = match worth.value().0 {
            1.. => &mut self.wins,
            0 if worth.is_endless() => &mut self.endless,
            0 => &mut self.draws,
            _ => &mut self.losses,
        };
        *count += 1;
    }

    /// The sum of two counts.
    pub(crate) fn and(self, other: Count) -> Count {
        Count {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            endless: self.endless + other.endless,
            losses: self.losses + other.losses,
        }
    }

    /// How many positions it counts.
    pub fn positions(self) -> u64 {
        self.wins + self.draws + self.endless + self.losses
    }

    fn fields(self) -> Json {
        json!({
            "positions": self.positions(), "wins": self.wins, "draws": self.draws,
            "endless": self.endless, "losses": self.losses,
        })
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Count { wins, draws, endless, losses } = *self;
        write!(f, "{} won, {} drawn", grouped(wins), grouped(draws))?;
        if endless > 0 {
            write!(f, ", {} endless", grouped(endless))?;
        }
        write!(f, ", {} lost", grouped(losses))
    }
}

impl Counts {
    /// Over all layers.
    pub fn total(&self) -> Count {
        self.layers.iter().fold(Count::default(), |sum, count| sum.and(*count))
    }
}

/// What a table covers of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// How many layers it has, from the lowest.
    pub layers: u32,
    /// How many layers the game has.
    pub of: u32,
    /// Whether the start is in them.
    pub start: bool,
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Coverage { layers, of, start } = *self;
        match layers {
            _ if layers >= of && of == 1 => f.write_str("the whole game")?,
            _ if layers >= of => write!(f, "all {}", counted(of.into(), "layer", "layers"))?,
            1 => write!(f, "layer 0 of {of} alone")?,
            _ => write!(f, "layers 0 to {} of {of}", layers - 1)?,
        }
        f.write_str(if start { "" } else { ", not the start" })
    }
}

impl Coverage {
    /// As fields of a report.
    pub fn fields(self) -> Json {
        json!({"layers": self.layers, "of": self.of, "start": self.start})
    }
}

/// What is false in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw<S> {
    /// An entry of a table.
    Entry {
        /// The layer of the position, and its number there; `None` if positions were gone through
        /// without numbers.
        place: Option<(u32, u64)>,
        /// The position; `None` if the entry stands for no position.
        position: Option<S>,
        /// What the table says.
        stored: Option<Worth>,
        /// What follows from the entries of the positions after it; `None` if there is no such
        /// position, or one after it has no entry.
        right: Option<Worth>,
    },
    /// The number of positions that the file states for a layer.
    Count {
        /// The layer.
        layer: u32,
        /// What the file says.
        stated: u64,
        /// What was counted.
        counted: u64,
    },
}

/// Why a file that may be right is not shown to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unshown<S> {
    /// Why.
    pub why: &'static str,
    /// Where that was seen, if it was at one position.
    pub position: Option<S>,
}

impl<S> Verdict<S> {
    /// The same with a text for the position.
    pub fn named(self, name: impl FnOnce(&S) -> String) -> Verdict<String> {
        match self {
            Verdict::Right(counts) => Verdict::Right(counts),
            Verdict::False(flaw) => Verdict::False(match flaw {
                Flaw::Entry { place, position, stored, right } => {
                    Flaw::Entry { place, position: position.as_ref().map(name), stored, right }
                }
                Flaw::Count { layer, stated, counted } => Flaw::Count { layer, stated, counted },
            }),
            Verdict::Unshown(Unshown { why, position }) => {
                Verdict::Unshown(Unshown { why, position: position.as_ref().map(name) })
            }
        }
    }

    /// Whether the file is right.
    pub fn is_right(&self) -> bool {
        matches!(self, Verdict::Right(_))
    }
}

fn words(worth: Option<Worth>) -> String {
    worth.map_or("nothing".to_owned(), |worth| worth.to_string())
}

impl fmt::Display for Flaw<String> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Entry { place, position, stored, right } => {
                match position {
                    Some(position) => write!(f, "wrong entry for `{position}`")?,
                    None => f.write_str("an entry of no position")?,
                }
                if let Some((layer, index)) = place {
                    write!(f, " (number {index} of layer {layer})")?;
                }
                let (stored, right) = (words(*stored), words(*right));
                write!(f, ": the table says {stored}, the rules say {right}")
            }
            Flaw::Count { layer, stated, counted } => write!(
                f,
                "the file states {} positions in layer {layer}, and there are {}",
                grouped(*stated),
                grouped(*counted)
            ),
        }
    }
}

impl fmt::Display for Unshown<String> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.why)?;
        match &self.position {
            Some(position) => write!(f, " (seen at `{position}`)"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Verdict<String> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Right(counts) => {
                let total = counts.total();
                let positions = counted(total.positions(), "position", "positions");
                write!(f, "{positions} checked, all right ({total})")
            }
            Verdict::False(flaw) => flaw.fmt(f),
            Verdict::Unshown(unshown) => write!(f, "cannot be shown to be right: {unshown}"),
        }
    }
}

impl Verdict<String> {
    /// As fields of a report.
    pub fn fields(&self) -> Json {
        match self {
            Verdict::Right(counts) => {
                let mut fields = counts.total().fields();
                fields["verdict"] = json!("right");
                fields["layers"] = counts.layers.iter().map(|count| count.fields()).collect();
                fields
            }
            Verdict::False(flaw) => {
                let mut fields = json!({"verdict": "false", "why": flaw.to_string()});
                match flaw {
                    Flaw::Entry { place, position, stored, right } => {
                        fields["position"] = json!(position);
                        if let Some((layer, index)) = place {
                            (fields["layer"], fields["index"]) = (json!(layer), json!(index));
                        }
                        fields["stored"] = json!(words(*stored));
                        fields["derived"] = json!(words(*right));
                    }
                    Flaw::Count { layer, stated, counted } => {
                        fields["layer"] = json!(layer);
                        fields["stated"] = json!(stated);
                        fields["counted"] = json!(counted);
                    }
                }
                fields
            }
            Verdict::Unshown(Unshown { why, position }) => {
                json!({"verdict": "unshown", "why": why, "position": position})
            }
        }
    }
}
