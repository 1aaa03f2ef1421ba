//! Blocks of tables as arrays of numpy.

use std::path::Path;

use foregone::any::AnyTables;
use foregone::record::{Error, Table as File};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::errors::{file, wrong};
use crate::graph::numpy;
use crate::table::plies;

/// Where blocks are read from.
pub struct Source<'a> {
    pub engine: &'a dyn AnyTables,
    pub table: &'a File,
    pub path: &'a Path,
}

impl Source<'_> {
    fn is_possible(&self, layer: u32, number: u64) -> Result<bool, Error> {
        let text = self.engine.position(self.table, layer, number)?;
        Ok(text.is_some_and(|text| self.engine.accepts(&text)))
    }

    /// One block of a layer: numbers, values, distances of its positions; and positions by `encode` (text or cells)
    /// with turns, or `None`.
    pub fn block<'p>(
        &self,
        py: Python<'p>,
        layer: u32,
        block: u64,
        encode: Option<&str>,
        possible: bool,
    ) -> PyResult<Bound<'p, PyTuple>> {
        numpy(py)?;
        let parts = &self.table.manifest().layers;
        let part = parts.get(layer as usize).filter(|part| block < part.blocks());
        let part = part.ok_or_else(|| PyIndexError::new_err("there is no such block"))?;
        let first = block * part.cells();
        let read = py.detach(|| {
            let cells = self.table.block(layer, block)?;
            let worths: Vec<_> = self
                .table
                .worths(layer)
                .iter()
                .map(|worth| (worth.value().0, plies(self.table, *worth)))
                .collect();
            let used = cells.iter().filter(|cell| **cell != 0).count();
            let mut columns =
                (Vec::with_capacity(used), Vec::with_capacity(used), Vec::with_capacity(used));
            for (at, cell) in cells.iter().enumerate().filter(|(_, cell)| **cell != 0) {
                let (value, plies) = worths[usize::from(*cell) - 1];
                let number = first + at as u64;
                if possible && !self.is_possible(layer, number)? {
                    continue;
                }
                columns.0.push(number as i64);
                columns.1.push(value);
                columns.2.push(plies);
            }
            Ok(columns)
        });
        let (numbers, values, distances) = read.map_err(|error| file(py, self.path, error))?;
        let (positions, turns) = match encode {
            None => (py.None().into_bound(py), py.None().into_bound(py)),
            Some("text") => self.texts(py, layer, &numbers)?,
            Some("cells") => self.cells(py, layer, &numbers)?,
            Some(other) => {
                return Err(wrong(
                    py,
                    format!("found `{other}`, expected an encoding: text, cells or None"),
                ));
            }
        };
        let arrays = [
            PyArray1::from_vec(py, numbers).into_any(),
            PyArray1::from_vec(py, values).into_any(),
            PyArray1::from_vec(py, distances).into_any(),
        ];
        let [numbers, values, distances] = arrays;
        PyTuple::new(py, [numbers, values, distances, positions, turns])
    }

    fn none(&self, layer: u32, number: i64) -> PyErr {
        PyIndexError::new_err(format!("number {number} of layer {layer} is no position"))
    }

    fn texts<'p>(
        &self,
        py: Python<'p>,
        layer: u32,
        numbers: &[i64],
    ) -> PyResult<(Bound<'p, PyAny>, Bound<'p, PyAny>)> {
        let mut texts = Vec::with_capacity(numbers.len());
        let mut turns = Vec::with_capacity(numbers.len());
        for &number in numbers {
            let at = number as u64;
            let text = self
                .engine
                .position(self.table, layer, at)
                .map_err(|error| file(py, self.path, error))?;
            let turn = self
                .engine
                .turn(self.table, layer, at)
                .map_err(|error| file(py, self.path, error))?;
            let (text, turn) = text.zip(turn).ok_or_else(|| self.none(layer, number))?;
            texts.push(text);
            turns.push(turn.index() as i8);
        }
        Ok((PyList::new(py, texts)?.into_any(), PyArray1::from_vec(py, turns).into_any()))
    }

    /// What stands on the board as numbers: see `Position.cells`.
    fn cells<'p>(
        &self,
        py: Python<'p>,
        layer: u32,
        numbers: &[i64],
    ) -> PyResult<(Bound<'p, PyAny>, Bound<'p, PyAny>)> {
        let Source { engine, table, .. } = *self;
        let (all, turns) = py
            .detach(|| {
                let mut all = Vec::new();
                let mut turns = Vec::with_capacity(numbers.len());
                for &number in numbers {
                    let turn = engine.contents(table, layer, number as u64, &mut all)?;
                    if turns.is_empty() {
                        all.reserve(all.len() * numbers.len());
                    }
                    turns.push(turn.map(|turn| turn.index() as i8));
                }
                Ok((all, turns))
            })
            .map_err(|error| file(py, self.path, error))?;
        if let Some(at) = turns.iter().position(Option::is_none) {
            return Err(self.none(layer, numbers[at]));
        }
        let turns: Vec<i8> = turns.into_iter().flatten().collect();
        let width = all.len() / numbers.len().max(1);
        if width == 0 && !numbers.is_empty() {
            return Err(wrong(py, "the board of this game has no numbers: use encode=\"text\""));
        }
        let cells: Bound<'_, PyArray2<i16>> =
            PyArray1::from_vec(py, all).reshape([numbers.len(), width])?;
        Ok((cells.into_any(), PyArray1::from_vec(py, turns).into_any()))
    }
}
