//! Whose turn it is: few seats, shared fairly among visitors.
//!
//! Visitors take turns, not questions. The next is the waiting visitor with the fewest seats; among
//! equals, the one who has waited longest since the last turn. One visitor has at most a share of the
//! seats, so that another visitor need not wait for a hard question to end. If the queue is full, the
//! visitor with the most questions in it loses the last one to a visitor with fewer. The tabs of one
//! visitor, as those of a class, take turns in the same way. Only visitors who sit or wait are remembered.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use foregone::record::threads::lock;
use tokio::sync::oneshot;

use crate::web::visitor::{Tab, Visitor};

/// Seats, and a queue for them.
pub struct Queue {
    /// The number of seats, the most for one visitor, and the most waiting questions.
    seats: usize,
    share: usize,
    longest: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    closed: bool,
    /// The number of taken seats, and of waiting questions.
    taken: usize,
    waiting: usize,
    /// The number of the next ticket.
    next: u64,
    visitors: HashMap<Visitor, Share>,
    /// The visitors with a waiting question, the one longest without a turn first.
    round: VecDeque<Visitor>,
}

/// What one visitor has: seats, and tickets for questions that wait, oldest first.
#[derive(Default)]
struct Share {
    seats: usize,
    tickets: VecDeque<Asked>,
}

/// A question that waits.
struct Asked {
    number: u64,
    tab: Tab,
    sender: oneshot::Sender<Turn>,
}

impl Share {
    /// How many questions of a tab wait.
    fn of(&self, tab: Tab) -> usize {
        self.tickets.iter().filter(|asked| asked.tab == tab).count()
    }

    /// The tab with the most questions that wait, and how many.
    fn greediest(&self) -> Option<(Tab, usize)> {
        let each = self.tickets.iter().map(|asked| asked.tab);
        each.map(|tab| (tab, self.of(tab))).max_by_key(|(_, count)| *count)
    }

    /// Takes the next question. The others of its tab come after those of all other tabs.
    fn next(&mut self) -> Option<oneshot::Sender<Turn>> {
        let Asked { tab, sender, .. } = self.tickets.pop_front()?;
        self.tickets.make_contiguous().sort_by_key(|asked| asked.tab == tab);
        Some(sender)
    }
}

/// A seat, free again when this is dropped.
pub struct Turn {
    queue: Arc<Queue>,
    visitor: Visitor,
}

/// A place in the queue, given up when this is dropped.
struct Ticket<'l> {
    queue: &'l Queue,
    visitor: Visitor,
    number: u64,
}

impl Queue {
    /// A queue with `seats` seats, at most `share` of them for one visitor, where `longest` questions may
    /// wait.
    pub fn new(seats: usize, share: usize, longest: usize) -> Queue {
        Queue { seats, share, longest, state: Mutex::default() }
    }

    /// Waits for a seat; `None` if there is no room to wait, or the queue is closed. To stop
    /// waiting, drop the future.
    pub async fn turn(self: &Arc<Self>, tab: Tab) -> Option<Turn> {
        let (sender, turn) = oneshot::channel();
        let number = self.state().queue(tab, sender, self)?;
        let ticket = Ticket { queue: self, visitor: tab.visitor, number };
        self.call();
        let turn = turn.await.ok();
        drop(ticket);
        turn
    }

    /// How many questions wait or have a seat.
    pub fn count(&self) -> usize {
        let (taken, waiting) = self.load();
        taken + waiting
    }

    /// How many questions have a seat, and how many wait.
    pub fn load(&self) -> (usize, usize) {
        let state = self.state();
        (state.taken, state.waiting)
    }

    /// Refuses all waiting and all future questions.
    pub fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        state.waiting = 0;
        state.round.clear();
        state.visitors.retain(|_, share| {
            share.tickets.clear();
            share.seats > 0
        });
    }

    /// Gives the free seats to the next visitors.
    fn call(self: &Arc<Self>) {
        loop {
            let Some((visitor, sender)) = self.state().seat_next(self) else { return };
            // A visitor who has gone meanwhile leaves the seat to the next.
            let _ = sender.send(Turn { queue: self.clone(), visitor });
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

impl State {
    /// Adds a question to the queue, if there is room; returns the number of its ticket.
    fn queue(&mut self, tab: Tab, sender: oneshot::Sender<Turn>, queue: &Queue) -> Option<u64> {
        if self.closed {
            return None;
        }
        let visitor = tab.visitor;
        let (seats, mine) =
            self.visitors.get(&visitor).map_or((0, 0), |share| (share.seats, share.tickets.len()));
        let at_once = self.taken < queue.seats && mine == 0 && seats < queue.share;
        if !at_once && self.waiting >= queue.longest {
            self.make_room(tab)?;
        }
        let number = self.next;
        self.next += 1;
        self.waiting += 1;
        let asked = Asked { number, tab, sender };
        self.visitors.entry(visitor).or_default().tickets.push_back(asked);
        if mine == 0 {
            self.round.push_back(visitor);
        }
        Some(number)
    }

    /// Refuses the last question of the visitor with the most, if that visitor then still has more than the one who
    /// asks; else, in the same way, one of the visitor's own tabs.
    fn make_room(&mut self, tab: Tab) -> Option<()> {
        let max = |visitor: &&Visitor| self.visitors[*visitor].tickets.len();
        let greedy = *self.round.iter().max_by_key(max)?;
        let own = self.visitors.get(&tab.visitor);
        let mine = own.map_or((0, 0), |own| (own.tickets.len(), own.of(tab)));
        let visitor = match self.visitors[&greedy].tickets.len() > mine.0 + 1 {
            true => greedy,
            false => tab.visitor,
        };
        let share = self.visitors.get(&visitor)?;
        let (greediest, count) = share.greediest()?;
        if visitor == tab.visitor && count <= mine.1 + 1 {
            return None;
        }
        let last = share.tickets.iter().rfind(|asked| asked.tab == greediest)?.number;
        self.leave(visitor, last);
        Some(())
    }

    /// Takes a ticket out of the queue, if it is still there.
    fn leave(&mut self, visitor: Visitor, number: u64) {
        let Some(share) = self.visitors.get_mut(&visitor) else { return };
        let Some(at) = share.tickets.iter().position(|asked| asked.number == number) else {
            return;
        };
        share.tickets.remove(at);
        self.waiting -= 1;
        if share.tickets.is_empty() {
            self.round.retain(|waiting| *waiting != visitor);
        }
        self.forget(visitor);
    }

    /// Seats the next question; returns its visitor and the sender of its answer.
    fn seat_next(&mut self, queue: &Queue) -> Option<(Visitor, oneshot::Sender<Turn>)> {
        if self.taken >= queue.seats {
            return None;
        }
        let seats = |visitor: &Visitor| self.visitors[visitor].seats;
        let may = self.round.iter().enumerate().filter(|(_, visitor)| seats(visitor) < queue.share);
        let (at, visitor) = may.min_by_key(|(_, visitor)| seats(visitor))?;
        let visitor = *visitor;
        self.round.remove(at);
        let share = self.visitors.get_mut(&visitor)?;
        let sender = share.next()?;
        share.seats += 1;
        self.taken += 1;
        self.waiting -= 1;
        if !share.tickets.is_empty() {
            self.round.push_back(visitor);
        }
        Some((visitor, sender))
    }

    /// Frees a seat of a visitor, who is then next after all who wait now.
    fn rise(&mut self, visitor: Visitor) {
        self.taken -= 1;
        if let Some(share) = self.visitors.get_mut(&visitor) {
            share.seats -= 1;
        }
        if let Some(at) = self.round.iter().position(|waiting| *waiting == visitor) {
            self.round.remove(at);
            self.round.push_back(visitor);
        }
        self.forget(visitor);
    }

    /// Forgets a visitor without seats and tickets.
    fn forget(&mut self, visitor: Visitor) {
        let gone = |share: &Share| share.seats == 0 && share.tickets.is_empty();
        if self.visitors.get(&visitor).is_some_and(gone) {
            self.visitors.remove(&visitor);
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.queue.state().rise(self.visitor);
        self.queue.call();
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        self.queue.state().leave(self.visitor, self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::visitor::TAB;
    use axum::http::{HeaderMap, HeaderValue};
    use std::task::{Context, Poll, Waker};
    use tokio::task::JoinHandle;

    /// A tab without a name, or a named one of the class at the address 9.
    fn tab(number: u8) -> Tab {
        let (visitor, named) = (number.min(9), number.saturating_sub(9));
        let name = HeaderMap::from_iter([(TAB, HeaderValue::from(u64::from(named)))]);
        Tab::of(Visitor::at([192, 0, 2, visitor].into()), &name)
    }

    /// Questions that wait in a queue, in the order in which they came.
    struct Waiting {
        queue: Arc<Queue>,
        asked: Vec<(&'static str, JoinHandle<Option<Turn>>)>,
    }

    impl Waiting {
        fn new(seats: usize, longest: usize) -> Waiting {
            let share = (seats - 1).max(1);
            Waiting { queue: Arc::new(Queue::new(seats, share, longest)), asked: Vec::new() }
        }

        async fn ask(&mut self, number: u8, name: &'static str) {
            let queue = self.queue.clone();
            let asked = tokio::spawn(async move { queue.turn(tab(number)).await });
            self.asked.push((name, asked));
            settle().await;
        }

        /// The visitors with an answer by now: who has a seat, and who was sent away.
        async fn heard(&mut self) -> Vec<(&'static str, Option<Turn>)> {
            settle().await;
            let mut heard = Vec::new();
            let mut rest = Vec::new();
            for (name, mut asked) in self.asked.drain(..) {
                let mut cx = Context::from_waker(Waker::noop());
                match std::pin::Pin::new(&mut asked).poll(&mut cx) {
                    Poll::Ready(turn) => heard.push((name, turn.unwrap())),
                    Poll::Pending => rest.push((name, asked)),
                }
            }
            self.asked = rest;
            heard
        }

        /// The names of those who get a seat, one after the other.
        async fn order(&mut self) -> Vec<&'static str> {
            let mut order = Vec::new();
            while !self.asked.is_empty() {
                let heard = self.heard().await;
                assert!(!heard.is_empty(), "no visitor is next");
                order.extend(heard.iter().filter(|(_, turn)| turn.is_some()).map(|(name, _)| name));
            }
            order
        }
    }

    /// Lets all tasks go on that can.
    async fn settle() {
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    }

    fn names(heard: &[(&'static str, Option<Turn>)]) -> Vec<(&'static str, bool)> {
        heard.iter().map(|(name, turn)| (*name, turn.is_some())).collect()
    }

    #[tokio::test]
    async fn visitors_take_turns() {
        let mut queue = Waiting::new(1, 64);
        queue.ask(1, "a0").await;
        let seated = queue.heard().await;
        assert_eq!(names(&seated), [("a0", true)]);
        for name in ["a1", "a2", "a3", "a4"] {
            queue.ask(1, name).await;
        }
        for name in ["b1", "b2"] {
            queue.ask(2, name).await;
        }
        queue.ask(3, "c1").await;
        assert!(queue.heard().await.is_empty());
        assert_eq!(queue.queue.count(), 8);
        drop(seated);
        assert_eq!(queue.order().await, ["b1", "c1", "a1", "b2", "a2", "a3", "a4"]);
        assert_eq!(queue.queue.count(), 0);
        assert!(queue.queue.state().visitors.is_empty(), "no visitor is remembered");
    }

    #[tokio::test]
    async fn one_seat_is_left_for_others() {
        let mut queue = Waiting::new(3, 64);
        for name in ["a1", "a2", "a3", "a4"] {
            queue.ask(1, name).await;
        }
        let mut seated = queue.heard().await;
        assert_eq!(names(&seated), [("a1", true), ("a2", true)]);
        queue.ask(2, "b1").await;
        queue.ask(2, "b2").await;
        let other = queue.heard().await;
        assert_eq!(names(&other), [("b1", true)]);
        // A free seat goes to the visitor who has fewer.
        seated.pop();
        let next = queue.heard().await;
        assert_eq!(names(&next).len(), 1);
        drop((seated, other, next));
        queue.order().await;
        assert!(queue.queue.state().visitors.is_empty() && queue.queue.state().taken == 0);
    }

    #[tokio::test]
    async fn a_full_queue_has_room_for_the_visitor_with_less_in_it() {
        let mut queue = Waiting::new(1, 4);
        for name in ["a0", "a1", "a2", "a3", "a4"] {
            queue.ask(1, name).await;
        }
        let seated = queue.heard().await;
        assert_eq!(names(&seated), [("a0", true)]);
        queue.ask(1, "a5").await;
        assert_eq!(names(&queue.heard().await), [("a5", false)], "its own queue is full");
        queue.ask(2, "b1").await;
        assert_eq!(names(&queue.heard().await), [("a4", false)]);
        queue.ask(3, "c1").await;
        assert_eq!(names(&queue.heard().await), [("a3", false)]);
        // With two, one and one, none has so much more that it would have to give way.
        queue.ask(2, "b2").await;
        assert_eq!(names(&queue.heard().await), [("b2", false)]);
        queue.ask(4, "d1").await;
        assert_eq!(names(&queue.heard().await), [("a2", false)]);
        queue.ask(5, "e1").await;
        assert_eq!(names(&queue.heard().await), [("e1", false)]);
        drop(seated);
        assert_eq!(queue.order().await, ["b1", "c1", "d1", "a1"]);
    }

    #[tokio::test]
    async fn pupils_behind_one_address_take_turns() {
        let mut queue = Waiting::new(1, 6);
        queue.ask(10, "a0").await;
        let seated = queue.heard().await;
        for (number, name) in
            [(10, "a1"), (10, "a2"), (10, "a3"), (11, "b1"), (11, "b2"), (12, "c1")]
        {
            queue.ask(number, name).await;
        }
        assert!(queue.heard().await.is_empty());
        // The queue is full: who has most in it makes room for those who have less.
        for (number, name, refused) in
            [(13, "d1", "a3"), (13, "d2", "d2"), (1, "e1", "b2"), (14, "f1", "a2")]
        {
            queue.ask(number, name).await;
            assert_eq!(names(&queue.heard().await), [(refused, false)]);
        }
        drop(seated);
        assert_eq!(queue.order().await, ["e1", "a1", "b1", "c1", "d1", "f1"]);
        for (number, name) in [(10, "a0"), (10, "a1"), (10, "a2"), (11, "b1"), (11, "b2")] {
            queue.ask(number, name).await;
        }
        assert_eq!(queue.order().await, ["a0", "a1", "b1", "a2", "b2"]);
    }

    #[tokio::test]
    async fn a_visitor_who_goes_leaves_nothing() {
        let mut queue = Waiting::new(1, 64);
        queue.ask(1, "a0").await;
        let seated = queue.heard().await;
        for (number, name) in [(1, "a1"), (2, "b1"), (2, "b2"), (3, "c1")] {
            queue.ask(number, name).await;
        }
        queue.asked.retain(|(name, asked)| {
            let goes = ["a1", "b1", "c1"].contains(name);
            if goes {
                asked.abort();
            }
            !goes
        });
        settle().await;
        assert_eq!(queue.queue.count(), 2);
        drop(seated);
        assert_eq!(queue.order().await, ["b2"]);
        assert!(queue.queue.state().visitors.is_empty() && queue.queue.state().round.is_empty());
    }

    #[tokio::test]
    async fn a_closed_queue_refuses_everybody() {
        let mut queue = Waiting::new(1, 64);
        for (number, name) in [(1, "a0"), (1, "a1"), (2, "b1")] {
            queue.ask(number, name).await;
        }
        let seated = queue.heard().await;
        queue.queue.close();
        queue.ask(3, "c1").await;
        assert_eq!(names(&queue.heard().await), [("a1", false), ("b1", false), ("c1", false)]);
        drop(seated);
        assert_eq!(queue.queue.count(), 0);
        assert!(queue.queue.state().visitors.is_empty());
    }
}
