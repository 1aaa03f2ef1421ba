//! Which moves the clicked places make.
//!
//! The places of a move are clicked in any order, unless another move has the same places: then the order decides. An
//! amazon that goes to one square and shoots at another could also do it the other way round.

use foregone::any::MoveOption;

/// The moves that go on from these clicks: those that begin with them; if there are none, those that have all of them.
pub fn fitting<'o>(options: &[&'o MoveOption], clicks: &[usize]) -> Vec<&'o MoveOption> {
    let begins = |option: &&MoveOption| option.clicks.starts_with(clicks);
    let found: Vec<_> = options.iter().copied().filter(begins).collect();
    if !found.is_empty() {
        return found;
    }
    let has_all = |option: &&MoveOption| clicks.iter().all(|place| option.clicks.contains(place));
    options.iter().copied().filter(has_all).collect()
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
        assert!(chosen(&[option(&[])], &[]).is_none(), "the only move, chosen by its text");
    }
}
