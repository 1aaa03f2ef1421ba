//! Bands of positions that share their moves; see the other bands.rs.

use std::marker::PhantomData;
use std::ops::Range;

use foregone_record::Values;
use foregone_rules::{BandMove, Banded, Block, Loose, Value, Worth};

use super::super::bands::{Lane, Scale, end, improve, improve_one, improve_over, turn};
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
    /// Band by band: by what is at hand.
    cells: Vec<L>,
    /// The places of a band, and whether bands lie across.
    places: usize,
    across: bool,
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
    /// With the number of places in the target.
    moves: Vec<(BandMove<'g>, usize)>,
    loose: Vec<Loose>,
}

/// A band, and where its parts end.
struct Place {
    nth: usize,
    ends: [usize; 4],
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
        let (mut rows, mut ones, mut strided) = (Vec::new(), Vec::new(), Vec::new());
        // The other fields are only needed to sort blocks.
        let block = Block { wave: 0, numbers: part, places: 0, region: 0 };
        let mut places = 1;
        game.bands(layer, &block, &mut |band| {
            places = band.len as usize;
            let before = waiting.moves.len() + waiting.loose.len();
            let nth = band.nth as usize;
            let best = &mut cells[nth * places..][..places];
            for mv in &band.moves {
                let Some(to) = mv.to else {
                    improve_over(scale, best, mv);
                    continue;
                };
                match view.line(to, &mut strided) {
                    Some(line) => improve(scale, best, mv, line),
                    None => {
                        rows.push(view.ask(to));
                        waiting.moves.push((*mv, to.line.len as usize));
                    }
                }
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
            if waiting.moves.len() + waiting.loose.len() > before {
                waiting.over.extend_from_slice(&band.over);
                waiting.missing.extend_from_slice(&band.missing);
                let Waiting { missing, over, moves, loose, .. } = &waiting;
                let ends = [missing.len(), over.len(), moves.len(), loose.len()];
                waiting.bands.push(Place { nth, ends });
            }
        });
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
    fn end(self: Box<Self>, answers: &[L], _: &View<L>) -> Result<Vec<L>, Failed> {
        let Half { scale, mut cells, places, across, waiting, rows } = *self;
        let (of_moves, of_loose) = rows.split_at(waiting.moves.len());
        let mut begins = [0; 4];
        for Place { nth, ends } in waiting.bands {
            let [missing, over, moves, loose] = [0, 1, 2, 3].map(|nth| begins[nth]..ends[nth]);
            begins = ends;
            let best = &mut cells[nth * places..][..places];
            for ((mv, len), begin) in waiting.moves[moves.clone()].iter().zip(&of_moves[moves]) {
                improve(scale, best, mv, &answers[*begin..][..*len]);
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
