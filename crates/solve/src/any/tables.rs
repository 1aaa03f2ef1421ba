//! Tables of a game, behind text.

use std::path::Path;

use foregone_check::{Coverage, Effort, Verdict};
use foregone_record::{Error, Table, Values};
use foregone_rules::Game;

use super::named::Shared;
use crate::control::Control;
use crate::tables::{Failed, Needs, Plan, Tables};

/// Tables of a game, behind text.
pub trait AnyTables: Send + Sync {
    /// What a table of this game keeps if nothing is said: as much as can be kept.
    fn usual(&self) -> Values;

    /// What building a table will take, where so much memory is allowed.
    ///
    /// # Errors
    /// If that is more than can be counted.
    fn needs(&self, plan: &Plan, memory: u64) -> Result<Needs, Failed>;

    /// Builds a table, or goes on with one that was begun; `on_layer` is
    /// called after every layer, with its number and how many bytes there are.
    ///
    /// # Errors
    /// If it was stopped or cannot be written; what was finished is kept.
    fn build(
        &self,
        target: &Path,
        plan: &Plan,
        control: &Control,
        on_layer: &mut dyn FnMut(u32, u64),
    ) -> Result<(), Failed>;

    /// Checks that a table is one of this very game, by its name and its fingerprint.
    ///
    /// # Errors
    /// If it is of another game or other rules.
    fn is_of(&self, table: &Table) -> Result<(), Error>;

    /// Derives every entry of a table again; `on_progress` is called
    /// with how many are done, and says whether to go on.
    ///
    /// # Errors
    /// If the table is damaged, or it was stopped.
    fn verify(
        &self,
        table: &Table,
        effort: Effort,
        on_progress: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<Verdict<String>, Error>;

    /// What a table covers of the game.
    fn coverage(&self, table: &Table) -> Coverage;

    /// The position of a number in a layer of a table, as text; `None` if there is none.
    ///
    /// # Errors
    /// If that stands in the table, and it is damaged.
    fn position(&self, table: &Table, layer: u32, index: u64) -> Result<Option<String>, Error>;
}

impl<G: Game> Shared<G> {
    fn engine(&self) -> &dyn Tables<G> {
        self.0.declared.tables.as_deref().expect("a game without tables has no `AnyTables`")
    }
}

impl<G: Game> AnyTables for Shared<G> {
    fn usual(&self) -> Values {
        match self.engine().banks() {
            false => Values::ScoreDistance,
            true if self.0.declared.cannot_loop() => Values::Score,
            true => Values::ScoreRank,
        }
    }

    fn needs(&self, plan: &Plan, memory: u64) -> Result<Needs, Failed> {
        self.engine().needs(self.0.subject(), plan, memory)
    }

    fn build(
        &self,
        target: &Path,
        plan: &Plan,
        control: &Control,
        on_layer: &mut dyn FnMut(u32, u64),
    ) -> Result<(), Failed> {
        self.engine().build(self.0.subject(), &target.into(), plan, control, on_layer)
    }

    fn is_of(&self, table: &Table) -> Result<(), Error> {
        self.engine().is_of(self.0.subject(), table)
    }

    fn verify(
        &self,
        table: &Table,
        effort: Effort,
        on_progress: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<Verdict<String>, Error> {
        let verdict = self.engine().verify(self.0.subject(), table, effort, on_progress)?;
        Ok(verdict.named(|state| self.0.position(state)))
    }

    fn coverage(&self, table: &Table) -> Coverage {
        self.engine().coverage(&self.0.declared.game, table)
    }

    fn position(&self, table: &Table, layer: u32, index: u64) -> Result<Option<String>, Error> {
        let state = self.engine().state(&self.0.declared.game, table, layer, index)?;
        Ok(state.map(|state| self.0.position(&state)))
    }
}
