//! Tables of a game, of any kind: building, probing, checking.

use foregone_check::Coverage;
use foregone_record::format::keys::key_of;
use foregone_record::read::state_of;
use foregone_record::write::Target;
use foregone_record::{Error, Table};
use foregone_rules::{Banded, Bank, Encode, Game, Indexed, NoBank, Worth};

use super::kernel::Blueprint;
use super::{
    Failed, Needs, Plan, Technique, blueprint, build, build_keyed, build_layer, needs, needs_keyed,
};
use crate::control::Control;
use crate::moves::finished;
use crate::subject::{Subject, makes};
use crate::tables::leaves::Leaves;

/// Called after every layer, with its number and the number of bytes written so far.
pub(crate) type OnLayer<'a> = &'a mut dyn FnMut(u32, u64);

/// Building, reading and checking tables of a game.
pub(crate) trait Tables<G: Game>: Send + Sync {
    /// Whether points are banked.
    fn banks(&self) -> bool;

    /// Resources for building, with a memory limit of `memory` bytes.
    fn needs(&self, subject: Subject<'_, G>, plan: &Plan, memory: u64) -> Result<Needs, Failed>;

    /// Builds a table; see [`build()`].
    fn build(
        &self,
        subject: Subject<'_, G>,
        target: &Target,
        plan: &Plan,
        control: &Control,
        on_layer: OnLayer<'_>,
    ) -> Result<(), Failed>;

    /// Builds one layer; see [`build_layer`].
    fn build_layer(
        &self,
        subject: Subject<'_, G>,
        target: &Target,
        plan: &Plan,
        layer: u32,
        control: &Control,
    ) -> Result<(), Failed>;

    /// What several processes need to build a table together.
    fn blueprint<'a>(&self, subject: Subject<'a, G>, plan: &Plan) -> Result<Blueprint<'a>, Failed>;

    /// Checks that a table belongs to exactly this game.
    fn is_of(&self, subject: Subject<'_, G>, table: &Table) -> Result<(), Error>;

    /// The worth of a position in a table; `None` if the table does not cover it.
    fn probe(&self, game: &G, table: &Table, state: &G::State) -> Result<Option<Worth>, Error>;

    /// Where a position is in a table: positions that are probed in this order are read block by block.
    fn order(&self, game: &G, state: &G::State) -> (u32, u128);

    /// The layer of a position.
    fn layer(&self, game: &G, state: &G::State) -> u32;

    /// The worth of a position in the lowest layers of a table; see [`Leaves::worth`].
    fn leaf(&self, game: &G, leaves: Leaves<'_>, state: &G::State) -> Option<Worth>;

    /// The position with a number in a layer.
    fn state(
        &self,
        game: &G,
        table: &Table,
        layer: u32,
        index: u64,
    ) -> Result<Option<G::State>, Error>;

    /// The part of the game that a table covers.
    fn coverage(&self, game: &G, table: &Table) -> Coverage;
}

/// Tables of games that number their positions.
pub(crate) struct Dense<G: Indexed> {
    /// The technique, given whether play is acyclic; if play can loop there is only one.
    technique: fn(bool) -> Technique<G>,
}

impl<G: Indexed> Dense<G> {
    /// Built position by position.
    pub fn plain() -> Dense<G> {
        Dense { technique: Technique::plain }
    }

    /// Built band by band.
    pub fn in_bands() -> Dense<G>
    where
        G: Banded,
    {
        Dense { technique: Technique::banded }
    }
}

impl<G: Indexed> Tables<G> for Dense<G> {
    fn banks(&self) -> bool {
        G::Bank::BANKS
    }

    fn needs(&self, subject: Subject<'_, G>, plan: &Plan, _: u64) -> Result<Needs, Failed> {
        makes()?;
        needs(subject.game, &(self.technique)(subject.is_acyclic()), plan)
    }

    fn build(
        &self,
        subject: Subject<'_, G>,
        target: &Target,
        plan: &Plan,
        control: &Control,
        on_layer: OnLayer<'_>,
    ) -> Result<(), Failed> {
        makes()?;
        let technique = (self.technique)(subject.is_acyclic());
        build(subject, &technique, target, plan, control, on_layer)
    }

    fn build_layer(
        &self,
        subject: Subject<'_, G>,
        target: &Target,
        plan: &Plan,
        layer: u32,
        control: &Control,
    ) -> Result<(), Failed> {
        makes()?;
        let technique = (self.technique)(subject.is_acyclic());
        build_layer(subject, &technique, target, plan, layer, control)
    }

    fn blueprint<'a>(&self, subject: Subject<'a, G>, plan: &Plan) -> Result<Blueprint<'a>, Failed> {
        makes()?;
        blueprint(subject, &(self.technique)(subject.is_acyclic()), plan)
    }

    fn is_of(&self, subject: Subject<'_, G>, table: &Table) -> Result<(), Error> {
        table.is_of(subject.game, subject.id)
    }

    fn probe(&self, game: &G, table: &Table, state: &G::State) -> Result<Option<Worth>, Error> {
        table.probe(game, state)
    }

    fn order(&self, game: &G, state: &G::State) -> (u32, u128) {
        let (layer, index) = game.index(state);
        (layer, index.into())
    }

    fn layer(&self, game: &G, state: &G::State) -> u32 {
        game.layer(state)
    }

    fn leaf(&self, game: &G, leaves: Leaves<'_>, state: &G::State) -> Option<Worth> {
        leaves.worth(game, state)
    }

    fn state(
        &self,
        game: &G,
        _: &Table,
        layer: u32,
        index: u64,
    ) -> Result<Option<G::State>, Error> {
        Ok(game.state(layer, index))
    }

    fn coverage(&self, game: &G, table: &Table) -> Coverage {
        foregone_check::dense::coverage(game, table)
    }
}

/// Tables that list positions by their keys.
pub(crate) struct Keyed;

impl<G: Encode<Bank = NoBank>> Tables<G> for Keyed {
    fn banks(&self) -> bool {
        false
    }

    fn needs(&self, subject: Subject<'_, G>, plan: &Plan, memory: u64) -> Result<Needs, Failed> {
        needs_keyed(subject, plan, memory)
    }

    fn build(
        &self,
        subject: Subject<'_, G>,
        target: &Target,
        plan: &Plan,
        control: &Control,
        on_layer: OnLayer<'_>,
    ) -> Result<(), Failed> {
        makes()?;
        build_keyed(subject, target, plan, control, on_layer)
    }

    fn build_layer(
        &self,
        _: Subject<'_, G>,
        _: &Target,
        _: &Plan,
        _: u32,
        _: &Control,
    ) -> Result<(), Failed> {
        Err(Failed::Layers)
    }

    fn blueprint<'a>(&self, _: Subject<'a, G>, _: &Plan) -> Result<Blueprint<'a>, Failed> {
        Err(Failed::Together)
    }

    fn is_of(&self, subject: Subject<'_, G>, table: &Table) -> Result<(), Error> {
        table.is_keyed_of(subject.game, subject.id)
    }

    fn probe(&self, game: &G, table: &Table, state: &G::State) -> Result<Option<Worth>, Error> {
        match finished(game, state).filter(|_| !table.listed().is_all()) {
            // The table leaves it out, since the rules say it.
            Some(worth) => Ok(Some(worth)),
            None => table.find(game, state),
        }
    }

    fn order(&self, game: &G, state: &G::State) -> (u32, u128) {
        (0, key_of(game, state))
    }

    /// There is only one layer.
    fn layer(&self, _: &G, _: &G::State) -> u32 {
        0
    }

    fn leaf(&self, _: &G, _: Leaves<'_>, _: &G::State) -> Option<Worth> {
        None
    }

    fn state(
        &self,
        game: &G,
        table: &Table,
        _: u32,
        index: u64,
    ) -> Result<Option<G::State>, Error> {
        let key = table.keys_from(index)?.first().copied();
        Ok(key.and_then(|key| state_of(game, key)))
    }

    fn coverage(&self, _: &G, table: &Table) -> Coverage {
        foregone_check::keyed::coverage(table.listed())
    }
}
