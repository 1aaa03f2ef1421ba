//! Tables of a game, whatever their kind: building, looking up, checking.

use foregone_check::{Coverage, Effort, OnProgress, Verdict};
use foregone_record::read::state_of;
use foregone_record::write::Target;
use foregone_record::{Error, Table};
use foregone_rules::{Banded, Bank, Encode, Game, Indexed, Measure, NoBank, Worth};

use super::{Failed, How, Needs, Plan, build, build_listed, needs, needs_listed};
use crate::control::Control;
use crate::tables::leaves::Leaves;

/// Is told of every finished layer, with how many bytes there are.
pub(crate) type OnLayer<'a> = &'a mut dyn FnMut(u32, u64);

/// What has to do with tables of a game.
pub(crate) trait Tables<G: Game>: Send + Sync {
    /// Whether points are banked.
    fn banks(&self) -> bool;

    /// What building takes, if so much memory is allowed. `acyclic`: play cannot loop.
    fn needs(&self, game: &G, acyclic: bool, plan: &Plan, memory: u64) -> Result<Needs, Failed>;

    /// Builds a table; see [`build()`].
    #[expect(clippy::too_many_arguments, reason = "each is needed once")]
    fn build(
        &self,
        game: &G,
        name: &str,
        acyclic: bool,
        target: &Target,
        plan: &Plan,
        control: &Control,
        on_layer: OnLayer<'_>,
    ) -> Result<(), Failed>;

    /// Checks that a table is one of this very game.
    fn is_of(&self, game: &G, table: &Table, name: &str) -> Result<(), Error>;

    /// What a table says of a position.
    fn probe(&self, game: &G, table: &Table, state: &G::State) -> Result<Option<Worth>, Error>;

    /// What a table's lowest layers say of a position; see [`Leaves::worth`].
    fn leaf(&self, game: &G, leaves: Leaves<'_>, state: &G::State) -> Option<Worth>;

    /// The position of a number in a layer.
    fn state(
        &self,
        game: &G,
        table: &Table,
        layer: u32,
        index: u64,
    ) -> Result<Option<G::State>, Error>;

    /// Derives every entry again; see [`foregone_check`].
    fn verify(
        &self,
        game: &G,
        table: &Table,
        measure: Option<Measure<G>>,
        effort: Effort,
        on_progress: OnProgress<'_>,
    ) -> Result<Verdict<G::State>, Error>;

    /// What a table covers of the game.
    fn coverage(&self, game: &G, table: &Table) -> Coverage;
}

/// Tables of games that number their positions.
pub(crate) struct Dense<G: Indexed> {
    /// How they are built if play cannot loop; where it can, there is one way.
    how: fn(bool) -> How<G>,
}

impl<G: Indexed> Dense<G> {
    /// Built position by position.
    pub fn plain() -> Dense<G> {
        Dense { how: How::plain }
    }

    /// Built band by band.
    pub fn in_bands() -> Dense<G>
    where
        G: Banded,
    {
        Dense { how: How::banded }
    }
}

impl<G: Indexed> Tables<G> for Dense<G> {
    fn banks(&self) -> bool {
        G::Bank::BANKS
    }

    fn needs(&self, game: &G, acyclic: bool, plan: &Plan, _: u64) -> Result<Needs, Failed> {
        needs(game, &(self.how)(acyclic), plan)
    }

    fn build(
        &self,
        game: &G,
        name: &str,
        acyclic: bool,
        target: &Target,
        plan: &Plan,
        control: &Control,
        on_layer: OnLayer<'_>,
    ) -> Result<(), Failed> {
        build(game, name, &(self.how)(acyclic), target, plan, control, on_layer)
    }

    fn is_of(&self, game: &G, table: &Table, name: &str) -> Result<(), Error> {
        table.is_of(game, name)
    }

    fn probe(&self, game: &G, table: &Table, state: &G::State) -> Result<Option<Worth>, Error> {
        table.probe(game, state)
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

    fn verify(
        &self,
        game: &G,
        table: &Table,
        measure: Option<Measure<G>>,
        effort: Effort,
        on_progress: OnProgress<'_>,
    ) -> Result<Verdict<G::State>, Error> {
        foregone_check::dense::check(game, table, measure, effort, on_progress)
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

    fn needs(&self, _: &G, _: bool, plan: &Plan, memory: u64) -> Result<Needs, Failed> {
        needs_listed(plan, memory)
    }

    fn build(
        &self,
        game: &G,
        name: &str,
        acyclic: bool,
        target: &Target,
        plan: &Plan,
        control: &Control,
        on_layer: OnLayer<'_>,
    ) -> Result<(), Failed> {
        build_listed(game, name, acyclic, target, plan, control, on_layer)
    }

    fn is_of(&self, game: &G, table: &Table, name: &str) -> Result<(), Error> {
        table.is_keyed_of(game, name)
    }

    fn probe(&self, game: &G, table: &Table, state: &G::State) -> Result<Option<Worth>, Error> {
        table.find(game, state)
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

    fn verify(
        &self,
        game: &G,
        table: &Table,
        measure: Option<Measure<G>>,
        effort: Effort,
        on_progress: OnProgress<'_>,
    ) -> Result<Verdict<G::State>, Error> {
        foregone_check::keyed::check(game, table, measure, effort, on_progress)
    }

    fn coverage(&self, _: &G, _: &Table) -> Coverage {
        foregone_check::keyed::COVERAGE
    }
}
