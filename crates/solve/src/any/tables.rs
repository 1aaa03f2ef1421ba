//! Tables of a game, behind a text interface.

use std::path::Path;

use foregone_check::{Alone, Coverage, Effort, Sharing, Verdict};
use foregone_record::write::Target;
use foregone_record::{Error, Table, Values};
use foregone_rules::{Game, Invalid, Side, Worth};

use super::named::Shared;
use crate::control::Control;
use crate::prove::Tape;
use crate::subject::makes;
use crate::tables::kernel::Blueprint;
use crate::tables::{Failed, Needs, Plan, Tables, tape};
use crate::twin::{Order, Twin};

/// Tables of a game, behind a text interface.
pub trait AnyTables: Send + Sync {
    /// The default content of a table of this game: the most informative that is possible.
    fn usual(&self) -> Values;

    /// Resources for building a table, with a limit of `memory` bytes.
    ///
    /// # Errors
    /// If such a table is impossible, or its size overflows.
    fn needs(&self, plan: &Plan, memory: u64) -> Result<Needs, Failed>;

    /// Builds a table, or resumes an unfinished one. Calls `on_layer` after every layer, with its
    /// number and the number of bytes written so far.
    ///
    /// A game from text is compared with its text first.
    ///
    /// # Errors
    /// If it was stopped or cannot be written; finished layers are kept. Or if a game from text is not
    /// played as its text says.
    fn build(
        &self,
        target: &Path,
        plan: &Plan,
        control: &Control,
        on_layer: &mut dyn FnMut(u32, u64),
    ) -> Result<(), Failed> {
        self.build_on(&target.into(), plan, control, on_layer)
    }

    /// As [`build`](AnyTables::build), on a disk that may have a mirror.
    ///
    /// # Errors
    /// As for [`build`](AnyTables::build).
    fn build_on(
        &self,
        target: &Target,
        plan: &Plan,
        control: &Control,
        on_layer: &mut dyn FnMut(u32, u64),
    ) -> Result<(), Failed>;

    /// Builds one layer of a table, if the layers that its moves lead to are finished, and does not put the
    /// table together.
    ///
    /// # Errors
    /// As for [`build`](AnyTables::build), or if a layer below is not finished.
    fn build_layer(
        &self,
        target: &Target,
        plan: &Plan,
        layer: u32,
        control: &Control,
    ) -> Result<(), Failed>;

    /// What several processes need to build a table together. A game from text is compared with its text
    /// first.
    ///
    /// # Errors
    /// If such a table is impossible, or a game from text is not played as its text says.
    fn blueprint(&self, plan: &Plan) -> Result<Blueprint<'_>, Failed>;

    /// Checks that a table belongs to exactly this game, by its name and its fingerprint.
    ///
    /// # Errors
    /// If it belongs to another game or other rules.
    fn is_of(&self, table: &Table) -> Result<(), Error>;

    /// Derives every entry of a table again. `on_progress` gets the number of checked entries; it
    /// returns `false` to stop.
    ///
    /// # Errors
    /// If the table is damaged, or it was stopped.
    fn verify(
        &self,
        table: &Table,
        effort: Effort,
        on_progress: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<Verdict<String>, Error> {
        self.verify_shared(table, effort, &Alone, on_progress)
    }

    /// As [`verify`](AnyTables::verify), as one of several checkers of the same table. All get the same
    /// verdict.
    ///
    /// # Errors
    /// Also if another checker has failed.
    fn verify_shared(
        &self,
        table: &Table,
        effort: Effort,
        sharing: &dyn Sharing,
        on_progress: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<Verdict<String>, Error>;

    /// All worths of a table as a [`Tape`], in the order of the game's twin if there is one; `None` if the table has no distances, or covers a part of the game alone.
    ///
    /// # Errors
    /// If it is damaged, or of another game, or a limit is reached.
    fn tape(
        &self,
        table: &Table,
        twin: Option<&mut Twin>,
        control: &Control,
    ) -> Result<Option<Tape>, Failed>;

    /// Whether values are beyond what a position has banked, such as the stones in stores.
    fn banks(&self) -> bool;

    /// The part of the game that a table covers.
    fn coverage(&self, table: &Table) -> Coverage;

    /// The position with number `index` in a layer of a table, as text; `None` if there is none.
    ///
    /// # Errors
    /// If the table stores positions and is damaged.
    fn position(&self, table: &Table, layer: u32, index: u64) -> Result<Option<String>, Error>;

    /// Whether the game's notation accepts the text of an entry. A table has an entry for every number, and some numbers
    /// stand for boards that no play reaches, such as two rows of three in tic-tac-toe.
    fn accepts(&self, position: &str) -> bool;

    /// The side to move in it.
    ///
    /// # Errors
    /// As for [`position`](AnyTables::position).
    fn turn(&self, table: &Table, layer: u32, index: u64) -> Result<Option<Side>, Error>;

    /// The side to move in it; what stands on its board is appended as numbers, see
    /// [`Picture::contents`](foregone_rules::promise::Picture::contents).
    ///
    /// # Errors
    /// As for [`position`](AnyTables::position).
    fn contents(
        &self,
        table: &Table,
        layer: u32,
        index: u64,
        out: &mut Vec<i16>,
    ) -> Result<Option<Side>, Error>;

    /// The worths of many positions, in the game's notation; `None` for one that the table does not cover. Each block
    /// of the table is read once.
    ///
    /// # Errors
    /// If a text is not a position, or the table is damaged.
    fn probe_all(&self, table: &Table, positions: &[&str]) -> Result<Vec<Option<Worth>>, Unprobed>;
}

/// Why positions were not looked up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unprobed {
    /// A text is not a position.
    #[error("position {at}: {why}")]
    Position {
        /// Its place in the list, from 0.
        at: usize,
        /// What was expected.
        why: Invalid,
    },
    /// The table cannot be read.
    #[error(transparent)]
    File(#[from] Error),
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

    fn build_on(
        &self,
        target: &Target,
        plan: &Plan,
        control: &Control,
        on_layer: &mut dyn FnMut(u32, u64),
    ) -> Result<(), Failed> {
        makes()?;
        self.0.filed.is_as_written()?;
        let control = &self.0.filed.guarded(control);
        self.engine().build(self.0.subject(), target, plan, control, on_layer)?;
        Ok(self.0.filed.well_played()?)
    }

    fn build_layer(
        &self,
        target: &Target,
        plan: &Plan,
        layer: u32,
        control: &Control,
    ) -> Result<(), Failed> {
        makes()?;
        self.0.filed.is_as_written()?;
        self.engine().build_layer(self.0.subject(), target, plan, layer, control)
    }

    fn blueprint(&self, plan: &Plan) -> Result<Blueprint<'_>, Failed> {
        makes()?;
        self.0.filed.is_as_written()?;
        self.engine().blueprint(self.0.subject(), plan)
    }

    fn is_of(&self, table: &Table) -> Result<(), Error> {
        self.engine().is_of(self.0.subject(), table)
    }

    fn verify_shared(
        &self,
        table: &Table,
        effort: Effort,
        sharing: &dyn Sharing,
        on_progress: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<Verdict<String>, Error> {
        makes()?;
        // The checker would check a file of another game by that game.
        self.is_of(table)?;
        let (checks, subject) = (&self.0.declared.checks, self.0.subject());
        checks.table(subject, table, effort, sharing, on_progress)
    }

    fn tape(
        &self,
        table: &Table,
        twin: Option<&mut Twin>,
        control: &Control,
    ) -> Result<Option<Tape>, Failed> {
        makes()?;
        self.is_of(table)?;
        let order = Order { game: &self.0.declared.game, twin };
        tape(order, self.engine(), table, control)
    }

    fn banks(&self) -> bool {
        self.engine().banks()
    }

    fn coverage(&self, table: &Table) -> Coverage {
        self.engine().coverage(&self.0.declared.game, table)
    }

    fn position(&self, table: &Table, layer: u32, index: u64) -> Result<Option<String>, Error> {
        let state = self.engine().state(&self.0.declared.game, table, layer, index)?;
        Ok(state.map(|state| self.0.position(&state)))
    }

    fn accepts(&self, position: &str) -> bool {
        self.0.parse(position).is_ok_and(|state| self.0.position(&state) == position)
    }

    fn turn(&self, table: &Table, layer: u32, index: u64) -> Result<Option<Side>, Error> {
        makes()?;
        let game = &self.0.declared.game;
        let state = self.engine().state(game, table, layer, index)?;
        Ok(state.map(|state| game.turn(&state)))
    }

    fn contents(
        &self,
        table: &Table,
        layer: u32,
        index: u64,
        out: &mut Vec<i16>,
    ) -> Result<Option<Side>, Error> {
        makes()?;
        let game = &self.0.declared.game;
        let state = self.engine().state(game, table, layer, index)?;
        Ok(state.map(|state| {
            self.0.contents(&state, out);
            game.turn(&state)
        }))
    }

    fn probe_all(&self, table: &Table, positions: &[&str]) -> Result<Vec<Option<Worth>>, Unprobed> {
        makes()?;
        let (engine, game) = (self.engine(), &self.0.declared.game);
        let (mut states, mut order) = (Vec::new(), Vec::new());
        for (at, text) in positions.iter().enumerate() {
            let state = self.0.parse(text).map_err(|why| Unprobed::Position { at, why })?;
            order.push((engine.order(game, &state), at));
            states.push(state);
        }
        order.sort_unstable();
        let mut worths = vec![None; positions.len()];
        for (_, at) in order {
            worths[at] = engine.probe(game, table, &states[at])?;
        }
        Ok(worths)
    }
}
