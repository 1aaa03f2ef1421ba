//! Bands of positions that share their moves; see the other bands.rs.

use std::marker::PhantomData;
use std::ops::Range;

use foregone_record::Values;
use foregone_rules::{BandMove, Banded, Block, Loose, Split, Target, Value, Way, Worth};

use super::super::bands::{
    Lane, Scale, end, improve, improve_one, improve_over, improve_split, turn,
};
use super::{Ask, Beginning, Begun, Failed, Kernel, View, joined};

/// Bands; cells are worths as small numbers, of one byte or two.
pub struct Bands<'g, G: Banded, L> {
    game: &'g G,
    scale: Scale,
    lane: PhantomData<L>,
}

impl<'g, G: Banded, L: Lane> Bands<'g, G, L> {
    /// The lowest `layers` layers of a game; `None` if their worths do not fit into cells of this type.
    pub fn new(game: &'g G, values: Values, layers: u32) -> Option<Bands<'g, G, L>> {
        let scale = Scale::new::<L>(values, game.max_value_in(layers))?;
        Some(Bands { game, scale, lane: PhantomData })
    }
}

/// A block that waits for answers.
struct Half<'g, L> {
    scale: Scale,
    /// Band by band: by what is at hand.
    cells: Vec<L>,
    /// The places of a band, and whether bands lie across.
    places: usize,
    across: bool,
    waiting: Waiting<'g>,
    /// Where rows begin among the answers: those of moves that wait, of ways, and of loose moves.
    rows: Vec<usize>,
}

/// Bands that wait for answers, with the moves that they wait for: one band after the other.
#[derive(Default)]
struct Waiting<'g> {
    bands: Vec<Place>,
    missing: Vec<u32>,
    over: Vec<(u32, Value)>,
    /// With the number of places in the target.
    moves: Vec<(BandMove<'g>, usize)>,
    /// With the number of ways.
    splits: Vec<(Split<'g>, usize)>,
    /// With their places among the ways that are asked for, if they are.
    ways: Vec<(Way, Option<usize>)>,
    loose: Vec<Loose>,
}

/// A band, and where its parts end.
struct Place {
    nth: usize,
    ends: [usize; 5],
}

impl Waiting<'_> {
    /// How many moves wait.
    fn count(&self) -> usize {
        self.moves.len() + self.splits.len() + self.loose.len()
    }
}

/// The lines of some ways, if `line` has all of them; a line is empty if the game is over. `copies` get those
/// that do not follow each other.
fn lines<'c, L: Lane>(
    ways: &[Way],
    copies: &'c mut Vec<Vec<L>>,
    mut line: impl FnMut(Target, &'c mut Vec<L>) -> Option<&'c [L]>,
) -> Option<Vec<&'c [L]>> {
    copies.resize_with(ways.len().max(copies.len()), Vec::new);
    let lines = ways.iter().zip(copies);
    let lines = lines.map(|(way, copy)| way.to.map_or(Some(&[][..]), |to| line(to, copy)));
    lines.collect()
}

impl<G: Banded, L: Lane> Kernel<L> for Bands<'_, G, L> {
    fn after(&self, layer: u32) -> Vec<u32> {
        self.game.layers_after(layer)
    }

    fn size(&self, layer: u32) -> u64 {
        self.game.size(layer)
    }

    fn blocks(&self, layer: u32) -> Vec<Block> {
        self.game.blocks(layer)
    }

    fn begin<'k>(&'k self, layer: u32, part: Range<u64>, view: &View<L>) -> Beginning<'k, L> {
        let Bands { game, scale, .. } = *self;
        let mut cells = vec![L::NOTHING; (part.end - part.start) as usize];
        let mut waiting = Waiting::default();
        let (mut rows, mut of_ways, mut ones) = (Vec::new(), Vec::new(), Vec::new());
        let (mut copy, mut copies) = (Vec::new(), Vec::new());
        // The other fields are only needed to sort blocks.
        let block = Block { wave: 0, numbers: part, places: 0, region: 0 };
        let mut places = 1;
        game.bands(layer, &block, &mut |band| {
            places = band.len as usize;
            let before = waiting.count();
            let nth = band.nth as usize;
            let best = &mut cells[nth * places..][..places];
            for mv in &band.moves {
                let Some(to) = mv.to else {
                    improve_over(scale, best, mv);
                    continue;
                };
                match view.line(to, &mut copy) {
                    Some(line) => improve(scale, best, mv, line),
                    None => {
                        rows.push(view.ask(to));
                        waiting.moves.push((*mv, to.line.len as usize));
                    }
                }
            }
            for split in &band.splits {
                let ways = &band.ways[split.ways.clone()];
                if let Some(lines) = lines(ways, &mut copies, |to, copy| view.line(to, copy)) {
                    improve_split(scale, best, split, (ways, &lines));
                    continue;
                }
                for way in ways {
                    let missing = way.to.filter(|to| view.line(*to, &mut copy).is_none());
                    waiting.ways.push((*way, missing.map(|_| of_ways.len())));
                    of_ways.extend(missing.map(|to| view.ask(to)));
                }
                waiting.splits.push((split.clone(), ways.len()));
            }
            for loose in &band.loose {
                match view.cell(loose.to.0, loose.to.1) {
                    Some(cell) => improve_one(scale, best, loose, cell),
                    None => {
                        ones.push(Ask::one(loose.to.0, loose.to.1));
                        waiting.loose.push(*loose);
                    }
                }
            }
            end(scale, best, &band.over, &band.missing);
            if waiting.count() > before {
                waiting.over.extend_from_slice(&band.over);
                waiting.missing.extend_from_slice(&band.missing);
                let Waiting { missing, over, moves, splits, loose, .. } = &waiting;
                let ends = [missing.len(), over.len(), moves.len(), splits.len(), loose.len()];
                waiting.bands.push(Place { nth, ends });
            }
        });
        rows.extend(of_ways);
        rows.extend(ones);
        let (asks, rows) = joined(&rows);
        let across = game.across();
        Ok((Box::new(Half { scale, cells, places, across, waiting, rows }), asks))
    }

    fn check(&self, cell: L) -> Result<(), Failed> {
        self.scale.has_room(cell)
    }

    fn worth(&self, cell: L) -> Option<Worth> {
        (cell != L::NOTHING).then(|| self.scale.worth(cell.number()))
    }

    fn cell(&self, worth: Option<Worth>) -> Result<L, Failed> {
        Ok(worth.map_or(L::NOTHING, |worth| L::of(self.scale.number(worth))))
    }
}

impl<L: Lane> Begun<L> for Half<'_, L> {
    fn end(self: Box<Self>, answers: &[L], view: &View<L>) -> Result<Vec<L>, Failed> {
        let Half { scale, mut cells, places, across, waiting, rows } = *self;
        let (of_moves, rows) = rows.split_at(waiting.moves.len());
        let (of_ways, of_loose) = rows.split_at(rows.len() - waiting.loose.len());
        let (mut begins, mut ways, mut copies) = ([0; 5], waiting.ways.as_slice(), Vec::new());
        for Place { nth, ends } in waiting.bands {
            let [missing, over, moves, splits, loose] =
                [0, 1, 2, 3, 4].map(|nth| begins[nth]..ends[nth]);
            begins = ends;
            let best = &mut cells[nth * places..][..places];
            for ((mv, len), begin) in waiting.moves[moves.clone()].iter().zip(&of_moves[moves]) {
                improve(scale, best, mv, &answers[*begin..][..*len]);
            }
            for (split, count) in &waiting.splits[splits] {
                let (mine, rest) = ways.split_at(*count);
                ways = rest;
                copies.resize_with(copies.len().max(*count), Vec::new);
                let lines = mine.iter().zip(&mut copies).map(|((way, asked), copy)| {
                    match (way.to, asked) {
                        (None, _) => Some(&[][..]),
                        (Some(to), Some(asked)) => {
                            Some(&answers[of_ways[*asked]..][..to.line.len as usize])
                        }
                        (Some(to), None) => view.line(to, copy),
                    }
                });
                let lines: Vec<_> = lines.collect::<Option<_>>().ok_or(Failed::Numbers)?;
                let mine: Vec<_> = mine.iter().map(|(way, _)| *way).collect();
                improve_split(scale, best, split, (&mine, &lines));
            }
            for (loose, begin) in waiting.loose[loose.clone()].iter().zip(&of_loose[loose]) {
                improve_one(scale, best, loose, answers[*begin]);
            }
            end(scale, best, &waiting.over[over], &waiting.missing[missing]);
        }
        if !across {
            return Ok(cells);
        }
        let mut turned = vec![L::NOTHING; cells.len()];
        turn(&cells, places, &mut turned);
        Ok(turned)
    }
}
