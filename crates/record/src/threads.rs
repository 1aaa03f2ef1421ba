//! Work on several threads. The code that starts them exists once in a program, whatever they do.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, scope};

/// Locks, also after a panic of another thread: data that is shared here is consistent at every moment.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The content, once no other thread holds the lock.
pub fn inside<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `work` with each number below `count` on a thread of its own, whose stack has `stack` bytes (the usual size if
/// `None`), while the caller does `here`. Returns how many threads the system has started, the lowest numbers first.
///
/// # Panics
/// If one of the calls panics, when all have ended.
pub fn beside(
    count: usize,
    stack: Option<usize>,
    work: &(dyn Fn(usize) + Sync),
    here: &mut dyn FnMut(),
) -> usize {
    scope(|scope| {
        let start = |nth| {
            let thread = stack.into_iter().fold(Builder::new(), Builder::stack_size);
            thread.spawn_scoped(scope, move || work(nth)).ok()
        };
        let started: Vec<_> = (0..count).map_while(start).collect();
        here();
        let count = started.len();
        for thread in started {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
        count
    })
}

/// Calls `work` on some threads at once, one of which is the caller's. They share what is to be done: if the system
/// cannot start all of them, fewer do it.
///
/// # Panics
/// If one of the calls panics, when all have ended.
pub fn together(threads: usize, work: &(dyn Fn() + Sync)) {
    beside(threads.saturating_sub(1), None, &|_| work(), &mut || work());
}

/// What `work` returns for each number below `count`, in their order, found by some threads.
///
/// # Panics
/// If one of the calls panics, when all have ended.
pub fn each<T: Send>(threads: usize, count: usize, work: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::from_iter((0..count).map(|_| None)));
    together(threads.min(count), &|| {
        loop {
            let nth = next.fetch_add(1, Ordering::Relaxed);
            if nth >= count {
                return;
            }
            let result = work(nth);
            lock(&found)[nth] = Some(result);
        }
    });
    inside(found).into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order() {
        for threads in [0, 1, 2, 7] {
            for count in [0, 1, 5, 100] {
                let squares = each(threads, count, &|nth| nth * nth);
                assert_eq!(squares, Vec::from_iter((0..count).map(|nth| nth * nth)));
            }
        }
    }

    #[test]
    fn all_threads_work_beside_the_caller() {
        let (sum, mut here) = (AtomicUsize::new(0), 0);
        let add = |nth| _ = sum.fetch_add(nth + 1, Ordering::Relaxed);
        let started = beside(4, Some(1 << 20), &add, &mut || here += 1);
        assert_eq!((started, sum.into_inner(), here), (4, 10, 1));
    }

    #[test]
    #[should_panic(expected = "the third")]
    fn a_panic_is_not_lost() {
        each(2, 5, &|nth| assert!(nth != 3, "the third"));
    }
}
