//! What a family of games says about itself in its source.

/// What a game is about, so that a list of games can be read in parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Pieces are put down until some stand in a line.
    Lines,
    /// Pieces move until some stand in a line.
    Mills,
    /// Seeds are sown around a board of pits.
    Sowing,
    /// A few hunt, and one escapes.
    Hunts,
    /// Two edges of a board are connected.
    Connection,
    /// Whoever holds more at the end wins.
    Territory,
    /// Pieces go ahead, and capture.
    Battles,
    /// Whoever cannot move loses.
    LastMove,
    /// All else.
    #[default]
    Other,
}

impl Group {
    /// All groups, in the order of lists.
    pub const ALL: [Group; 9] = [
        Group::Lines,
        Group::Mills,
        Group::Sowing,
        Group::Hunts,
        Group::Connection,
        Group::Territory,
        Group::Battles,
        Group::LastMove,
        Group::Other,
    ];

    /// The group in words, for a heading.
    pub const fn title(self) -> &'static str {
        match self {
            Group::Lines => "Make a line",
            Group::Mills => "Move into a line",
            Group::Sowing => "Sow and gather",
            Group::Hunts => "Hunt",
            Group::Connection => "Connect two sides",
            Group::Territory => "Hold the most",
            Group::Battles => "Break through or capture",
            Group::LastMove => "Make the last move",
            Group::Other => "Others",
        }
    }
}

/// Facts about a family of games, for its users.
#[derive(Clone, Debug)]
pub struct About {
    /// The name in specifications: lower case, words joined by `-`.
    pub name: &'static str,
    /// The name in headings, such as `Fox and Hounds`.
    pub title: &'static str,
    /// The game in one line.
    pub summary: &'static str,
    /// What it is about.
    pub group: Group,
    /// The rules, a paragraph or more.
    pub rules: &'static str,
    /// How a move is written.
    pub move_notation: &'static str,
    /// How a position is written, with an example.
    pub position_notation: &'static str,
    /// Known results and their sources; empty if there are none.
    pub known: &'static str,
    /// What a value counts, in the plural (`stones`); `result` if it is 1, 0 or -1. Parameters may
    /// change it ([`Family::unit`](super::Family::unit)).
    pub unit: &'static str,
    /// The parameters.
    pub parameters: &'static [Parameter],
}

impl About {
    /// The facts about a game if only its name is known.
    pub const fn plain(name: &'static str) -> About {
        About {
            name,
            title: name,
            summary: "",
            group: Group::Other,
            rules: "",
            move_notation: "",
            position_notation: "",
            known: "",
            unit: "result",
            parameters: &[],
        }
    }
}

/// A parameter of a family of games.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name in specifications.
    pub name: &'static str,
    /// The valid values.
    pub kind: Kind,
    /// The default value; empty if it depends on the other parameters.
    pub default: &'static str,
    /// Its meaning, in a few words.
    pub meaning: &'static str,
}

impl Parameter {
    /// A whole number from `min` to `max`.
    pub const fn number(
        name: &'static str,
        [min, max]: [u32; 2],
        default: &'static str,
        meaning: &'static str,
    ) -> Parameter {
        Parameter { name, kind: Kind::Number { min, max, step: 1 }, default, meaning }
    }

    /// An even number from `min` to `max`; `min` must be even.
    pub const fn even(
        name: &'static str,
        [min, max]: [u32; 2],
        default: &'static str,
        meaning: &'static str,
    ) -> Parameter {
        Parameter { name, kind: Kind::Number { min, max, step: 2 }, default, meaning }
    }

    /// One of `words`; the first is the default.
    pub const fn choice(
        name: &'static str,
        words: &'static [&'static str],
        meaning: &'static str,
    ) -> Parameter {
        Parameter { name, kind: Kind::Choice(words), default: words[0], meaning }
    }

    /// `true` or `false`.
    pub const fn flag(name: &'static str, default: bool, meaning: &'static str) -> Parameter {
        let default = if default { "true" } else { "false" };
        Parameter { name, kind: Kind::Flag, default, meaning }
    }
}

/// The values that a parameter can take.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A whole number.
    Number {
        /// The smallest valid number.
        min: u32,
        /// The largest valid number.
        max: u32,
        /// The difference between valid numbers; at least 1.
        step: u32,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// Other text; the description says what is valid.
    Text(&'static str),
}
