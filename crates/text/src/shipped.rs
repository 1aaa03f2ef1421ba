//! The texts that come with the crate.

use foregone_rules::Group;

/// A text that comes with the crate.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// Its name, such as `mu-torere`.
    pub name: &'static str,
    /// What the game is about.
    pub group: Group,
    /// The text.
    pub source: &'static str,
}

macro_rules! texts {
    ($($name:literal $group:ident),* $(,)?) => {
        &[$(Shipped {
            name: $name,
            group: Group::$group,
            source: include_str!(concat!("../games/", $name, ".rules")),
        }),*]
    };
}

/// The texts that come with the crate, in the order of their names.
///
/// ```
/// use foregone_text::{SHIPPED, Text};
///
/// for text in SHIPPED {
///     println!("{}: {}", text.name, Text::parse(text.source)?.title());
/// }
/// # Ok::<(), foregone_text::Problems>(())
/// ```
pub const SHIPPED: &[Shipped] = texts![    "achi" Mills,
    "amazons" LastMove,
    "ataxx" Territory,
    "awari" Sowing,
    "baghchal" Hunts,
    "brandubh" Hunts,
    "breakthrough" Battles,
    "bridg-it" Connection,
    "checkers" Battles,
    "chomp" LastMove,
    "clobber" LastMove,
    "col" LastMove,
    "connect-four" Lines,
    "cram" LastMove,
    "cylinder-four" Lines,
    "dara" Mills,
    "dobutsu-shogi" Battles,
    "dodgem" Battles,
    "domineering" LastMove,
    "dots-and-boxes" Territory,
    "five-mens-morris" Mills,
    "fox-and-hounds" Hunts,
    "gomoku" Lines,
    "hare-and-hounds" Hunts,
    "havannah" Connection,
    "hex" Connection,
    "hexapawn" Battles,
    "kalah" Sowing,
    "kayles" LastMove,
    "king-and-rook" Battles,
    "konane" LastMove,
    "l-game" LastMove,
    "marseillais-tic-tac-toe" Lines,
    "misere-tic-tac-toe" Lines,
    "mu-torere" LastMove,
    "nim" LastMove,
    "notakto" Lines,
    "ohvalhu" Sowing,
    "onitama" Battles,
    "order-and-chaos" Lines,
    "pentago" Lines,
    "picaria" Mills,
    "pong-hau-ki" LastMove,
    "pop-out" Lines,
    "quarto" Lines,
    "quixo" Lines,
    "quoridor" Other,
    "reversi" Territory,
    "santorini" LastMove,
    "score-four" Lines,
    "shisima" Mills,
    "six-mens-morris" Mills,
    "snort" LastMove,
    "tapatan" Mills,
    "teeko" Mills,
    "three-mens-morris" Mills,
    "tic-tac-toe" Lines,
    "toads-and-frogs" LastMove,
    "wild-tic-tac-toe" Lines,
    "wythoff" LastMove,
    "y" Connection,
    "yote" Battles,
];

/// Before the name of a text where a name alone may mean another game.
pub const PREFIX: &str = "text:";

/// The text that comes with the crate under a name, such as `achi` or `text:achi`.
///
/// ```
/// assert_eq!(foregone_text::shipped("text:achi").unwrap().name, "achi");
/// assert!(foregone_text::shipped("chess").is_none());
/// ```
pub fn shipped(name: &str) -> Option<&'static Shipped> {
    let name = name.strip_prefix(PREFIX).unwrap_or(name);
    SHIPPED.iter().find(|each| each.name == name)
}
