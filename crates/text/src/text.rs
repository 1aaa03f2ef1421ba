//! A parsed text: what it says of the game for people, its parameters, and the games it stands for.

use std::collections::HashMap;

use foregone_rules::{Facts, Group, Invalid, Setting, Valid};

use crate::budget::Budget;
use crate::choices::CROWDED;
#[cfg(not(target_family = "wasm"))]
use crate::game::Large;
use crate::game::{Derived, Small, Wide};
use crate::problem::{Problem, Problems, Span, did_you_mean};
use crate::progress::against;
use crate::syntax::{self, Range, Test, Tree};
use crate::typed::{self, Rules};

/// The game of a text, with the usual values of its parameters.
///
/// # Errors
/// All that is wrong with the text.
///
/// ```
/// use foregone_rules::Game;
/// use foregone_text::{Loaded, load};
///
/// let hexapawn = foregone_text::shipped("hexapawn").unwrap().source;
/// let Loaded::Small(game) = load(hexapawn)? else { panic!() };
/// assert_eq!(game.moves(&game.start()).count(), 3);
/// # Ok::<(), foregone_text::Problems>(())
/// ```
pub fn load(source: &str) -> Result<Loaded, Problems> {
    Text::parse(source)?.load(&[])
}

/// The rules of a game as text, parsed.
///
/// ```
/// use foregone_rules::Game;
/// use foregone_text::{Loaded, Text};
///
/// let text = Text::parse(
///     "game Apart
/// parameter length = 5 in 1..9
/// board length 1
/// piece stone X
/// stuck loses
/// move
///   choose at in empty - beside(stone)
///   put stone on at
/// ",
/// )?;
/// let Loaded::Small(game) = text.load(&[("length", "7")])? else { panic!() };
/// let start = game.start();
/// assert_eq!(game.moves(&start).count(), 7);
/// let next = game.play(&start, game.moves(&start).next().unwrap());
/// assert_eq!(game.moves(&next).count(), 5);
/// # Ok::<(), foregone_text::Problems>(())
/// ```
#[derive(Debug)]
pub struct Text {
    source: String,
    tree: Tree,
}

/// A game, on the smallest machine that can run it.
#[derive(Clone, Debug)]
pub enum Loaded {
    /// Most games.
    Small(Small),
    /// Many kinds of pieces or counts, or many choices in a move. In a browser these are [`Wide`], which takes 25 to
    /// 40 % longer (measured outside a browser), so that all visitors load 25 kB less.
    #[cfg(not(target_family = "wasm"))]
    Large(Large),
    /// A board of more than 64 cells.
    Wide(Wide),
}

/// Does the same with a [`Loaded`] game, whatever machine runs it.
///
/// ```
/// use foregone_rules::Game;
///
/// let text = foregone_text::Text::parse(foregone_text::shipped("hexapawn").unwrap().source)?;
/// let moves = foregone_text::with_game!(text.load(&[])?, game => game.moves(&game.start()).count());
/// assert_eq!(moves, 3);
/// # Ok::<(), foregone_text::Problems>(())
/// ```
#[macro_export]
macro_rules! with_game {
    ($loaded:expr, $game:ident => $with:expr) => {
        match $loaded {
            $crate::Loaded::Small($game) => $with,
            #[cfg(not(target_family = "wasm"))]
            $crate::Loaded::Large($game) => $with,
            $crate::Loaded::Wide($game) => $with,
        }
    };
}

impl Loaded {
    /// Plays random games, and compares what the machine does with what the plain interpreter says: moves, positions
    /// after them, and results; and whether what was derived from the rules holds. It does so before a file is made, or
    /// checked, by what the machine plays. The number of compared moves: up to 200 games, and as many as a number of
    /// steps allows, which is the same on all machines.
    ///
    /// # Errors
    /// Where they differ, which is an error of this crate; or where no move is left, though the text says
    /// that this never happens.
    pub fn is_as_written(&self) -> Result<u64, String> {
        self.compare(200, &Budget::new(Budget::COMPARING))
    }

    pub(crate) fn compare(&self, games: u32, budget: &Budget) -> Result<u64, String> {
        with_game!(self, game => game.compare(games, budget))
    }

    /// Why no answer that has met such a position is to be trusted, in a sentence; `None` if none was met. Either
    /// two positions that a solver takes for one are not alike, which is an error of this crate (representatives
    /// are compared with their images now and then), or a position has too many moves.
    pub fn misplayed(&self) -> Option<&str> {
        with_game!(self, game => game.misplayed())
    }

    /// The rules as they are played, with all names, directions and parameters resolved: a tree of what the interpreter
    /// does, in one line, for programs that check proofs by other means. It begins from `position`, or as the text says.
    /// Cells are bits of a number, the first one the lowest.
    ///
    /// # Errors
    /// If it is not a position of the game.
    pub fn tree(&self, position: Option<&str>) -> Result<String, Invalid> {
        with_game!(self, game => game.tree(position))
    }

    /// What was found out about the game from its rules, and proven.
    pub fn derived(&self) -> Derived {
        with_game!(self, game => game.derived())
    }
}

impl Text {
    /// Parses a text, and checks it with the usual values of its parameters.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn parse(source: &str) -> Result<Text, Problems> {
        // Some editors begin a file with a mark of its encoding.
        let source = source.strip_prefix('\u{feff}').unwrap_or(source);
        let (tree, problems) = syntax::parse(source);
        if !problems.is_empty() {
            return Err(Problems::new(source, problems));
        }
        let text = Text { source: source.to_owned(), tree };
        text.rules(&[])?;
        Ok(text)
    }

    /// What is no error, and surely not meant: signs that are read in two ways, definitions that are never used. `None` if
    /// there is nothing of the kind.
    pub fn warnings(&self) -> Option<Problems> {
        let found = syntax::warnings(&syntax::lines(&self.source, &mut Vec::new()));
        (!found.is_empty()).then(|| Problems::new(&self.source, found))
    }

    /// The lines, from 1, without whose ways to move play would be proven to end, of a text where that is not proven with
    /// these parameters; none if there are no such lines.
    pub fn against_proof(&self, given: &[(&str, &str)]) -> Vec<usize> {
        against(self, given).into_iter().map(|line| line + 1).collect()
    }

    /// The text itself.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The name of the game.
    pub fn title(&self) -> &str {
        self.tree.game.as_ref().map_or("", |(title, _)| title)
    }

    /// The title in small letters, its words joined by `-`: `three-mens-morris`.
    pub fn name(&self) -> String {
        let title = self.title().to_lowercase().replace(['\'', '’'], "");
        let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        match words.collect::<Vec<_>>().join("-") {
            name if name.is_empty() => "game".to_owned(),
            name => name,
        }
    }

    /// The text in the usual form: spaces and empty lines differ, all words stay.
    pub fn formatted(&self) -> String {
        syntax::formatted(&self.source, true)
    }

    /// What files of results keep of the text: all that play and notation depend on, in the usual
    /// form, without comments and without `about`, `source`, `known` and `picture`. Equal ones are the
    /// same game.
    ///
    /// ```
    /// # use foregone_text::Text;
    /// let text = Text::parse("game Lone   # for one stone
    /// about Who is stuck loses.
    /// board 1 1
    /// piece stone X
    /// stuck   loses
    /// move
    ///       choose at in empty
    ///       put stone on at
    /// ")?;
    /// let bare = "game Lone
    /// board 1 1
    /// piece stone X
    /// stuck loses
    /// move
    ///   choose at in empty
    ///   put stone on at
    /// ";
    /// assert_eq!(text.bare(), bare);
    /// # Ok::<(), foregone_text::Problems>(())
    /// ```
    pub fn bare(&self) -> String {
        let formatted = syntax::formatted(&self.source, false);
        let mut prose = false;
        let rules = formatted.lines().filter(|line| {
            if !line.starts_with(' ') {
                let head = line.split(' ').next().unwrap_or_default();
                prose = ["picture", "test"].contains(&head) || syntax::PROSE.contains(&head);
            }
            !prose
        });
        rules.map(|line| format!("{line}\n")).collect()
    }

    /// The game in a few sentences, where it comes from, and what is known about it; empty if the
    /// text does not say.
    pub fn about(&self) -> [&str; 3] {
        [&self.tree.about, &self.tree.source, &self.tree.known]
    }

    /// What its author expects of some positions.
    pub fn tests(&self) -> &[Test] {
        &self.tree.tests
    }

    /// What a value counts, in the plural; `result` if the text does not say.
    pub fn unit(&self) -> &str {
        self.tree.unit.as_deref().unwrap_or("result")
    }

    /// The names of the first and the second player.
    pub fn sides(&self) -> [&str; 2] {
        match &self.tree.sides {
            Some([first, second]) => [&first.text, &second.text],
            None => ["first", "second"],
        }
    }

    /// What a program shows of the game, under a name.
    pub fn facts(&self, name: &str) -> Facts {
        let is_parameter =
            |name: &str| self.tree.parameters.iter().any(|each| each.name.text == name);
        let setting = |parameter: &syntax::Parameter| Setting {
            name: parameter.name.text.clone(),
            valid: match &parameter.range {
                Range::Numbers { min, max, step } => {
                    Valid::Number { min: *min, max: *max, step: *step }
                }
                Range::Words(words) => {
                    Valid::Choice(words.iter().map(|word| word.text.clone()).collect())
                }
            },
            default: match is_parameter(&parameter.default.text) {
                true => String::new(),
                false => parameter.default.text.clone(),
            },
            meaning: parameter.meaning.clone(),
        };
        let [about, source, known] = self.about();
        let first = about.split_once(". ").map_or(about.trim_end_matches('.'), |(first, _)| first);
        let rules = [about, source].into_iter().filter(|part| !part.is_empty());
        Facts {
            name: name.to_owned(),
            title: self.title().to_owned(),
            summary: first.to_owned(),
            group: Group::Other,
            rules: rules.collect::<Vec<_>>().join("\n\nSource: "),
            move_notation: "what is chosen for it, in order, joined by `-`".to_owned(),
            position_notation: self.position_notation(),
            known: known.to_owned(),
            unit: self.unit().to_owned(),
            parameters: self.tree.parameters.iter().map(setting).collect(),
        }
    }

    /// How positions are written: which letters are whose pieces, and what else there is.
    fn position_notation(&self) -> String {
        let sides = self.sides().map(|side| match side {
            "first" | "second" => format!("the {side} player"),
            name => name.to_owned(),
        });
        let mut parts = Vec::new();
        let pieces = self.tree.pieces.iter().map(|piece| {
            let name = &piece.name.text;
            match piece.letters[..] {
                [(first, _), (second, _)] => {
                    format!("`{first}` {name} of {}, `{second}` {name} of {}", sides[0], sides[1])
                }
                _ => {
                    let letters = piece.letters.iter().map(|(letter, _)| format!("`{letter}`"));
                    format!("{} {name}", letters.collect::<Vec<_>>().join(", "))
                }
            }
        });
        let pieces: Vec<_> = pieces.collect();
        if !pieces.is_empty() {
            let rows = "the rows from the top joined by `/`: `.` an empty cell";
            parts.push(format!("{rows}, {}", pieces.join(", ")));
        }
        for mark in &self.tree.marks {
            let mark = &mark.text;
            parts.push(format!("`{mark}:` and the cells that are {mark}, such as `{mark}:a1,b2`"));
        }
        for count in &self.tree.counts {
            let count = &count.name.text;
            parts.push(format!("`{count}:` and the number of {count} in each cell"));
        }
        for number in &self.tree.numbers {
            let of =
                if number.each { "a number for each player, such as `0,0`" } else { "a number" };
            let colon = if number.meaning.is_empty() { "" } else { ", " };
            parts.push(format!("`{}:` and {of}{colon}{}", number.name.text, number.meaning));
        }
        let [first, second] = self.sides();
        parts.push(format!("the side to move, `{first}` or `{second}`"));
        parts.join("; ")
    }

    /// The game with these values of parameters; others, and those with an empty value, have their usual values.
    ///
    /// # Errors
    /// If a value is invalid, or the text is wrong with these values.
    pub fn load(&self, given: &[(&str, &str)]) -> Result<Loaded, Problems> {
        let rules = self.rules(given)?;
        let largest = rules.largest.unwrap_or_default();
        let crowded =
            |is_crowded| if is_crowded { Err(self.wrong(largest, CROWDED)) } else { Ok(()) };
        let too_large = |error: crate::machine::TooLarge| self.wrong(largest, error.0);
        if let Some(game) = Small::new(&rules, self.sides()).map_err(too_large)? {
            crowded(game.is_crowded())?;
            return Ok(Loaded::Small(game));
        }
        #[cfg(not(target_family = "wasm"))]
        if let Some(game) = Large::new(&rules, self.sides()).map_err(too_large)? {
            crowded(game.is_crowded())?;
            return Ok(Loaded::Large(game));
        }
        match Wide::new(&rules, self.sides()).map_err(too_large)? {
            Some(game) => crowded(game.is_crowded()).map(|()| Loaded::Wide(game)),
            None => Err(self.wrong(
                largest,
                "the rules need too much memory: use fewer kinds of pieces and counts, or fewer names that \
                 change in loops (a loop over directions has its names once for each)",
            )),
        }
    }

    fn wrong(&self, span: Span, message: impl Into<String>) -> Problems {
        Problems::new(&self.source, vec![Problem::new(span, message)])
    }

    pub(crate) fn rules(&self, given: &[(&str, &str)]) -> Result<Rules, Problems> {
        self.build(&self.settings(given)?)
    }

    /// The values of all parameters.
    pub(crate) fn settings(
        &self,
        given: &[(&str, &str)],
    ) -> Result<HashMap<String, typed::Setting>, Problems> {
        let mut settings = HashMap::new();
        for (name, value) in given.iter().filter(|(_, value)| !value.is_empty()) {
            settings.insert((*name).to_owned(), self.setting(name, value)?);
        }
        typed::complete(&self.tree, &mut settings);
        Ok(settings)
    }

    #[cfg(test)]
    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    fn build(&self, settings: &HashMap<String, typed::Setting>) -> Result<Rules, Problems> {
        let budget = Budget::new(Budget::READING);
        typed::build(&self.tree, settings, &budget)
            .map_err(|problems| Problems::new(&self.source, problems))
    }

    fn setting(&self, name: &str, value: &str) -> Result<typed::Setting, Problems> {
        let all = &self.tree.parameters;
        let Some(parameter) = all.iter().find(|parameter| parameter.name.text == name) else {
            let near = did_you_mean(name, all.iter().map(|parameter| &parameter.name.text[..]));
            return Err(
                self.wrong(Span::default(), format!("no parameter is called `{name}`{near}"))
            );
        };
        let expected = match &parameter.range {
            Range::Numbers { min, max, step } => match value.parse::<i64>() {
                Ok(number) if (*min..=*max).contains(&number) && (number - min) % step == 0 => {
                    return Ok(typed::Setting::Number(number));
                }
                _ if *step == 1 => format!("a number from {min} to {max}"),
                _ => format!("a number from {min} to {max} in steps of {step}"),
            },
            Range::Words(words) => {
                if words.iter().any(|word| word.text == value) {
                    return Ok(typed::Setting::Word(value.to_owned()));
                }
                let words: Vec<_> = words.iter().map(|word| word.text.as_str()).collect();
                format!("one of {}", words.join(", "))
            }
        };
        let message = format!("found `{name}={value}`, expected {expected}");
        Err(self.wrong(parameter.name.span, message))
    }
}

#[cfg(test)]
mod tests;
