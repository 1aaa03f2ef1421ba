//! Bands of positions that share their moves; see the other bands.rs.

use std::marker::PhantomData;
use std::ops::Range;

use foregone_record::Values;
use foregone_rules::{Band, BandMove, Banded, Block, Places, Worth};

use super::super::bands::{Lane, Scale, solve_band};
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

/// The bands of a block. For each row that their moves lead to: where it begins among the answers, or
/// `None` if it is at hand.
struct Half<'g> {
    scale: Scale,
    part: Range<u64>,
    bands: Vec<Band<'g>>,
    rows: Vec<Option<usize>>,
}

/// How many numbers from its first on a move's row spans; `None` if no place has the move.
fn span(mv: &BandMove<'_>, len: u32) -> Option<u64> {
    let last = match mv.places {
        Places::Same => len.checked_sub(1),
        Places::To(to) => to.iter().max().copied(),
        Places::Pairs(pairs) => pairs.iter().map(|(_, to)| *to).max(),
    };
    last.map(|last| u64::from(last) * mv.step + 1)
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
        let mut bands: Vec<Band<'k>> = Vec::new();
        let (mut rows, mut asked) = (Vec::new(), Vec::new());
        // The wave is only needed to sort blocks.
        self.game.bands(layer, &Block { wave: 0, numbers: part.clone() }, &mut |band| {
            for mv in &band.moves {
                let span = span(mv, band.len);
                let here = span.is_none_or(|span| view.row(mv.layer, mv.first, span).is_some());
                rows.push(!here);
                if let Some(span) = span.filter(|_| !here) {
                    let step = mv.step.max(1);
                    let len = (span - 1) / step + 1;
                    asked.push(Ask { layer: mv.layer, step, first: mv.first, len });
                }
            }
            for loose in &band.loose {
                let (layer, number) = loose.to;
                let here = view.cell(layer, number).is_some();
                rows.push(!here);
                asked.extend((!here).then(|| Ask::one(layer, number)));
            }
            bands.push(band.clone());
        });
        let (asks, begins) = joined(&asked);
        let mut begins = begins.into_iter();
        let rows = rows.into_iter().map(|asked| if asked { begins.next() } else { None });
        let half = Half { scale: self.scale, part, bands, rows: rows.collect() };
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

impl<L: Lane> Begun<L> for Half<'_> {
    fn end(self: Box<Self>, answers: &[L], view: &View<L>) -> Result<Vec<L>, Failed> {
        let mut cells = vec![L::NOTHING; (self.part.end - self.part.start) as usize];
        let (mut best, mut rows) = (Vec::new(), &self.rows[..]);
        for band in &self.bands {
            let (of_moves, rest) = rows.split_at(band.moves.len());
            let (of_loose, rest) = rest.split_at(band.loose.len());
            rows = rest;
            let row = |nth: usize| {
                let mv = &band.moves[nth];
                match of_moves[nth] {
                    // Answers leave out what lies between the places.
                    Some(begin) => (&answers[begin..], mv.step.min(1)),
                    None => {
                        let span = span(mv, band.len).unwrap_or(0);
                        (view.row(mv.layer, mv.first, span).unwrap_or(&[]), mv.step)
                    }
                }
            };
            let cell = |nth: usize| match of_loose[nth] {
                Some(at) => answers[at],
                None => {
                    let (layer, number) = band.loose[nth].to;
                    view.cell(layer, number).unwrap_or(L::NOTHING)
                }
            };
            solve_band(self.scale, band, &mut best, row, cell);
            let start = (band.first - self.part.start) as usize;
            let places = cells[start..].iter_mut().step_by(band.step.max(1) as usize);
            places.zip(&best).for_each(|(place, best)| *place = *best);
        }
        Ok(cells)
    }
}
