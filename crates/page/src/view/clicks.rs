//! Which moves the clicked places make.
//!
//! The places of a move are clicked in any order, unless another move has the same places: then the order decides. An
//! amazon that goes to one square and shoots at another could also do it the other way round.

use std::collections::HashSet;

use foregone::any::MoveOption;

/// The moves that go on from these clicks: those that begin with them, and those that have all of them in another order
/// and not the same places as one of the first.
pub fn fitting<'o>(options: &[&'o MoveOption], clicks: &[usize]) -> Vec<&'o MoveOption> {
    let sorted = |clicks: &[usize]| {
        let mut clicks = clicks.to_vec();
        clicks.sort_unstable();
        clicks
    };
    let (mut found, others): (Vec<_>, Vec<_>) =
        options.iter().copied().partition(|option| option.clicks.starts_with(clicks));
    let known: HashSet<_> = found.iter().map(|option| sorted(&option.clicks)).collect();
    let clicks = sorted(clicks);
    found.extend(others.into_iter().filter(|option| {
        let places = sorted(&option.clicks);
        let mut left = places.iter();
        clicks.iter().all(|click| left.any(|place| place == click)) && !known.contains(&places)
    }));
    found
}

/// Whether clicks are all of a move's.
pub fn is_whole(option: &MoveOption, clicks: &[usize]) -> bool {
    option.clicks.len() == clicks.len()
}

/// The move that these clicks make. `None` if they make none, or another move goes on from them; nobody chooses a move
/// without a click, even if it is the only one.
pub fn chosen<'o>(options: &'o [MoveOption], clicks: &[usize]) -> Option<&'o MoveOption> {
    let options: Vec<_> = options.iter().collect();
    match fitting(&options, clicks)[..] {
        [option] if !clicks.is_empty() && is_whole(option, clicks) => Some(option),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(clicks: &[usize]) -> MoveOption {
        let mv = clicks.iter().map(ToString::to_string).collect::<Vec<_>>().join("-");
        MoveOption { mv, clicks: clicks.to_vec(), destination: None }
    }

    #[test]
    fn the_order_decides_only_between_moves_with_the_same_places() {
        let options = [&[0, 1, 2][..], &[0, 2, 1], &[0, 1, 0], &[3, 4], &[5], &[5, 6], &[]];
        let options = options.map(option);
        let mv = |clicks: &[usize]| chosen(&options, clicks).map(|option| &option.mv[..]);
        assert_eq!(mv(&[0, 1, 2]), Some("0-1-2"));
        assert_eq!(mv(&[0, 2, 1]), Some("0-2-1"));
        assert_eq!(mv(&[0, 1, 0]), Some("0-1-0"));
        assert_eq!(mv(&[4, 3]), Some("3-4"));
        assert_eq!(mv(&[6, 5]), Some("5-6"));
        for unfinished in [&[][..], &[0, 1], &[5], &[3], &[1, 2, 0], &[0, 0, 0], &[3, 4, 5], &[9]] {
            assert_eq!(mv(unfinished), None, "{unfinished:?}");
        }
        // Whatever a place is clicked for: 7 begins one move, and is in another.
        let options = [&[3, 7][..], &[7, 9], &[3, 9]].map(option);
        assert_eq!(fitting(&options.iter().collect::<Vec<_>>(), &[7]).len(), 2);
        assert!(chosen(&[option(&[])], &[]).is_none(), "the only move, chosen by its text");
    }
}
