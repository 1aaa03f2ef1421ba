//! Random texts are played by the machine as by the plain interpreter, and what was derived from them
//! holds: each position along random games is compared.

use foregone_rules::sample::Dice;
use foregone_text::Text;

/// How many texts are made.
const TEXTS: usize = 6_000;

/// A text that is being made.
struct Maker {
    dice: Dice,
    text: String,
    /// The names of sets, and whether they were chosen, so that they have to be used.
    names: Vec<String>,
    choices: usize,
    made: usize,
}

impl Maker {
    fn one_of(&mut self, all: &[&str]) -> String {
        all[self.dice.below(all.len())].to_owned()
    }

    fn set(&mut self, depth: usize) -> String {
        if depth == 0 || self.dice.below(3) == 0 {
            if !self.names.is_empty() && self.dice.below(3) == 0 {
                let at = self.dice.below(self.names.len());
                return self.names[at].clone();
            }
            let all = [
                "mine", "theirs", "empty", "all", "man", "king", "stone", "X", "O", "K", "m",
                "far", "row(2)", "b2", "edge", "dark",
            ];
            return self.one_of(&all);
        }
        let one = self.set(depth - 1);
        match self.dice.below(14) {
            0..3 => format!("({one} | {})", self.set(depth - 1)),
            3..6 => format!("({one} & {})", self.set(depth - 1)),
            6..8 => format!("({one} - {})", self.set(depth - 1)),
            8 => format!("ahead({one})"),
            9 => format!("{}({one})", self.one_of(&["n", "e", "sw", "around", "beside", "full"])),
            10 => format!("line({one}, {})", 2 + self.dice.below(2)),
            11 => format!("flood({one}, {})", self.set(depth - 1)),
            12 => format!("ray({one}, {})", self.set(depth - 1)),
            _ => {
                let function = self.one_of(&["between", "beyond"]);
                format!("{function}({one}, {}, {})", self.set(depth - 1), self.set(depth - 1))
            }
        }
    }

    fn number(&mut self, depth: usize) -> String {
        if depth == 0 || self.dice.below(2) == 0 {
            return match self.dice.below(5) {
                0 => "k".to_owned(),
                1 => format!("count({})", self.set(1)),
                2 => format!("seeds({})", self.set(1)),
                _ => self.dice.below(4).to_string(),
            };
        }
        let sign = self.one_of(&["+", "-", "*", "/", "%"]);
        format!("({} {sign} {})", self.number(depth - 1), self.number(depth - 1))
    }

    fn truth(&mut self, depth: usize) -> String {
        match self.dice.below(if depth == 0 { 4 } else { 7 }) {
            0 => self.set(2),
            1 => format!("no {}", self.set(1)),
            2 => {
                let sign = self.one_of(&["<", "==", "!=", ">="]);
                format!("{} {sign} {}", self.number(1), self.number(1))
            }
            3 => format!("({}) == ({})", self.set(1), self.set(1)),
            4 => format!("not ({})", self.truth(depth - 1)),
            5 => format!("({}) and ({})", self.truth(depth - 1), self.truth(depth - 1)),
            _ => format!("({}) or ({})", self.truth(depth - 1), self.truth(depth - 1)),
        }
    }

    fn name(&mut self) -> String {
        self.made += 1;
        format!("v{}", self.made)
    }

    fn line(&mut self, indent: usize, line: &str) {
        self.text += &format!("{}{line}\n", " ".repeat(indent));
    }

    fn block(&mut self, indent: usize, depth: usize) {
        let names = self.names.len();
        for _ in 0..1 + self.dice.below(3) {
            self.statement(indent, depth);
        }
        self.names.truncate(names);
    }

    fn statement(&mut self, indent: usize, depth: usize) {
        match self.dice.below(if depth == 0 { 11 } else { 17 }) {
            0..3 => {
                let kind = self.one_of(&["man", "king", "stone", "their man", "their king", "O"]);
                let line = format!("put {kind} on {}", self.set(2));
                self.line(indent, &line);
            }
            3 => {
                let line = format!("clear {}", self.set(2));
                self.line(indent, &line);
            }
            4 => {
                let line = format!("m = {}", self.set(2));
                self.line(indent, &line);
            }
            5 => {
                let sign = self.one_of(&["=", "+=", "-="]);
                let line = format!("k {sign} {}", self.number(1));
                self.line(indent, &line);
            }
            6 => {
                let sign = self.one_of(&["=", "+=", "-="]);
                let line = format!("seeds({}) {sign} {}", self.set(1), self.number(1));
                self.line(indent, &line);
            }
            7 => {
                let (name, value) = (self.name(), self.set(2));
                self.line(indent, &format!("let {name} = {value}"));
                self.names.push(name);
            }
            8 if !self.names.is_empty() => {
                let at = self.dice.below(self.names.len());
                let line = format!("{} = {}", self.names[at].clone(), self.set(2));
                self.line(indent, &line);
            }
            9 => {
                let line = format!("require {}", self.truth(1));
                self.line(indent, &line);
            }
            10 => {
                let line = self.one_of(&["again", "win", "draw", "score k", "clear mine"]);
                self.line(indent, &line);
            }
            11 if self.choices < 3 => {
                self.choices += 1;
                let (name, from) = (self.name(), self.set(2));
                self.line(indent, &format!("choose {name} in {from}"));
                let kind = self.one_of(&["put man on", "put king on", "clear", "m = m |"]);
                self.line(indent, &format!("{kind} {name}"));
                self.names.push(name);
            }
            12 => {
                let over = self.set(1);
                let name = self.name();
                self.line(indent, &format!("for {name} in {over}"));
                self.names.push(name);
                self.block(indent + 2, depth - 1);
                self.names.pop();
            }
            13 => {
                let times = 1 + self.dice.below(3);
                self.line(indent, &format!("repeat {times}"));
                self.block(indent + 2, depth - 1);
            }
            14 if self.choices < 2 => {
                self.line(indent, "either one");
                self.block(indent + 2, depth - 1);
                self.line(indent, "or two");
                self.block(indent + 2, depth - 1);
            }
            _ => {
                let line = format!("if {}", self.truth(1));
                self.line(indent, &line);
                if depth > 0 {
                    self.block(indent + 2, depth - 1);
                    if self.dice.below(2) == 0 {
                        self.line(indent, "else");
                        self.block(indent + 2, depth - 1);
                    }
                } else {
                    self.line(indent + 2, "clear stone");
                }
            }
        }
    }
}

fn text(seed: u64) -> String {
    let text = "game Random\nboard 3 3\npiece man X O\npiece king K Q\npiece stone s\nmark m\n\
                count seeds in 0..5\nnumber k = 1 in -3..6\nway ahead n s\nzone far = row(3); row(1)\n\
                endless draw\nstuck loses\nstart\n  put X on a1 | b1\n  put O on c3\n  put s on b2\n  \
                put K on c1\n  seeds(a1 | c3) = 2\nmove\n";
    let mut maker = Maker {
        dice: Dice::new(seed),
        text: text.to_owned(),
        names: Vec::new(),
        choices: 0,
        made: 0,
    };
    let from = maker.one_of(&["empty", "all", "theirs", "mine", "empty & far"]);
    maker.line(2, &format!("choose at in {from}"));
    maker.names.push("at".to_owned());
    maker.choices = 1;
    maker.block(2, 2);
    let kind = maker.one_of(&["put man on at", "put stone on at", "put king on at", "clear at"]);
    maker.line(2, &kind);
    if maker.dice.below(2) == 0 {
        maker.line(0, "end");
        let line = format!("if {}: {}", maker.truth(1), maker.one_of(&["win", "lose", "draw"]));
        maker.line(2, &line);
    }
    if !seed.is_multiple_of(3) {
        return maker.text;
    }
    // Few kinds of pieces are played by other instructions.
    let few =
        maker.text.replace("piece king K Q\npiece stone s\n", "").replace("  put K on c1\n", "");
    few.replace("put s on b2", "put O on b2")
        .replace("king", "man")
        .replace("stone", "man")
        .replace('K', "X")
}

/// Plays random games of a text; `None` if it is no game.
fn compare(text: &str) -> Option<Result<u64, String>> {
    let loaded = Text::parse(text).and_then(|text| text.load(&[])).ok()?;
    let mut left = 400;
    Some(loaded.compare(6, &mut || {
        left -= 1;
        left > 0
    }))
}

/// The text without the lines that an error does not need.
fn shortened(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    while let Some(shorter) = (0..lines.len()).find_map(|at| {
        let mut fewer = lines.clone();
        fewer.remove(at);
        matches!(compare(&fewer.join("\n")), Some(Err(_))).then_some(fewer)
    }) {
        lines = shorter;
    }
    lines.join("\n")
}

#[test]
fn the_machine_plays_random_texts_as_the_interpreter() {
    let (mut read, mut compared) = (0, 0);
    for seed in 0..TEXTS as u64 {
        let text = text(seed);
        let Some(result) = compare(&text) else { continue };
        read += 1;
        compared += result.unwrap_or_else(|_| {
            let text = shortened(&text);
            panic!("{:?}\n{text}\n", compare(&text))
        });
    }
    assert!(read > TEXTS / 4 && compared > 100_000, "{read} {compared}");
}
