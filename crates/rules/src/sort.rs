//! Sorting by numbers, so that lists of all types share the sort: for each type it would take kilobytes of the program.

/// Sorts by rank, lowest first; those of equal rank stay in order.
pub fn by_rank<T>(list: &mut [T], rank: &dyn Fn(&T) -> i64) {
    let mut order = Vec::with_capacity(list.len());
    for (at, each) in list.iter().enumerate() {
        order.push((rank(each), at));
    }
    sort(&mut order);
    for (at, &(_, from)) in order.iter().enumerate() {
        list.swap(at, from);
    }
}

/// Sorts ranks, and replaces each place by the one to exchange with, if places are filled one after the other.
fn sort(order: &mut [(i64, usize)]) {
    order.sort_unstable();
    for at in 0..order.len() {
        let mut from = order[at].1;
        // What was there has been exchanged since, maybe more than once.
        while from < at {
            from = order[from].1;
        }
        order[at].1 = from;
    }
}

#[cfg(test)]
mod tests {
    use crate::sample::Dice;

    #[test]
    fn ranks_order_a_list_and_equals_stay() {
        let mut dice = Dice::new(3);
        for length in 0..40 {
            let mut list: Vec<_> = (0..length).map(|at| (dice.below(7) as i64 - 3, at)).collect();
            let mut expected = list.clone();
            expected.sort_by_key(|(rank, _)| *rank);
            super::by_rank(&mut list, &|(rank, _)| *rank);
            assert_eq!(list, expected);
        }
    }
}
