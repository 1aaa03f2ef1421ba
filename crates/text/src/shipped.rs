//! The texts that come with the crate.

macro_rules! texts {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../games/", $name, ".rules")))),*]
    };
}

/// The names of the texts that come with the crate, in order, and the texts.
///
/// ```
/// use foregone_text::{SHIPPED, Text};
///
/// for (name, source) in SHIPPED {
///     println!("{name}: {}", Text::parse(source)?.title());
/// }
/// # Ok::<(), foregone_text::Problems>(())
/// ```
pub const SHIPPED: &[(&str, &str)] = texts![
    "achi",
    "amazons",
    "ataxx",
    "awari",
    "baghchal",
    "breakthrough",
    "bridg-it",
    "checkers",
    "chomp",
    "clobber",
    "col",
    "connect-four",
    "cram",
    "dara",
    "dodgem",
    "domineering",
    "dots-and-boxes",
    "five-mens-morris",
    "fox-and-hounds",
    "gomoku",
    "hare-and-hounds",
    "hex",
    "hexapawn",
    "kalah",
    "konane",
    "l-game",
    "misere-tic-tac-toe",
    "mu-torere",
    "notakto",
    "ohvalhu",
    "order-and-chaos",
    "pentago",
    "picaria",
    "pong-hau-ki",
    "quarto",
    "quixo",
    "reversi",
    "score-four",
    "shisima",
    "six-mens-morris",
    "snort",
    "tapatan",
    "teeko",
    "three-mens-morris",
    "tic-tac-toe",
    "wild-tic-tac-toe",
];

/// Before the name of a text where a name alone may mean another game.
pub const PREFIX: &str = "text:";

/// The text that comes with the crate under a name, such as `achi` or `text:achi`: the name alone and
/// the text.
///
/// ```
/// assert_eq!(foregone_text::shipped("text:achi").unwrap().0, "achi");
/// assert!(foregone_text::shipped("chess").is_none());
/// ```
pub fn shipped(name: &str) -> Option<(&'static str, &'static str)> {
    let name = name.strip_prefix(PREFIX).unwrap_or(name);
    SHIPPED.iter().find(|(each, _)| *each == name).copied()
}
