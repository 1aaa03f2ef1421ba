//! Bounds of a value, for the side to move.

/// A lower and an upper bound of a value.
pub(super) type Bounds = (i32, i32);

/// Bounds of an unknown value.
pub(super) const ANY: Bounds = (i32::MIN, i32::MAX);

/// Converts bounds after a move to bounds of the move; `again` if the same side moves again.
#[inline]
pub(super) fn seen_before((low, high): Bounds, again: bool) -> Bounds {
    if again { (low, high) } else { (-high, low.saturating_neg()) }
}
