//! The lowest layers of a table in memory, as leaves of searches: a search probes them with one
//! memory access and stops there.

use foregone_record::read::with_banked;
use foregone_record::{Error, Table, Values};
use foregone_rules::{Indexed, Worth};

/// The lowest layers of a table.
#[derive(Clone, Copy)]
pub(crate) struct Leaves<'a> {
    table: &'a Table,
    layers: &'a [Vec<u16>],
}

/// The worth of a leaf for its mover; `None` if the position is not a leaf.
pub(crate) type Leaf<'a, S> = &'a (dyn Fn(&S) -> Option<Worth> + Sync);

impl<'a> Leaves<'a> {
    /// The lowest layers of a table that together fit into `bytes`; `None` if there is no table, or
    /// it holds no values.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn of(table: Option<&'a Table>, bytes: u64) -> Result<Option<Leaves<'a>>, Error> {
        let Some(table) = table.filter(|table| table.manifest().values != Values::Wdl) else {
            return Ok(None);
        };
        Ok(Some(Leaves { table, layers: table.lowest(bytes)? }))
    }

    /// Whether they hold distances, not values alone.
    pub fn distances(&self) -> bool {
        self.table.manifest().values == Values::ScoreDistance
    }

    /// Their size in bytes.
    pub fn bytes(&self) -> u64 {
        self.layers.iter().map(|cells| 2 * cells.len() as u64).sum()
    }

    /// The worth of a position; `None` outside these layers, and for endless play.
    #[inline]
    pub fn worth<G: Indexed>(&self, game: &G, state: &G::State) -> Option<Worth> {
        if game.layer(state) as usize >= self.layers.len() {
            return None;
        }
        let (layer, index) = game.index(state);
        let cell = usize::from(*self.layers[layer as usize].get(index as usize)?);
        let worth = *self.table.worths(layer).get(cell.checked_sub(1)?)?;
        (!worth.is_endless()).then(|| with_banked(game, state, worth))
    }
}
