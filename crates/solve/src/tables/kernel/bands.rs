//! Bands of positions that share their moves; see the other bands.rs.

use std::marker::PhantomData;
use std::ops::Range;

use foregone_record::Values;
use foregone_rules::{Band, BandMove, Banded, Block, Places, Worth};

use super::super::bands::{Lane, Scale, solve_band};
use super::{Ask, AtHand, Failed, Kernel, joined};

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
pub struct Begun<'g> {
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

impl<'g, G: Banded, L: Lane> Kernel for Bands<'g, G, L> {
    type Cell = L;
    type Begun = Begun<'g>;

    fn blocks(&self, layer: u32) -> Vec<Block> {
        self.game.blocks(layer)
    }

    fn begin(
        &self,
        layer: u32,
        part: Range<u64>,
        hand: &impl AtHand<L>,
    ) -> Result<(Begun<'g>, Vec<Ask>), Failed> {
        let mut bands: Vec<Band<'g>> = Vec::new();
        let (mut rows, mut asked) = (Vec::new(), Vec::new());
        // The wave is only needed to sort blocks.
        self.game.bands(layer, &Block { wave: 0, numbers: part }, &mut |band| {
            for mv in &band.moves {
                let span = span(mv, band.len);
                let here = span.is_none_or(|span| hand.row(mv.layer, mv.first, span).is_some());
                rows.push(!here);
                if let Some(span) = span.filter(|_| !here) {
                    let step = mv.step.max(1);
                    let len = (span - 1) / step + 1;
                    asked.push(Ask { layer: mv.layer, step, first: mv.first, len });
                }
            }
            for loose in &band.loose {
                let (layer, number) = loose.to;
                let here = hand.cell(layer, number).is_some();
                rows.push(!here);
                asked.extend((!here).then(|| Ask::one(layer, number)));
            }
            bands.push(band.clone());
        });
        let (asks, begins) = joined(&asked);
        let mut begins = begins.into_iter();
        let rows = rows.into_iter().map(|asked| if asked { begins.next() } else { None });
        Ok((Begun { bands, rows: rows.collect() }, asks))
    }

    fn end(
        &self,
        _: u32,
        part: Range<u64>,
        begun: Begun<'g>,
        answers: &[L],
        hand: &impl AtHand<L>,
    ) -> Result<Vec<L>, Failed> {
        let mut cells = vec![L::NOTHING; (part.end - part.start) as usize];
        let (mut best, mut rows) = (Vec::new(), &begun.rows[..]);
        for band in &begun.bands {
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
                        (hand.row(mv.layer, mv.first, span).unwrap_or(&[]), mv.step)
                    }
                }
            };
            let cell = |nth: usize| match of_loose[nth] {
                Some(at) => answers[at],
                None => {
                    let (layer, number) = band.loose[nth].to;
                    hand.cell(layer, number).unwrap_or(L::NOTHING)
                }
            };
            solve_band(self.scale, band, &mut best, row, cell);
            let start = (band.first - part.start) as usize;
            let places = cells[start..].iter_mut().step_by(band.step.max(1) as usize);
            places.zip(&best).for_each(|(place, best)| *place = *best);
        }
        Ok(cells)
    }

    fn check(&self, cell: L) -> Result<(), Failed> {
        self.scale.has_room(cell)
    }

    fn worth(&self, cell: L) -> Option<Worth> {
        (cell != L::NOTHING).then(|| self.scale.worth(cell.number()))
    }
}
