//! What is known of a question while it is thought about.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use foregone::control::End;
use foregone::{Progress, Value};

use super::{Deadline, lock};

/// A game and a position.
type Key = (String, String);

/// How far a question has come.
#[derive(Clone, Debug)]
pub struct SoFar {
    pub begun: Instant,
    /// When it ends.
    pub end: Arc<End>,
    pub phase: &'static str,
    /// Positions of this phase.
    pub done: u64,
    /// The bounds of the value for the side to move; the first ones say nothing yet.
    pub bounds: Option<(Value, Value)>,
    first: Option<(Value, Value)>,
    /// The moves whose value is found, for the side that makes them.
    pub moves: Vec<(String, Value)>,
}

/// The questions that are thought about.
#[derive(Default)]
pub struct Thinking(Mutex<HashMap<Key, Arc<Mutex<SoFar>>>>);

/// A question that is thought about, until this is dropped.
pub struct Thought<'t> {
    all: &'t Thinking,
    key: Key,
    so_far: Arc<Mutex<SoFar>>,
}

impl Thinking {
    /// Begins to think about a position.
    pub fn begin(&self, key: Key, deadline: &Deadline) -> Thought<'_> {
        let so_far = Arc::new(Mutex::new(SoFar {
            begun: Instant::now(),
            end: deadline.end().clone(),
            phase: "",
            done: 0,
            bounds: None,
            first: None,
            moves: Vec::new(),
        }));
        lock(&self.0).insert(key.clone(), so_far.clone());
        Thought { all: self, key, so_far }
    }

    /// How far the question about a position has come; `None` if nobody thinks about it.
    pub fn so_far(&self, game: &str, position: &str) -> Option<SoFar> {
        let key = (game.to_owned(), position.to_owned());
        let so_far = lock(&self.0).get(&key)?.clone();
        let so_far = lock(&so_far).clone();
        Some(so_far)
    }

    /// How far any question has come.
    pub fn any(&self) -> Option<SoFar> {
        let so_far = lock(&self.0).values().next()?.clone();
        let so_far = lock(&so_far).clone();
        Some(so_far)
    }
}

impl Thought<'_> {
    /// A listener for progress.
    pub fn on_progress(&self) -> impl Fn(&Progress) + Send + Sync + use<> {
        let so_far = self.so_far.clone();
        move |progress| {
            let mut so_far = lock(&so_far);
            (so_far.phase, so_far.done) = (progress.phase, progress.done);
            // Bounds are those of the position only until its moves are searched.
            if let (Some(bounds), true) = (progress.bounds, so_far.moves.is_empty()) {
                let first = *so_far.first.get_or_insert(bounds);
                so_far.bounds = Some(bounds).filter(|bounds| *bounds != first);
            }
        }
    }

    /// A listener for the values of moves.
    pub fn on_move(&self) -> impl Fn(&str, Value) + Send + Sync + use<> {
        let so_far = self.so_far.clone();
        move |mv, value| {
            let mut so_far = lock(&so_far);
            so_far.moves.push((mv.to_owned(), value));
        }
    }
}

impl Drop for Thought<'_> {
    fn drop(&mut self) {
        let mut all = lock(&self.all.0);
        // Another visitor may think about the same.
        if all.get(&self.key).is_some_and(|so_far| Arc::ptr_eq(so_far, &self.so_far)) {
            all.remove(&self.key);
        }
    }
}
