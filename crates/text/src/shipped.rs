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
/// let (_, source) = SHIPPED.iter().find(|(name, _)| *name == "breakthrough").unwrap();
/// assert_eq!(Text::parse(source)?.title(), "Breakthrough");
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
