//! Texts of small games, made at random: every kind of statement, name, board and number. Half of them stand in
//! pairs of mirrored blocks, of which one is changed a little at times, since rules that look symmetric and are
//! not are where a proof of symmetry goes wrong.
//!
//! Cells and directions are written with marks, `@1` and `~e`, until a whole block is there; so a block can be
//! written again as its mirror image.

use foregone_rules::sample::Dice;

/// A board with a reflection of it.
struct Board {
    line: &'static str,
    cells: usize,
    /// Where each cell goes, from 1.
    mirror: &'static [usize],
    /// Directions with their mirror images.
    directions: &'static [[&'static str; 2]],
    is_ring: bool,
}

const PLANE: &[[&str; 2]] = &[
    ["n", "n"],
    ["s", "s"],
    ["e", "w"],
    ["w", "e"],
    ["ne", "nw"],
    ["nw", "ne"],
    ["se", "sw"],
    ["sw", "se"],
];
const RING: &[[&str; 2]] = &[["next", "previous"], ["previous", "next"]];

const BOARDS: [Board; 15] = [
    Board { line: "3 1", cells: 3, mirror: &[3, 2, 1], directions: PLANE, is_ring: false },
    Board { line: "2 2", cells: 4, mirror: &[2, 1, 4, 3], directions: PLANE, is_ring: false },
    Board { line: "3 2", cells: 6, mirror: &[3, 2, 1, 6, 5, 4], directions: PLANE, is_ring: false },
    Board {
        line: "3 3",
        cells: 9,
        mirror: &[3, 2, 1, 6, 5, 4, 9, 8, 7],
        directions: PLANE,
        is_ring: false,
    },
    Board {
        line: "3 3 without corners",
        cells: 5,
        mirror: &[1, 4, 3, 2, 5],
        directions: PLANE,
        is_ring: false,
    },
    Board {
        line: "1 1 3",
        cells: 3,
        mirror: &[3, 2, 1],
        directions: &[["up", "down"], ["down", "up"]],
        is_ring: false,
    },
    Board {
        line: "hexagons 2 2",
        cells: 4,
        mirror: &[4, 3, 2, 1],
        directions: &[
            ["e", "w"],
            ["w", "e"],
            ["ne", "sw"],
            ["sw", "ne"],
            ["nw", "se"],
            ["se", "nw"],
        ],
        is_ring: false,
    },
    Board { line: "ring 4", cells: 4, mirror: &[3, 2, 1, 4], directions: RING, is_ring: true },
    Board {
        line: "ring 4",
        cells: 4,
        mirror: &[3, 4, 1, 2],
        directions: &[["next", "next"], ["previous", "previous"]],
        is_ring: true,
    },
    Board {
        line: "ring 6 with stores",
        cells: 6,
        mirror: &[4, 5, 6, 1, 2, 3],
        directions: &[["next", "next"], ["previous", "previous"]],
        is_ring: true,
    },
    Board {
        line: "cylinder 3 2",
        cells: 6,
        mirror: &[3, 2, 1, 6, 5, 4],
        directions: PLANE,
        is_ring: false,
    },
    Board {
        line: "torus 3 3",
        cells: 9,
        mirror: &[1, 3, 2, 4, 6, 5, 7, 9, 8],
        directions: PLANE,
        is_ring: false,
    },
    Board {
        line: "2 2 copies 2",
        cells: 8,
        mirror: &[3, 4, 1, 2, 7, 8, 5, 6],
        directions: &[["n", "n"], ["e", "e"], ["s", "s"], ["w", "w"], ["ne", "ne"], ["sw", "sw"]],
        is_ring: false,
    },
    Board {
        line: "2 2 with edges",
        cells: 9,
        mirror: &[3, 2, 1, 6, 5, 4, 9, 8, 7],
        directions: PLANE,
        is_ring: false,
    },
    Board {
        line: "points\n  o-o-o\n   \\|/\n    o",
        cells: 4,
        mirror: &[3, 2, 1, 4],
        directions: PLANE,
        is_ring: false,
    },
];

/// The kind of value of a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Set,
    Number,
    Truth,
    Direction,
}

/// A text that is being made.
struct Maker {
    dice: Dice,
    board: &'static Board,
    /// The names that have a value here.
    names: Vec<(String, Kind)>,
    /// How many names were made.
    made: usize,
    /// How many choices may still be made.
    choices: usize,
    /// Whether a loop is around the statement.
    in_loop: bool,
    has_king: bool,
    has_count: bool,
}

/// A text of a small game, by its number. Some of them are wrong, and some of the games cannot end.
pub fn text(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let board = &BOARDS[dice.below(BOARDS.len())];
    let maker = Maker {
        has_king: dice.below(3) == 0,
        has_count: board.is_ring || dice.below(4) == 0,
        dice,
        board,
        names: Vec::new(),
        made: 0,
        choices: 3,
        in_loop: false,
    };
    maker.text()
}

impl Maker {
    fn text(mut self) -> String {
        let mut text = format!(
            "game Random\nparameter size = 2 in 1..4\nparameter rule = one in one other\nboard {}\n",
            self.board.line
        );
        text += "piece man X O\n";
        text += if self.has_king { "piece king K Q\npiece stone s\n" } else { "" };
        text += if self.has_count { "count seeds in 0..5\n" } else { "" };
        text += "mark m\nnumber depth = 0 in 0..";
        text += &format!("{}\nnumber k = 0 in -1..2\n", 1 + self.dice.below(4));
        text += if self.flip() {
            "number own = 1 in 0..2 each\n"
        } else {
            "number own = 0 in 0..3 each\n"
        };
        let [one, other] = self.board.directions[self.dice.below(self.board.directions.len())];
        text += &format!("way ahead {one} {other}\n");
        let (zone, second) = (self.set(1), self.set(1));
        // Zones stand before all names of blocks.
        text += &format!("zone far = {}; {}\n", self.written(&zone), self.written(&second));
        text += ["stuck loses\n", "stuck draws\n", "stuck wins\n"][self.dice.below(3)];
        text += ["", "endless win\n", "endless score own - their own\n"][self.dice.below(8).min(2)];
        text += "start\n";
        let start = self.mirrored_start();
        text += &self.written(&start);
        text += "move\n";
        let body = self.moves();
        text += &self.written(&body);
        self.names.clear();
        self.choices = 0;
        if self.flip() {
            text += "end\n";
            let mut end = String::new();
            for _ in 0..1 + self.dice.below(2) {
                let (truth, result) = (self.truth(1), self.result());
                end += &format!("  if {truth} and depth >= {}: {result}\n", self.dice.below(4));
            }
            text += &self.written(&end);
        }
        text
    }

    fn flip(&mut self) -> bool {
        self.dice.below(2) == 0
    }

    fn one_of(&mut self, all: &[&str]) -> String {
        all[self.dice.below(all.len())].to_owned()
    }

    /// A block with its marks as the board calls them.
    fn written(&self, block: &str) -> String {
        self.replaced(block, ["cell", ""], |cell| cell, |[one, _]| one)
    }

    /// The mirror image of a block, with marks as well.
    fn mirrored(&self, block: &str) -> String {
        self.replaced(block, ["@", "~"], |cell| self.board.mirror[cell - 1], |[_, other]| other)
    }

    /// A block with other cells in place of `@(1)` and other directions in place of `~e`.
    fn replaced(
        &self,
        block: &str,
        marks: [&str; 2],
        cell: impl Fn(usize) -> usize,
        direction: impl Fn([&'static str; 2]) -> &'static str,
    ) -> String {
        let mut out = String::new();
        let mut rest = block;
        while let Some(at) = rest.find(['@', '~']) {
            let (before, marked) = rest.split_at(at);
            out += before;
            let is_name = |c: char| c.is_ascii_alphabetic();
            let (mark, end) = match marked.starts_with('@') {
                true => (marks[0], marked.find(')').map_or(marked.len(), |close| close + 1)),
                false => {
                    (marks[1], 1 + marked[1..].find(|c| !is_name(c)).unwrap_or(marked.len() - 1))
                }
            };
            let (name, after) = marked[1..].split_at(end - 1);
            let number = name.trim_matches(['(', ')']).parse::<usize>();
            let known = self.board.directions.iter().find(|[one, _]| *one == name);
            out += &match (number, known) {
                (Ok(number), _) => format!("{mark}({})", cell(number)),
                (_, Some(pair)) => format!("{mark}{}", direction(*pair)),
                _ => name.to_owned(),
            };
            rest = after;
        }
        out + rest
    }

    fn cell(&mut self) -> String {
        format!("@({})", 1 + self.dice.below(self.board.cells))
    }

    fn direction(&mut self) -> String {
        let at = self.dice.below(self.board.directions.len());
        match self.named(Kind::Direction) {
            Some(name) if self.flip() => name,
            _ if self.dice.below(6) == 0 => "ahead".to_owned(),
            _ => format!("~{}", self.board.directions[at][0]),
        }
    }

    fn named(&mut self, kind: Kind) -> Option<String> {
        let of = |(_, each): &&(String, Kind)| *each == kind;
        let all: Vec<_> = self.names.iter().filter(of).map(|(name, _)| name.clone()).collect();
        (!all.is_empty()).then(|| all[self.dice.below(all.len())].clone())
    }

    fn name(&mut self, kind: Kind) -> String {
        self.made += 1;
        let name = format!("v{}", self.made);
        self.names.push((name.clone(), kind));
        name
    }

    fn set(&mut self, depth: usize) -> String {
        if depth == 0 || self.dice.below(3) == 0 {
            return match (self.dice.below(6), self.named(Kind::Set)) {
                (0..3, Some(name)) => name,
                (3, _) => self.cell(),
                (4, _) => format!("{} | {}", self.cell(), self.cell()),
                _ if self.has_king => {
                    self.one_of(&["mine", "theirs", "empty", "X", "Q", "m", "king", "stone", "all"])
                }
                _ => self.one_of(&["mine", "theirs", "empty", "X", "O", "m", "man", "all"]),
            };
        }
        let one = self.set(depth - 1);
        // Zones, which stand before all names, do not depend on the position by a condition.
        match self.dice.below(if self.names.is_empty() { 16 } else { 18 }) {
            0..2 => format!("(({one}) | ({}))", self.set(depth - 1)),
            2..5 => format!("(({one}) & ({}))", self.set(depth - 1)),
            5..7 => format!("(({one}) - ({}))", self.set(depth - 1)),
            7..10 => format!("{}({one})", self.direction()),
            10 => format!("{}({one})", self.one_of(&["around", "beside"])),
            11 if self.has_count => format!("full({one})"),
            12 if self.board.is_ring => format!("opposite({one})"),
            11 | 12 => format!("line({one}, 2)"),
            13 => format!("flood({one}, {})", self.set(depth - 1)),
            14 => {
                let (through, along) = (self.set(depth - 1), self.direction());
                let along = if self.flip() { format!(", {along}") } else { String::new() };
                format!("ray({one}, {through}{along})")
            }
            16 => format!("({one} if {} else {})", self.truth(0), self.set(depth - 1)),
            17 => {
                let number = self.number(0);
                format!("({one} & {}(k + {number}))", self.one_of(&["row", "column", "cell"]))
            }
            _ => {
                let function = self.one_of(&["between", "beyond", "hop", "jumped"]);
                format!("{function}({one}, {}, {})", self.set(depth - 1), self.set(depth - 1))
            }
        }
    }

    fn number(&mut self, depth: usize) -> String {
        if depth == 0 || self.dice.below(3) == 0 {
            return match (self.dice.below(9), self.named(Kind::Number)) {
                (0..3, Some(name)) => name,
                (3, _) => "k".to_owned(),
                (4, _) => "own".to_owned(),
                (5, _) => "their own".to_owned(),
                (6, _) if self.has_count => format!("seeds({})", self.set(1)),
                (7, _) => "size".to_owned(),
                (8, _) => (self.dice.below(4)).to_string(),
                _ => format!("count({})", self.set(1)),
            };
        }
        let (one, other) = (self.number(depth - 1), self.number(depth - 1));
        match self.dice.below(if self.names.is_empty() { 7 } else { 9 }) {
            7 => format!("({one} if {} else {other})", self.truth(0)),
            8 => format!("{}({})", self.one_of(&["index", "row", "column"]), self.set(depth - 1)),
            5 => format!("min({one}, {other})"),
            6 => format!("max({one}, {other})"),
            sign => format!("({one} {} {other})", ["+", "-", "*", "/", "%"][sign]),
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        match self.dice.below(if depth == 0 { 6 } else { 9 }) {
            0 => self.set(2),
            1 => format!("no {}", self.set(1)),
            2 => {
                let sign = self.one_of(&["<", "==", "!=", ">="]);
                format!("{} {sign} {}", self.number(1), self.number(1))
            }
            3 => format!("({}) == ({})", self.set(1), self.set(1)),
            4 => match self.named(Kind::Truth) {
                Some(name) => name,
                None => format!("rule == {}", self.one_of(&["one", "other"])),
            },
            5 => self.weighed(),
            6 => format!("not ({})", self.truth(depth - 1)),
            7 => format!("(({}) and ({}))", self.truth(depth - 1), self.truth(depth - 1)),
            _ => format!("(({}) or ({}))", self.truth(depth - 1), self.truth(depth - 1)),
        }
    }

    /// A condition that weighs a cell by a number, and its mirror image by another one.
    fn weighed(&mut self) -> String {
        let weight = |maker: &mut Maker| match maker.named(Kind::Number) {
            Some(name) => name,
            None => maker.number(0),
        };
        let (cell, one, other) = (self.cell(), weight(self), weight(self));
        let weighed = format!("count({cell} & X)");
        let image = self.mirrored(&weighed);
        format!("{weighed} * {one} + {image} * {other} >= {}", 1 + self.dice.below(3))
    }

    fn result(&mut self) -> String {
        match self.dice.below(5) {
            0 => format!("score {}", self.number(1)),
            other => ["win", "win", "lose", "draw"][other - 1].to_owned(),
        }
    }

    fn piece(&mut self) -> String {
        match self.has_king {
            true => self.one_of(&["man", "king", "stone", "their man", "X"]),
            false => self.one_of(&["man", "man", "their man", "O"]),
        }
    }

    fn mirrored_start(&mut self) -> String {
        let mut start = format!("  put X on {}\n", self.cell());
        if self.flip() {
            let image = self.mirrored(&start);
            start += &image.replace('X', "O");
        }
        if self.has_count && self.dice.below(3) > 0 {
            start += "  seeds(all) = 1\n";
        }
        start
    }

    /// A move: it makes progress, mostly, places something, mostly, and takes some steps, by depth at times.
    fn moves(&mut self) -> String {
        let mut out = String::new();
        if self.dice.below(5) > 0 {
            out += "  depth = depth + 1\n";
        }
        if self.dice.below(3) > 0 {
            return out + &self.placing(2) + &self.block(2, 2);
        }
        let first = self.placing(4);
        self.names.clear();
        self.choices = 3;
        let later = self.placing(4) + &self.block(4, 2);
        out + "  if depth < 2\n" + &first + "  else\n" + &later
    }

    /// A choice that changes something.
    fn placing(&mut self, indent: usize) -> String {
        if self.dice.below(5) == 0 {
            return self.cases(indent, 1);
        }
        self.choices = self.choices.saturating_sub(1);
        let from = match self.dice.below(4) {
            0 => "empty".to_owned(),
            1 => "all".to_owned(),
            2 if self.has_count => "full(all)".to_owned(),
            2 => "mine | m".to_owned(),
            _ => {
                let cell = self.cell();
                format!("{cell} | {}", self.mirrored(&cell))
            }
        };
        let name = self.name(Kind::Set);
        let change = match self.dice.below(4) {
            0 if self.has_count => format!("seeds({name}) = {}", self.dice.below(3)),
            0 => format!("m = m | {name}"),
            _ => format!("put {} on {name}", self.piece()),
        };
        Self::line(indent, &format!("choose {name} in {from}")) + &Self::line(indent, &change)
    }

    /// Statements with names of their own.
    fn block(&mut self, indent: usize, depth: usize) -> String {
        let names = self.names.len();
        let mut out = String::new();
        for _ in 0..1 + self.dice.below(3) {
            out += &self.statement(indent, depth);
        }
        self.names.truncate(names);
        out
    }

    fn line(indent: usize, line: &str) -> String {
        format!("{}{line}\n", " ".repeat(indent))
    }

    /// A choice of a cell, and cases for two of its cells, of which one mirrors the other.
    fn cases(&mut self, indent: usize, depth: usize) -> String {
        self.choices = self.choices.saturating_sub(1);
        let (cell, name) = (self.cell(), self.name(Kind::Set));
        let image = self.mirrored(&cell);
        let from = match self.flip() {
            true => format!("{cell} | {image}"),
            false => "all".to_owned(),
        };
        let mut out = Self::line(indent, &format!("choose {name} in {from}"));
        let case = Self::line(indent, &format!("if {name} & {cell}"));
        let body = case + &self.block(indent + 2, depth - 1);
        let image = self.mirrored(&body);
        out += &body;
        out += &self.altered(&image);
        out
    }

    /// A block, with a small change at times.
    fn altered(&mut self, block: &str) -> String {
        if self.dice.below(3) > 0 {
            return block.to_owned();
        }
        let changes = [
            ("&", "|"),
            ("win", "lose"),
            ("mine", "theirs"),
            ("+", "-"),
            ("1", "2"),
            ("X", "O"),
            ("put man", "put their man"),
        ];
        let (from, to) = changes[self.dice.below(changes.len())];
        block.replacen(from, to, 1)
    }

    fn statement(&mut self, indent: usize, depth: usize) -> String {
        let line = |line: String| Self::line(indent, &line);
        let max = if depth == 0 { 14 } else { 24 };
        match self.dice.below(max) {
            0..2 => {
                let (piece, on) = (self.piece(), self.set(2));
                line(format!("put {piece} on {on}"))
            }
            2 => line(format!("clear {}", self.set(2))),
            3 => line(format!("m = {}", self.set(2))),
            4 => {
                let (name, sign) = (self.one_of(&["k", "own"]), self.one_of(&["=", "+=", "-="]));
                let depth = self.dice.below(2);
                line(format!("{name} {sign} {}", self.number(depth)))
            }
            5 if self.has_count => {
                let (of, sign) = (self.set(1), self.one_of(&["=", "+=", "-="]));
                line(format!("seeds({of}) {sign} {}", self.number(0)))
            }
            6 => {
                let (set, number, truth) = (self.set(2), self.number(1), self.truth(1));
                let (value, kind) = match self.dice.below(3) {
                    0 => (set, Kind::Set),
                    1 => (number, Kind::Number),
                    _ => (truth, Kind::Truth),
                };
                let value =
                    if kind == Kind::Truth { format!("({value}) and 1 == 1") } else { value };
                line(format!("let {} = {value}", self.name(kind)))
            }
            7 => match (self.named(Kind::Set), self.named(Kind::Number)) {
                (Some(name), _) if self.flip() => line(format!("{name} = {}", self.set(2))),
                (_, Some(name)) => line(format!("{name} = {}", self.number(1))),
                _ => line(self.one_of(&["again", "pass"])),
            },
            8 if self.flip() => line(match self.dice.below(3) {
                0 => format!("prefer {}", self.number(1)),
                _ => format!("require {}", self.truth(1)),
            }),
            8 | 9 => {
                let (condition, result, least) = (self.truth(1), self.result(), self.dice.below(4));
                line(format!("if {condition} and depth >= {least}: {result}"))
            }
            10 if self.has_count && self.board.is_ring => {
                let from = self.set(1);
                let skip = if self.flip() { format!(", {}", self.cell()) } else { String::new() };
                match self.named(Kind::Set) {
                    Some(name) if self.flip() => line(format!("{name} = sow({from}{skip})")),
                    _ => line(format!("let {} = sow({from}{skip})", self.name(Kind::Set))),
                }
            }
            11 => {
                let (from, to) = (self.set(1), self.set(1));
                line(format!("move {from} -> {to}"))
            }
            12 if self.in_loop => line("stop".to_owned()),
            12 if self.board.line == "2 2" => {
                line(format!("turn {} all", self.one_of(&["left", "right"])))
            }
            13 | 14 if self.choices > 0 => {
                self.choices = self.choices.saturating_sub(1);
                let name = self.made + 1;
                let out = match self.dice.below(3) {
                    0 => format!("choose v{name} in 0..{}", self.number(0)),
                    _ => format!("choose v{name} in {}", self.set(1)),
                };
                let kind = if out.contains("..") { Kind::Number } else { Kind::Set };
                let name = self.name(kind);
                let used = match kind {
                    Kind::Number => format!("require {name} != {}", self.number(0)),
                    _ => format!("put {} on {name}", self.piece()),
                };
                line(out) + &line(used)
            }
            15 if self.choices > 0 => {
                self.choices -= 1;
                let (max, value) = (1 + self.dice.below(3), self.number(0));
                let chosen = self.name(Kind::Number);
                let name = self.name(Kind::Number);
                let (condition, result) = (self.weighed(), self.result());
                let mut names =
                    [format!("choose {chosen} in 0..{max}"), format!("let {name} = {value}")];
                if self.flip() {
                    names.swap(0, 1);
                }
                let [one, other] = names;
                line(one)
                    + &line(other)
                    + &line(format!("require {chosen} != {max}"))
                    + &line(format!("if {condition}: {result}"))
            }
            16 if self.choices > 0 => self.cases(indent, depth),
            17 if self.choices > 0 => {
                self.choices = self.choices.saturating_sub(1);
                let labels = if self.flip() { [" one", " two"] } else { ["", ""] };
                let body = self.block(indent + 2, depth - 1);
                let image = self.mirrored(&body);
                let other = if self.flip() {
                    self.altered(&image)
                } else {
                    self.block(indent + 2, depth - 1)
                };
                line(format!("either{}", labels[0]))
                    + &body
                    + &line(format!("or{}", labels[1]))
                    + &other
            }
            18 => {
                let over = self.set(1);
                let name = self.name(Kind::Set);
                let body = self.looped(indent + 2, depth - 1);
                self.names.pop();
                line(format!("for {name} in {over}")) + &body
            }
            19 => {
                let over = [self.direction(), self.direction()]
                    .map(|d| if d.starts_with('~') { d } else { "ahead".to_owned() });
                let name = self.name(Kind::Direction);
                let body = self.block(indent + 2, depth - 1);
                self.names.pop();
                line(format!("for {name} in ways {} {}", over[0], over[1])) + &body
            }
            20 => {
                let times = 1 + self.dice.below(3);
                let body = self.looped(indent + 2, depth - 1);
                line(format!("repeat {times}")) + &body
            }
            _ if depth > 0 => {
                let condition = self.truth(1);
                let body = self.block(indent + 2, depth - 1);
                let out = line(format!("if {condition}")) + &body;
                if self.flip() {
                    out + &line("else".to_owned()) + &self.block(indent + 2, depth - 1)
                } else {
                    out
                }
            }
            _ => line(format!("put {} on {}", self.piece(), self.set(1))),
        }
    }

    fn looped(&mut self, indent: usize, depth: usize) -> String {
        let before = std::mem::replace(&mut self.in_loop, true);
        let body = self.block(indent, depth);
        self.in_loop = before;
        body
    }
}
