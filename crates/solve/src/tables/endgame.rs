//! An endgame table for searches: the values of all positions in the lowest layers of a game, in memory.
//! Layers are added while a search goes on, when they begin to pay; no file is involved.

use std::sync::{Arc, Mutex};

use foregone_record::Values;
use foregone_rules::{Banded, Value};

use super::Failed;
use super::bands::{Lanes, Scale, Solving};
use crate::control::{Control, Halted};
use foregone_record::threads::{inside, lock};

/// The values of all positions in the lowest layers of a game. A clone shares the layers.
#[derive(Clone, Default)]
pub struct Endgame {
    /// Each is needed by later ones.
    layers: Vec<Option<Arc<Lanes<i8>>>>,
    numbers: u64,
}

/// The endgame table of a game, kept from one search to the next.
#[derive(Default)]
pub(crate) struct Store(Mutex<Endgame>);

impl Store {
    /// One to begin with.
    pub fn new(endgame: Endgame) -> Store {
        Store(Mutex::new(endgame))
    }

    /// How many layers it has.
    pub fn layers(&self) -> u32 {
        lock(&self.0).layers()
    }

    /// What it has become.
    pub fn into_inner(self) -> Endgame {
        inside(self.0)
    }
}

impl Endgame {
    /// Takes the layers of a kept table if it has more, and keeps those of this one if it does not.
    pub(crate) fn share(&mut self, kept: &Store) {
        let mut kept = lock(&kept.0);
        match kept.layers() > self.layers() {
            true => *self = kept.clone(),
            false => *kept = self.clone(),
        }
    }

    /// How many layers it has.
    #[inline]
    pub(crate) fn layers(&self) -> u32 {
        self.layers.len() as u32
    }

    /// Bytes in memory of the lowest layers.
    pub(crate) fn bytes<G: Banded>(game: &G, layers: u32) -> u64 {
        let numbers = (0..layers.min(game.layers())).map(|layer| game.size(layer));
        let numbers = numbers.fold(0, u64::saturating_add);
        numbers.saturating_mul(if game.across() { 2 } else { 1 })
    }

    /// The bytes in memory of the layers that it has.
    pub(crate) fn held(&self) -> u64 {
        self.layers.iter().flatten().map(|lanes| lanes.bytes()).sum()
    }

    /// The value of a number for the side to move, without banked points; `None` if the layer is missing.
    #[inline]
    pub(crate) fn value(&self, layer: u32, number: u64) -> Option<Value> {
        let lane = self.layers.get(layer as usize)?.as_ref()?.lane(number)?;
        Some(Value(lane.into()))
    }

    /// Loads a value into the cache.
    #[inline]
    pub(crate) fn prefetch(&self, layer: u32, number: u64) {
        if let Some(Some(lanes)) = self.layers.get(layer as usize) {
            lanes.prefetch(number);
        }
    }

    /// Adds the next layer; `false` if there is none, or if its values do not fit.
    ///
    /// # Errors
    /// If a limit of `control` is reached; then it is as before.
    pub(crate) fn add<G: Banded>(
        &mut self,
        game: &G,
        threads: usize,
        control: &Control,
    ) -> Result<bool, Halted> {
        let number = self.layers();
        if number >= game.layers() {
            return Ok(false);
        }
        let scale = Scale::new::<i8>(Values::Score, game.max_value_in(number + 1));
        let (Some(scale), size) = (scale, game.size(number)) else { return Ok(false) };
        let (below, done, total) = (&self.layers[..], self.numbers, self.numbers + size);
        let solving = Solving { game, number, scale, below, control, threads, done, total };
        match solving.solve() {
            Ok(lanes) => {
                self.layers.push(Some(Arc::new(lanes)));
                self.numbers = total;
                Ok(true)
            }
            Err(Failed::Halted(halted)) => Err(halted),
            // Values alone always fit.
            Err(_) => Ok(false),
        }
    }
}
