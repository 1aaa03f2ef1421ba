//! The open connections. Each visitor has at most a share of them; where there is no room for a new one, the visitor
//! with the most gives up the connection on which nothing has happened for the longest time. So connections that
//! send and never read, or only stay open, keep nobody out.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};
use std::time::Instant;

use foregone::record::threads::lock;
use tokio::sync::Notify;

use super::visitor::Visitor;
use super::wire::Work;

/// When something last happened on a connection, and the sign to close it.
#[derive(Clone, Debug, Default)]
pub struct Activity(Arc<Signs>);

#[derive(Debug, Default)]
struct Signs {
    /// In milliseconds since the server began.
    last: AtomicU64,
    close: Notify,
}

fn now() -> u64 {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGAN.elapsed().as_millis() as u64
}

impl Activity {
    /// Records that bytes have come or gone.
    pub fn beat(&self) {
        self.0.last.store(now(), Ordering::Relaxed);
    }

    /// Completes when the connection should close.
    pub async fn stops(&self) {
        self.0.close.notified().await;
    }
}

/// An open connection.
struct Open {
    number: u64,
    activity: Activity,
    work: Work,
}

/// All open connections.
#[derive(Clone, Default)]
pub struct Connections(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    visitors: HashMap<Visitor, Vec<Open>>,
    /// How many there are, of all visitors.
    total: usize,
    /// The number of the next connection.
    next: u64,
}

/// A connection among the open ones, until this is dropped.
pub struct Connection {
    connections: Connections,
    visitor: Visitor,
    number: u64,
    pub activity: Activity,
    pub work: Work,
}

impl Connections {
    /// Takes in a new connection, where a visitor may have `max` and all together `all`; another one may have to
    /// close for it.
    pub fn accept(&self, visitor: Visitor, max: usize, all: usize) -> Connection {
        let mut state = self.state();
        let mine = state.visitors.get(&visitor).map_or(0, Vec::len);
        if mine >= max {
            state.close_one(|other, _| other == visitor);
        } else if state.total >= all {
            let greediest = state.visitors.values().map(Vec::len).max().unwrap_or(0);
            state.close_one(|_, connections| connections == greediest);
        }
        let (activity, work) = (Activity::default(), Work::default());
        activity.beat();
        let number = state.next;
        state.next += 1;
        state.total += 1;
        let open = Open { number, activity: activity.clone(), work: work.clone() };
        state.visitors.entry(visitor).or_default().push(open);
        Connection { connections: self.clone(), visitor, number, activity, work }
    }

    /// How many connections are open.
    pub fn count(&self) -> usize {
        self.state().total
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.0)
    }
}

impl State {
    /// Closes the idlest connection among visitors matching `among`, which gets the number of their connections; one that
    /// waits for an answer only if all do.
    fn close_one(&mut self, among: impl Fn(Visitor, usize) -> bool) {
        let these = self.visitors.iter().filter(|(visitor, open)| among(**visitor, open.len()));
        let all = these.flat_map(|(visitor, open)| open.iter().map(|one| (*visitor, one)));
        let idle = |(_, open): &(Visitor, &Open)| {
            (open.work.is_going_on(), open.activity.0.last.load(Ordering::Relaxed))
        };
        let Some((visitor, idlest)) = all.min_by_key(idle) else { return };
        idlest.activity.0.close.notify_one();
        let number = idlest.number;
        self.forget(visitor, number);
    }

    fn forget(&mut self, visitor: Visitor, number: u64) {
        let Some(open) = self.visitors.get_mut(&visitor) else { return };
        let Some(at) = open.iter().position(|open| open.number == number) else { return };
        open.swap_remove(at);
        self.total -= 1;
        if open.is_empty() {
            self.visitors.remove(&visitor);
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.connections.state().forget(self.visitor, self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visitor(number: u8) -> Visitor {
        Visitor::at([192, 0, 2, number].into())
    }

    /// Whether a connection has the sign to close.
    fn is_told(connection: &Connection) -> bool {
        let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
        let stops = std::pin::pin!(connection.activity.stops());
        stops.poll(&mut cx).is_ready()
    }

    #[test]
    fn the_idlest_connection_makes_room() {
        let connections = Connections::default();
        let open: Vec<_> = (0..3).map(|_| connections.accept(visitor(1), 3, 9)).collect();
        open[0].activity.0.last.store(9, Ordering::Relaxed);
        open[1].activity.0.last.store(5, Ordering::Relaxed);
        open[2].activity.0.last.store(7, Ordering::Relaxed);
        let fourth = connections.accept(visitor(1), 3, 9);
        assert_eq!([0, 1, 2].map(|at| is_told(&open[at])), [false, true, false]);
        assert_eq!(connections.count(), 3);
        fourth.activity.0.last.store(11, Ordering::Relaxed);
        // One with a question is not closed.
        let busy = open[2].work.begin();
        let fifth = connections.accept(visitor(1), 3, 9);
        assert_eq!([0, 2].map(|at| is_told(&open[at])), [true, false]);
        fifth.activity.0.last.store(12, Ordering::Relaxed);
        // Unless all have one.
        let others = [fourth.work.begin(), fifth.work.begin()];
        let sixth = connections.accept(visitor(1), 3, 9);
        assert_eq!([&open[2], &fourth, &fifth].map(is_told), [true, false, false]);
        drop((busy, others));
        drop((open, fourth, fifth, sixth));
        assert_eq!(connections.count(), 0);
        assert!(connections.state().visitors.is_empty(), "no visitor is remembered");
    }

    #[test]
    fn whoever_has_the_most_makes_room_for_others() {
        let connections = Connections::default();
        let many: Vec<_> = (0..3).map(|_| connections.accept(visitor(1), 4, 4)).collect();
        let one = connections.accept(visitor(2), 4, 4);
        let new = connections.accept(visitor(3), 4, 4);
        assert_eq!(many.iter().filter(|connection| is_told(connection)).count(), 1);
        assert!(!is_told(&one) && !is_told(&new));
    }

    #[test]
    fn among_visitors_with_as_many_the_idlest_makes_room() {
        let connections = Connections::default();
        let open: Vec<_> = (0..9).map(|number| connections.accept(visitor(number), 2, 9)).collect();
        for (at, connection) in open.iter().enumerate() {
            connection.activity.0.last.store((at as u64 + 4) % 9 + 1, Ordering::Relaxed);
        }
        let _busy = open[5].work.begin();
        let _new = connections.accept(visitor(99), 2, 9);
        let told: Vec<_> = (0..9).filter(|at| is_told(&open[*at])).collect();
        assert_eq!(told, [6], "number 5 is idler, but has a question");
    }
}
