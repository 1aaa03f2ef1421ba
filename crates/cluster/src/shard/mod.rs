//! Tables built by independent tasks: each solves one shard of one wave of a layer from
//! files on shared storage, and another puts the layer together. So any scheduler can run them.

mod cells;
mod join;
mod solve;

use std::collections::BTreeMap;

use foregone::record::write::{Coding, Parts, Shard, TableWriter};
use foregone::tables::Failed;
use foregone::tables::kernel::{Blueprint, Cell, Kernel};
use foregone::{Control, Halted};

/// Why a task failed.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    /// The table has fewer layers.
    #[error("the table has only layers 0 to {max}")]
    Layer {
        /// The last one.
        max: u32,
    },
    /// Moves stay in the layer, and no waves put them in order.
    #[error(
        "play can loop within layer {0}, so one task has to solve all of it: leave out --shard"
    )]
    Whole(u32),
    /// The layer has several waves.
    #[error(
        "layer {layer} has {waves} waves, and each needs the ones before it: add --wave, from 0 to {}",
        .waves - 1
    )]
    Waves {
        /// The layer.
        layer: u32,
        /// Their number.
        waves: u32,
    },
    /// The layer has fewer waves.
    #[error("there is no wave {wave}: layer {layer} has {waves}, from 0 to {}", .waves - 1)]
    Wave {
        /// The layer.
        layer: u32,
        /// The wave that was asked for.
        wave: u32,
        /// Their number.
        waves: u32,
    },
    /// The shard is solved, for a table of other layers.
    #[error(
        "this shard is solved for a table of {found} layers, not {wanted}: use the same --layers \
         everywhere"
    )]
    Layers {
        /// The layers that it was solved for.
        found: u32,
        /// Those that are wanted.
        wanted: u32,
    },
    /// No task has solved anything of the layer, or it is damaged.
    #[error("layer {0} is not solved, or damaged: `foregone table steps` lists the tasks")]
    Unsolved(u32),
    /// A layer below is not finished.
    #[error("layer {0} is not finished, and moves lead to it: solve and join it first")]
    Unfinished(u32),
    /// Shards are missing.
    #[error("of layer {layer}, {missing}")]
    Missing {
        /// The layer.
        layer: u32,
        /// Which.
        missing: String,
    },
    /// It could not be solved, read or written.
    #[error(transparent)]
    Failed(#[from] Failed),
}

impl From<foregone::record::Error> for Broken {
    fn from(error: foregone::record::Error) -> Broken {
        Broken::Failed(error.into())
    }
}

impl From<Halted> for Broken {
    fn from(halted: Halted) -> Broken {
        Broken::Failed(halted.into())
    }
}

/// Tasks that can run at the same time, when those of all earlier steps have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// One task solves a layer.
    Whole {
        /// The layer.
        layer: u32,
    },
    /// As many tasks as there are shards solve a wave.
    Shards {
        /// The layer.
        layer: u32,
        /// The wave.
        wave: u32,
    },
    /// One task puts a layer together.
    Join {
        /// The layer.
        layer: u32,
    },
}

/// The steps of a table, in order.
pub fn steps(blueprint: &Blueprint<'_>) -> Vec<Step> {
    let mut steps = Vec::new();
    for layer in 0..blueprint.layers {
        let waves = with_kernel!(&blueprint.kernel, kernel => waves(&**kernel, layer));
        match waves {
            None => steps.push(Step::Whole { layer }),
            Some(waves) => {
                steps.extend((0..waves).map(|wave| Step::Shards { layer, wave }));
                steps.push(Step::Join { layer });
            }
        }
    }
    steps
}

/// The number of waves of a layer; `None` if it can only be solved whole.
fn waves<C: Cell>(kernel: &dyn Kernel<C>, layer: u32) -> Option<u32> {
    if kernel.settling(layer, 0..0).is_some() {
        return None;
    }
    let last = kernel.blocks(layer).iter().map(|block| block.wave).max();
    Some(last.map_or(1, |last| last + 1))
}

/// A table that tasks build.
pub struct Tasks<'a> {
    /// How layers are solved.
    pub blueprint: &'a Blueprint<'a>,
    /// The threads of this task.
    pub threads: usize,
    /// Progress, its limit of memory, and whether to go on.
    pub control: &'a Control,
}

impl Tasks<'_> {
    /// Solves a shard; `wave` is 0 if not given. Returns `false` if that is done already.
    ///
    /// # Errors
    /// If something that it needs is missing, or it cannot be solved or written.
    pub fn solve(
        &self,
        parts: &Parts,
        (layer, wave): (u32, Option<u32>),
        (place, of): (usize, usize),
    ) -> Result<bool, Broken> {
        let waves = self.waves(layer)?.ok_or(Broken::Whole(layer))?;
        let wave = match wave {
            None if waves > 1 => return Err(Broken::Waves { layer, waves }),
            Some(wave) if wave >= waves => return Err(Broken::Wave { layer, wave, waves }),
            wave => wave.unwrap_or(0),
        };
        let shard = Shard { layer, wave, place, of };
        if parts.is_intact(layer) {
            return Ok(false);
        }
        with_kernel!(&self.blueprint.kernel, kernel => self.solve_shard(&**kernel, parts, shard))
    }

    /// Puts a layer together from its shards, and removes them. Returns `false` if that is done already.
    ///
    /// # Errors
    /// If a shard is missing, or the layer cannot be written.
    pub fn join(&self, writer: &mut TableWriter, layer: u32) -> Result<bool, Broken> {
        let waves = self.waves(layer)?;
        if writer.has(layer) {
            return Ok(false);
        }
        let shards = complete(writer.parts(), layer, waves.unwrap_or(1))?;
        let parts = writer.parts();
        let part = with_kernel!(&self.blueprint.kernel, kernel => {
            self.join_shards(&**kernel, parts, layer, &shards)
        })?;
        writer.adopt(layer, part);
        Ok(writer.parts().remove_shards(layer).map(|()| true)?)
    }

    /// How cells are stored in shards.
    fn coding<C: Cell>(&self) -> Coding {
        Coding { width: C::BYTES as u64, layers: self.blueprint.layers }
    }

    fn waves(&self, layer: u32) -> Result<Option<u32>, Broken> {
        if layer >= self.blueprint.layers {
            return Err(Broken::Layer { max: self.blueprint.layers - 1 });
        }
        Ok(with_kernel!(&self.blueprint.kernel, kernel => waves(&**kernel, layer)))
    }
}

/// The shards of a layer, if there are all of some number of shards.
fn complete(parts: &Parts, layer: u32, waves: u32) -> Result<Vec<Shard>, Broken> {
    let mut found: BTreeMap<usize, Vec<Shard>> = BTreeMap::new();
    for shard in parts.shards(layer)? {
        found.entry(shard.of).or_default().push(shard);
    }
    // The most complete ones, if none are.
    let best = found.into_iter().max_by_key(|(of, shards)| {
        let wanted = waves as usize * of;
        (shards.len() == wanted, 1000 * shards.len() / wanted.max(1))
    });
    let missing = |missing| Broken::Missing { layer, missing };
    let (of, shards) = best.ok_or(Broken::Unsolved(layer))?;
    for wave in 0..waves {
        let lacks = |place: &usize| !shards.contains(&Shard { layer, wave, place: *place, of });
        let lacking: Vec<_> = (0..of).filter(lacks).map(|place| place.to_string()).collect();
        if let Some(first) = lacking.first() {
            let more = lacking.len() - 1;
            let more = if more > 0 { format!(" and {more} more are") } else { " is".to_owned() };
            return Err(missing(format!("shard {first}/{of} of wave {wave}{more} missing")));
        }
    }
    Ok(shards)
}
