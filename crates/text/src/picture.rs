//! The board of a game as the kit draws it, and a position on it.

use foregone_rules::Side;
use foregone_rules::kit::{self, Board, Cells, Face, Feature, Look, Piece};
use foregone_rules::show::{self, Area, Cell, Drawing, Ink, Part, Scene};
use foregone_rules::sort::by_rank;

use crate::board::{Shape, Sketch};
use crate::state::Position;
use crate::typed::Rules;

/// The kit's board for a game.
pub(crate) fn board(rules: &Rules, sides: [&str; 2]) -> Board {
    let own = &rules.board;
    if let Some(rows) = Rows::of(rules) {
        return Board::pits(rows.pits, rows.max).sides(sides);
    }
    let picture = &rules.picture;
    let look = match own.shape {
        _ if !picture.lines.is_empty() => Look::Points,
        Shape::Rectangle { .. } if picture.checkered => Look::Checkered,
        Shape::Edged => Look::Walls,
        Shape::Hexagons => Look::Hexes,
        Shape::Points => Look::Points,
        Shape::Rectangle { .. } | Shape::Ring { .. } => Look::Squares,
    };
    let places = own.cells.iter().map(|cell| (&cell.name[..], cell.column, cell.row));
    let board = Board::named(look, places).sides(sides);
    let board = match own.shape {
        Shape::Rectangle { .. } | Shape::Edged => board.spanning(own.columns, own.rows),
        Shape::Hexagons | Shape::Ring { .. } | Shape::Points => board,
    };
    let board = if picture.edged { board.edged() } else { board };
    let pairs = own.lines.iter().flat_map(|line| line.windows(2));
    let ties = pairs.map(|pair| [usize::from(pair[0]), usize::from(pair[1])]);
    let board = match look == Look::Points {
        true if picture.lines.is_empty() => board.ties(ties),
        true => board.ties(picture.lines.iter().copied()),
        false => board,
    };
    let nameless = own.sketch.as_ref().is_some_and(|sketch| sketch.nameless);
    let is_labelled =
        matches!(own.shape, Shape::Rectangle { layers: 1 } | Shape::Edged) || nameless;
    let board = match is_labelled {
        true => {
            let [columns, rows] = own.size();
            let letters = (b'a'..=b'z').take(columns).map(|letter| char::from(letter).into());
            let numbers = (1..=rows).rev().map(|row| row.to_string());
            board.labelled(letters.collect(), numbers.collect())
        }
        false => board,
    };
    let pieces = rules.pieces.iter().flat_map(|piece| {
        let owned = piece.letters.len() == 2;
        piece.letters.iter().enumerate().map(move |(at, letter)| {
            let side = owned.then(|| Side::BOTH[at]);
            let face = if rules.pieces.len() == 1 { Face::Disc } else { Face::Letter };
            let drawn = Piece::new(*letter, &piece.name, side).face(face);
            match picture.looks.get(&piece.name) {
                Some(words) => looking(drawn, words, at),
                None => drawn,
            }
        })
    });
    // A mark shows the first letter of its name that no piece has.
    let taken = |letter: &char| {
        let letters = rules.pieces.iter().flat_map(|piece| &piece.letters);
        letters.into_iter().any(|each| each.eq_ignore_ascii_case(letter))
    };
    let marks = rules.marks.iter().map(|name| {
        let free = name.chars().find(|letter| letter.is_alphanumeric() && !taken(letter));
        let drawn = Piece::new(free.map_or('*', |letter| letter.to_ascii_lowercase()), name, None);
        match picture.looks.get(name) {
            Some(words) => looking(drawn, words, 0),
            None => drawn,
        }
    });
    board.pieces(pieces.chain(marks).take(Cells::MAX_PIECES))
}

/// A piece as these words say; `at` is the side's place among signs.
fn looking(piece: Piece, words: &[String], at: usize) -> Piece {
    match &words[0][..] {
        "cover" => piece.face(Face::Cover),
        "disc" => piece.face(Face::Disc),
        "letter" => piece.face(Face::Letter),
        "mark" => piece.face(Face::Mark),
        word => match feature(word) {
            Some(feature) => piece.face(Face::Feature(feature)),
            None => piece.symbol(&words[at]),
        },
    }
}

fn feature(word: &str) -> Option<Feature> {
    Some(match word {
        "large" => Feature::Large,
        "dark" => Feature::Dark,
        "round" => Feature::Round,
        "hollow" => Feature::Hollow,
        _ => return None,
    })
}

/// Whether the picture shows a mark, a number or a count.
pub(crate) fn draws(rules: &Rules, name: &str) -> bool {
    // Of several counts on a cell, the picture does not say which is which.
    let is_count = rules.counts.len() == 1 && rules.counts[0] == name;
    name == HAND || rules.picture.looks.contains_key(name) || is_count
}

/// What a text calls pieces in hand.
const HAND: &str = "hand";

/// Adds pieces in hand on the right of the board.
pub(crate) fn add_hands(rules: &Rules, position: &Position, scene: &mut Scene) {
    if let Some((first, second)) = rules.pairs().find(|pair| rules.numbers[pair.0] == HAND) {
        let hands = [first, second].map(|at| position.numbers[at].max(0) as u16);
        let most = rules.layout.numbers[first][1] as u16;
        scene.hands(hands, most, rules.board.size()[1] as f32);
    }
}

/// Adds numbers that are drawn as pieces, such as the one that is handed over, on the right of the board.
pub(crate) fn add_beside(rules: &Rules, position: &Position, scene: &mut Scene) {
    let looks = &rules.picture.looks;
    for (name, number) in rules.numbers.iter().zip(&position.numbers) {
        let Some(digits) = looks.get(name) else { continue };
        if !(0..1 << digits.len()).contains(number) {
            continue;
        }
        let has = digits.iter().enumerate().filter(|(at, _)| number >> at & 1 == 1);
        let has = has.filter_map(|(_, mark)| feature(&looks.get(mark)?[0]));
        // As large as on the board, whose cells are of the size 1.
        let side = 1.0;
        let area = Area::new(scene.width, scene.height / 2.0 - side / 2.0, side, side);
        kit::add_featured(scene, &has.collect::<Vec<_>>(), area);
        let below = [area.middle()[0], area.y + area.height + 0.1];
        scene.shapes.push(show::Shape::Text(below, 0.25, name.clone(), Ink::Label));
        scene.width += side;
    }
}

/// The number of each set of pieces where positions are numbers.
pub(crate) fn piece_numbers(rules: &Rules) -> Vec<i16> {
    let mut sides = vec![None; rules.layout.pieces];
    for piece in &rules.pieces {
        for (set, side) in piece.of_sides().into_iter().flatten().zip(Side::BOTH) {
            sides[set] = Some(side);
        }
    }
    kit::piece_numbers(&sides)
}

/// Whether the board shows all numbers of a position.
pub(crate) fn shows_numbers(rules: &Rules) -> bool {
    Rows::of(rules).is_some_and(|rows| rows.stores != Stores::Cells || rules.numbers.is_empty())
}

/// Two rows of pits with a store for each side, as the kit draws them.
struct Rows {
    /// The number of pits of a side.
    pits: usize,
    /// The largest number of seeds in a pit or store.
    max: u16,
    stores: Stores,
}

/// What the stores hold.
#[derive(PartialEq, Eq)]
enum Stores {
    /// Cells of the ring.
    Cells,
    /// The one number that each side has: what it has captured.
    Numbers,
}

impl Rows {
    /// `None` if the board of the game is another.
    fn of(rules: &Rules) -> Option<Rows> {
        let Shape::Ring { stores } = rules.board.shape else { return None };
        let ([[0, max]], cells) = (&rules.layout.counts[..], rules.board.cells.len()) else {
            return None;
        };
        let (pits, stores, max) = match (stores, &rules.layout.numbers[..]) {
            (true, _) => (cells / 2 - 1, Stores::Cells, *max),
            (false, [[0, captured], _]) if rules.pairs().count() == 1 => {
                (cells / 2, Stores::Numbers, *max.max(captured))
            }
            (false, _) => return None,
        };
        let fits = 2 * pits + 2 <= Cells::MAX_COUNTS && rules.pieces.is_empty();
        let max = u16::try_from(max).ok().filter(|_| fits)?;
        Some(Rows { pits, max, stores })
    }
}

/// A position on the kit's board.
pub(crate) fn on_board(rules: &Rules, position: &Position) -> Cells {
    let mut on_board = Cells::new(Side::BOTH[position.turn]);
    if let Some(rows) = Rows::of(rules) {
        let mut counts = position.counts[0].clone();
        if rows.stores == Stores::Numbers {
            counts.insert(rows.pits, position.numbers[0]);
            counts.push(position.numbers[1]);
        }
        for (nth, count) in counts.into_iter().enumerate() {
            on_board = on_board.counting(nth, count as u16);
        }
        return on_board;
    }
    let pieces = rules.pieces.iter().flat_map(|piece| &piece.sets).copied();
    let marks = rules.layout.pieces..rules.layout.sets;
    for (nth, set) in pieces.chain(marks).take(Cells::MAX_PIECES).enumerate() {
        on_board = on_board.with(nth, position.sets[set]);
    }
    on_board
}

/// Adds what is counted on each cell, in its lower right corner; of several kinds, one beside the other.
pub(crate) fn add_counts(rules: &Rules, position: &Position, scene: &mut Scene) {
    for (kind, counts) in position.counts.iter().enumerate() {
        for (cell, count) in counts.iter().enumerate().filter(|(_, count)| **count != 0) {
            let Some(at) = scene.places.get(place(rules, cell)) else { continue };
            let Area { x, y, width, height } = at.spot;
            let size = width.min(height) * 0.26;
            let middle = [x + width * 0.84 - kind as f32 * width * 0.3, y + height - size * 0.7];
            scene.shapes.push(show::Shape::Text(middle, size, count.to_string(), Ink::Mark));
        }
    }
}

/// The drawing of a board of points, as it stands in the text, with what is on the points; `targets`
/// can be chosen.
pub(crate) fn sketch(
    sketch: &Sketch,
    board: &Board,
    on_board: &Cells,
    targets: &[bool],
) -> Drawing {
    let cell = |at: usize| {
        let [_, _, length] = sketch.places[at];
        let piece = on_board.piece(at).map(|piece| board.piece(piece));
        let text = match piece {
            Some(piece) => piece.letter.to_string(),
            None if sketch.nameless => "·".to_owned(),
            None => board.name(at).to_owned(),
        };
        let text = format!("{text:length$}");
        Cell {
            text,
            owner: piece.and_then(|piece| piece.side),
            target: piece.is_none() && targets[at],
            disc: piece.is_some_and(|piece| piece.face == Face::Disc && piece.side.is_some()),
        }
    };
    let left = sketch.rows.iter().map(|row| row.iter().take_while(|c| **c == ' ').count());
    let left = left.filter(|left| *left > 0).min().unwrap_or(0);
    let mut lines = Vec::new();
    for (y, row) in sketch.rows.iter().enumerate() {
        let mut points: Vec<usize> =
            (0..sketch.places.len()).filter(|at| sketch.places[*at][1] == y).collect();
        by_rank(&mut points, &|at| sketch.places[*at][0] as i64);
        let label = points.first().filter(|_| sketch.nameless).map(|at| row_label(board.name(*at)));
        let mut parts = vec![Part::Plain(match (label, sketch.nameless) {
            (Some(label), _) => format!("{label:>2} "),
            (None, true) => "   ".to_owned(),
            (None, false) => String::new(),
        })];
        let mut from = left;
        for at in points {
            let [x, _, length] = sketch.places[at];
            parts.push(Part::Plain(row[from.min(x)..x].iter().collect()));
            parts.push(Part::Cell(cell(at)));
            from = x + length;
        }
        parts.push(Part::Plain(row.iter().skip(from).collect()));
        lines.push(parts);
    }
    if sketch.nameless {
        let mut letters = Vec::new();
        for (at, [x, _, _]) in sketch.places.iter().enumerate() {
            letters.resize(letters.len().max(x - left + 1), ' ');
            letters[x - left] = board.name(at).chars().next().unwrap_or(' ');
        }
        lines.push(vec![Part::Plain(format!("   {}", letters.iter().collect::<String>()))]);
    }
    Drawing::Sketch(lines)
}

/// The row in a name like `a3`.
fn row_label(name: &str) -> &str {
    name.trim_start_matches(|c: char| c.is_alphabetic())
}

/// The place on the kit's board of a cell: stores come last there.
pub(crate) fn place(rules: &Rules, cell: usize) -> usize {
    let Some(Rows { pits, stores: Stores::Cells, .. }) = Rows::of(rules) else { return cell };
    match cell {
        own if own < pits => own,
        store if store == pits => 2 * pits,
        store if store == 2 * pits + 1 => store,
        other => other - 1,
    }
}

#[cfg(test)]
mod tests {
    use foregone_rules::Game;
    use foregone_rules::promise::Picture;
    use foregone_rules::show::{Ink, Shape};

    use crate::{Text, with_game};

    /// The scene of a game's start.
    fn scene(text: &str) -> foregone_rules::Scene {
        with_game!(Text::parse(text).unwrap().load(&[]).unwrap(), game => game.scene(&game.start()))
    }

    const PIECES: &str = "game Pieces\nboard 2 2\npiece man X O\npiece thing t\nmark tall\nmark round\n\
                          number given = 2 in 0..4\nhand 3\nstuck loses\nstart\n  put X on a1\n  put t on b2\n  \
                          tall = b2\nmove\n  choose at in empty\n  put man on at\n";

    /// Hexagons stand where they are, also beside cells that the board does not have.
    #[test]
    fn a_hexagon_of_hexagons_is_one() {
        let text = crate::shipped("havannah").unwrap().source;
        with_game!(Text::parse(text).unwrap().load(&[]).unwrap(), game => {
            let drawing = game.draw(&game.start()).to_string();
            let lines: Vec<&str> = drawing.lines().map(str::trim_end).collect();
            assert_eq!(lines[0].trim_start(), "c1  d1  e1", "{drawing}");
            let indents = lines[..5].iter().map(|line| line.len() - line.trim_start().len());
            assert_eq!(indents.collect::<Vec<_>>(), [6, 4, 2, 4, 6], "{drawing}");
            let scene = game.scene(&game.start());
            let first = scene.places.iter().map(|place| place.spot.x).fold(f32::MAX, f32::min);
            let last = scene.places.iter().map(|place| place.spot.x).fold(0.0, f32::max);
            assert!((first - (scene.width - last - 1.0)).abs() < 0.01, "in the middle");
        });
    }

    #[test]
    fn a_picture_changes_no_rule() {
        let drawn = format!(
            "{PIECES}picture\n  checkered\n  man as 王 玉\n  tall as large\n  round as round\n  given as tall round\n"
        );
        let [plain, text] = [PIECES, &drawn].map(|text| Text::parse(text).unwrap());
        assert_eq!(plain.bare(), text.bare());
        assert_eq!(text.formatted(), drawn);
        let shapes = scene(&drawn).shapes;
        let shows = |sign: &str| {
            shapes.iter().any(|shape| matches!(shape, Shape::Text(_, _, text, _) if text == sign))
        };
        assert!(shows("王") && !shows("X") && shows("given"));
        let dark = |shape: &&Shape| matches!(shape, Shape::Plate(.., Ink::Dark));
        // Two squares, and the light piece on one of them.
        assert_eq!(shapes.iter().filter(dark).count(), 3);
        // Of the number 2: the second mark.
        assert!(
            shapes
                .iter()
                .any(|shape| matches!(shape, Shape::Disc([x, _], _, Ink::Seed) if *x > 2.8))
        );
    }

    #[test]
    fn lines_join_the_cells_of_a_board() {
        let text = format!("{PIECES}picture\n  lines all n e\n  lines dark ne\n");
        let lines = |text| {
            let shapes = scene(text).shapes;
            shapes.iter().filter(|shape| matches!(shape, Shape::Line(..))).count()
        };
        assert_eq!((lines(PIECES), lines(&text)), (0, 5));
    }

    #[test]
    fn what_cannot_be_drawn_is_refused() {
        for (line, expected) in [
            ("round", "expected `checkered`, `edges`, `lines SET DIRECTIONS` or `name as ...`"),
            ("lines all up", "no direction is called `up`"),
            ("lines mine n", "expected cells that do not depend on the position"),
            ("man as large", "expected cover, disc, letter or mark"),
            ("man as ♔", "a sign for each letter of the piece"),
            ("tall as disc", "expected large, dark, round, hollow or cover"),
            ("given as man", "expected marks, one for each binary digit"),
            ("men as disc", "no piece, mark or number is called `men`"),
        ] {
            let error =
                Text::parse(&format!("{PIECES}picture\n  {line}\n")).unwrap_err().to_string();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }

    #[test]
    fn what_is_counted_on_a_cell_stands_there() {
        let text = "game Towers\nboard 3 3\npiece man X O\ncount level in 0..4\nstuck loses\nstart\n  \
                    put X on a1\n  put O on c3\n  level(b2) = 2\nmove\n  choose site in empty\n  level(site) += 1\n";
        let scene = scene(text);
        let spot = scene.places.iter().find(|place| place.name.starts_with("b2")).unwrap().spot;
        let counts: Vec<_> = scene
            .shapes
            .iter()
            .filter(|shape| matches!(shape, Shape::Text(_, _, text, _) if text == "2"))
            .collect();
        // Another 2 is the label of a row.
        let inside = |shape: &&&Shape| {
            matches!(shape, Shape::Text([x, y], ..)
            if (spot.x..spot.x + spot.width).contains(x) && (spot.y..spot.y + spot.height).contains(y))
        };
        assert_eq!(counts.iter().filter(inside).count(), 1, "{counts:?}");
    }
}
