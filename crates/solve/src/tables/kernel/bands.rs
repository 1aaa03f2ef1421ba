//! Bands of positions that share their moves; see the other bands.rs.

use std::marker::PhantomData;
use std::ops::Range;

use foregone_record::Values;
use foregone_rules::{BandMove, Banded, Block, Loose, Value, Worth};

use super::super::bands::{Lane, Scale, end, improve, improve_one};
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
        let scale = Scale::new::<L>(values, game.most_in(layers))?;
        Some(Bands { game, scale, lane: PhantomData })
    }
}

/// A block that waits for answers.
struct Half<'g, L> {
    scale: Scale,
    /// By what is at hand.
    cells: Vec<L>,
    waiting: Waiting<'g>,
    /// For each move that waits, and then for each loose one: where its row begins among the answers.
    rows: Vec<usize>,
}

/// Bands that wait for answers, with the moves that they wait for: one band after the other.
#[derive(Default)]
struct Waiting<'g> {
    bands: Vec<Place>,
    missing: Vec<u32>,
    over: Vec<(u32, Value)>,
    moves: Vec<BandMove<'g>>,
    loose: Vec<Loose>,
}

/// Where a band is in its block, and where its parts end.
struct Place {
    first: usize,
    step: usize,
    len: usize,
    ends: [usize; 4],
}

/// How many numbers from its first on a move's row spans.
fn span(mv: &BandMove<'_>) -> u64 {
    u64::from(mv.len.saturating_sub(1)) * mv.step + 1
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
        let mut cells = vec![L::NOTHING; (part.end - part.start) as usize];
        let (mut waiting, mut best) = (Waiting::default(), Vec::new());
        let (mut rows, mut ones) = (Vec::new(), Vec::new());
        // The wave and the region are only needed to sort blocks.
        let block = Block { wave: 0, numbers: part.clone(), region: 0 };
        self.game.bands(layer, &block, &mut |band| {
            let before = waiting.moves.len() + waiting.loose.len();
            best.clear();
            best.resize(band.len as usize, L::NOTHING);
            for mv in &band.moves {
                match view.row(mv.layer, mv.first, span(mv)) {
                    Some(row) => improve(self.scale, &mut best, mv, (row, mv.step)),
                    None => {
                        let len = if mv.step == 0 { 1 } else { mv.len.into() };
                        let step = mv.step.max(1);
                        rows.push(Ask { layer: mv.layer, step, first: mv.first, len });
                        waiting.moves.push(*mv);
                    }
                }
            }
            for loose in &band.loose {
                match view.cell(loose.to.0, loose.to.1) {
                    Some(cell) => improve_one(self.scale, &mut best, loose, cell),
                    None => {
                        ones.push(Ask::one(loose.to.0, loose.to.1));
                        waiting.loose.push(*loose);
                    }
                }
            }
            end(self.scale, &mut best, &band.over, &band.missing);
            let (first, step) = ((band.first - part.start) as usize, band.step as usize);
            let len = band.len as usize;
            if waiting.moves.len() + waiting.loose.len() > before {
                waiting.over.extend_from_slice(&band.over);
                waiting.missing.extend_from_slice(&band.missing);
                let Waiting { missing, over, moves, loose, .. } = &waiting;
                let ends = [missing.len(), over.len(), moves.len(), loose.len()];
                waiting.bands.push(Place { first, step, len, ends });
            }
            match step {
                1 => cells[first..first + len].copy_from_slice(&best),
                step => {
                    let places = cells[first..].iter_mut().step_by(step.max(1));
                    places.zip(&best).for_each(|(place, best)| *place = *best);
                }
            }
        });
        rows.extend(ones);
        let (asks, rows) = joined(&rows);
        let half = Half { scale: self.scale, cells, waiting, rows };
        Ok((Box::new(half), asks))
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
    fn end(self: Box<Self>, answers: &[L], _: &View<L>) -> Result<Vec<L>, Failed> {
        let Half { scale, mut cells, waiting, rows } = *self;
        let (of_moves, of_loose) = rows.split_at(waiting.moves.len());
        let (mut best, mut begins) = (Vec::new(), [0; 4]);
        for Place { first, step, len, ends } in waiting.bands {
            let [missing, over, moves, loose] = [0, 1, 2, 3].map(|nth| begins[nth]..ends[nth]);
            begins = ends;
            let step = step.max(1);
            best.clear();
            best.extend(cells[first..].iter().step_by(step).take(len));
            for (mv, begin) in waiting.moves[moves.clone()].iter().zip(&of_moves[moves]) {
                // Answers leave out what lies between the places.
                improve(scale, &mut best, mv, (&answers[*begin..], mv.step.min(1)));
            }
            for (loose, begin) in waiting.loose[loose.clone()].iter().zip(&of_loose[loose]) {
                improve_one(scale, &mut best, loose, answers[*begin]);
            }
            end(scale, &mut best, &waiting.over[over], &waiting.missing[missing]);
            let places = cells[first..].iter_mut().step_by(step);
            places.zip(&best).for_each(|(place, best)| *place = *best);
        }
        Ok(cells)
    }
}
