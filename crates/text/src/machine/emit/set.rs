//! Sets as instructions, and the tables that they look up.

use std::sync::Arc;

use super::{Emitted, Emitter, known, set_register};
use crate::board::{Cells, bit, cells};
use crate::machine::op::{Op, Register};
use crate::machine::program::Rows;
use crate::machine::shorten::{only_local, tabulated};
use crate::machine::word::Word;
use crate::typed::Set;

impl<S: Word> Emitter<'_, S> {
    /// A set in a register.
    pub(super) fn value(&mut self, set: &Set) -> Emitted<Register> {
        match set {
            Set::State(set) => Ok(set_register(*set)),
            Set::Local(local) => Ok(self.locals[*local]),
            set => {
                let to = self.register()?;
                self.value_to(set, to)?;
                Ok(to)
            }
        }
    }

    /// Puts a set into a register. Registers that are needed on the way are free again afterwards.
    pub(super) fn value_to(&mut self, set: &Set, to: Register) -> Emitted<()> {
        let before = self.next;
        match self.table_of(set) {
            Some((table, local)) => {
                let (of, table) = (self.locals[local], known(&mut self.program.tables, table)?);
                self.op(Op::LookUp { to, of, table })?;
            }
            None => self.make(set, to)?,
        }
        self.next = before;
        Ok(())
    }

    /// A set as a table, if it depends on one cell alone; and the name of this cell.
    pub(super) fn table_of(&self, set: &Set) -> Option<(Vec<S>, usize)> {
        if matches!(set, Set::Cells(_) | Set::Local(_) | Set::State(_)) {
            return None;
        }
        let local = only_local(set).filter(|local| self.is_one_cell(&Set::Local(*local)))?;
        // Without its table a set is calculated each time.
        self.budget.take(set.cost() * self.rules.board.cells.len() as u64)?;
        let mut table = tabulated(set, local, self.rules.board.cells.len());
        let none = table.pop().unwrap_or(0);
        let mut table: Vec<S> = table.into_iter().map(S::from_cells).collect();
        table.resize(S::BITS as usize, S::ZERO);
        table.push(S::from_cells(none));
        Some((table, local))
    }

    /// Calculates a set: one arm for each kind.
    pub(super) fn make(&mut self, set: &Set, to: Register) -> Emitted<()> {
        match set {
            Set::Cells(cells) => {
                let constant = self.constant(S::from_cells(*cells))?;
                self.op(Op::Constant { to, constant })
            }
            Set::State(from) => self.op(Op::Copy { to, from: set_register(*from) }),
            Set::Local(local) => self.op(Op::Copy { to, from: self.locals[*local] }),
            Set::Union(parts) => {
                // What depends on the same cell alone is one table.
                let by_table = |part: &Set| self.table_of(part).map(|(_, local)| local);
                let first = parts.iter().find_map(by_table);
                let (tables, mut rest): (Vec<Set>, Vec<Set>) = parts
                    .iter()
                    .cloned()
                    .partition(|part| first.is_some() && by_table(part) == first);
                match tables.len() {
                    0 => {}
                    1 => rest.extend(tables),
                    _ => rest.push(Set::Union(tables)),
                }
                self.fold(&rest, to, |to, one, other| Op::Or { to, one, other })
            }
            Set::Both(parts) => self.fold(parts, to, |to, one, other| Op::And { to, one, other }),
            Set::Minus(one, other) => {
                if let (Set::Cells(cells), Set::Union(parts)) = (&**one, &**other)
                    && let [one, other] = &parts[..]
                {
                    let constant = self.constant(S::from_cells(*cells))?;
                    let (one, other) = (self.value(one)?, self.value(other)?);
                    return self.op(Op::Neither { to, one, other, constant });
                }
                if let Set::Cells(cells) = &**one {
                    let constant = self.constant(S::from_cells(*cells))?;
                    let of = self.value(other)?;
                    return self.op(Op::Outside { to, of, constant });
                }
                let (one, other) = (self.value(one)?, self.value(other)?);
                self.op(Op::Minus { to, one, other })
            }
            Set::Step { table, of } => self.step(table, of, to),
            Set::Rows { rows, within } => {
                let within = self.value(within)?;
                let rows = self.rows(rows)?;
                self.op(Op::Rows { to, within, rows })
            }
            Set::Flood { from, within, table } => {
                let (from, within) = (self.value(from)?, self.value(within)?);
                let table = self.table(table)?;
                self.op(Op::Flood { to, from, within, table })
            }
            Set::Ray { from, through, rays } => {
                let (from, through) = (self.value(from)?, self.value(through)?);
                let rays = self.rays(rays)?;
                self.op(Op::Ray { to, from, through, rays })
            }
            Set::Between { from, through, to: end, rays, max } => {
                let (from, through, end) =
                    (self.value(from)?, self.value(through)?, self.value(end)?);
                let rays = self.rays(rays)?;
                self.op(Op::Between { to, from, through, end, rays, max: *max as u8 })
            }
            Set::Beyond { from, through, to: end, rays, max } => {
                let (from, through, end) =
                    (self.value(from)?, self.value(through)?, self.value(end)?);
                let rays = self.rays(rays)?;
                self.op(Op::Beyond { to, from, through, end, rays, max: *max as u8 })
            }
            Set::Full { count, of } => match &**of {
                Set::Cells(cells) if self.rules.layout.counts[*count][0] == 0 => {
                    let constant = self.constant(S::from_cells(*cells))?;
                    self.op(Op::FullConstant { to, constant, count: *count as u8 })
                }
                of => {
                    let of = self.value(of)?;
                    self.op(Op::Full { to, of, count: *count as u8 })
                }
            },
        }
    }

    /// Joins the parts of a set by an instruction for two.
    pub(super) fn fold(
        &mut self,
        parts: &[Set],
        to: Register,
        op: fn(Register, Register, Register) -> Op,
    ) -> Emitted<()> {
        let (known, parts): (Vec<&Set>, Vec<&Set>) =
            parts.iter().partition(|part| matches!(part, Set::Cells(_)));
        let mut so_far: Option<Register> = None;
        for part in parts {
            let next = self.value(part)?;
            if let Some(before) = so_far {
                self.op(op(to, before, next))?;
                so_far = Some(to);
            } else {
                so_far = Some(next);
            }
        }
        match (so_far, known.first()) {
            (Some(one), Some(Set::Cells(cells))) => {
                let constant = self.constant(S::from_cells(*cells))?;
                match op(0, 0, 0) {
                    Op::And { .. } => self.op(Op::AndConstant { to, one, constant }),
                    _ => self.op(Op::OrConstant { to, one, constant }),
                }
            }
            (None, Some(set)) => self.make(set, to),
            (Some(from), None) if from != to => self.op(Op::Copy { to, from }),
            _ => Ok(()),
        }
    }

    /// The cells that a table gives: as a shift if it is one, as a look-up if there is one cell.
    pub(super) fn step(&mut self, table: &Arc<[Cells]>, of: &Set, to: Register) -> Emitted<()> {
        let is_one = self.is_one_cell(of);
        let of = self.value(of)?;
        let shift = shift_of(table);
        if let Some((by, from)) = shift {
            let constant = self.constant(S::from_cells(from))?;
            let op = match by {
                0.. => Op::Up { to, of, by: by as u8, constant },
                _ => Op::Down { to, of, by: -by as u8, constant },
            };
            return self.op(op);
        }
        let table = self.table(table)?;
        self.op(if is_one { Op::LookUp { to, of, table } } else { Op::Step { to, of, table } })
    }

    /// Whether a set has exactly one cell: a name that only choices, sowing and loops set, or a known one.
    pub(super) fn is_one_cell(&self, set: &Set) -> bool {
        let local = match set {
            Set::Local(local) => local,
            Set::Cells(cells) => return cells.count_ones() == 1,
            _ => return false,
        };
        if self.several.contains(local) {
            return false;
        }
        !self.may_hold_more[*local]
    }
}

/// The shift that a table is, if it is one: by how much, and for which cells.
pub(crate) fn shift_of(table: &[Cells]) -> Option<(i32, Cells)> {
    let mut by = None;
    let mut from = 0;
    for (cell, to) in table.iter().enumerate() {
        match to.count_ones() {
            0 => continue,
            1 => {}
            _ => return None,
        }
        let here = to.trailing_zeros() as i32 - cell as i32;
        if by.is_some_and(|by| by != here) {
            return None;
        }
        by = Some(here);
        from |= bit(cell);
    }
    by.map(|by| (by, from))
}

/// Rows as masks, and as runs of equal steps where that takes fewer.
pub(super) fn rows_of<S: Word>(masks: &[Cells]) -> Rows<S> {
    let length = masks.first().map_or(0, |mask| mask.count_ones());
    let mut runs: Vec<(Cells, u32)> = Vec::new();
    let mut even = true;
    for mask in masks {
        let all: Vec<usize> = cells(*mask).collect();
        let by = all[1] - all[0];
        even &= all.windows(2).all(|pair| pair[1] - pair[0] == by);
        match runs.iter_mut().find(|(_, each)| *each == by as u32) {
            Some((from, _)) => *from |= bit(all[0]),
            None => runs.push((bit(all[0]), by as u32)),
        }
    }
    let runs = if even && runs.len() * 2 <= masks.len() { runs } else { Vec::new() };
    Rows {
        masks: masks.iter().map(|mask| S::from_cells(*mask)).collect(),
        runs: runs.into_iter().map(|(from, by)| (S::from_cells(from), by)).collect(),
        length,
        through: (0..S::BITS as usize)
            .map(|cell| masks.iter().filter(|mask| *mask & bit(cell) != 0).count().min(255) as u8)
            .collect(),
    }
}
