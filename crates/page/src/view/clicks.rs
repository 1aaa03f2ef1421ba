//! Which move the clicked places make.

use foregone::any::MoveOption;

/// Whether all these places are among those of a move.
pub fn holds(option: &MoveOption, clicks: &[usize]) -> bool {
    clicks.iter().all(|place| option.clicks.contains(place))
}

/// The move that exactly these places make.
pub fn chosen<'o>(options: &'o [MoveOption], clicks: &[usize]) -> Option<&'o MoveOption> {
    let whole = |option: &&MoveOption| option.clicks.len() == clicks.len() && holds(option, clicks);
    if clicks.is_empty() { None } else { options.iter().find(whole) }
}
