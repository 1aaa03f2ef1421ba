//! A worth relative to endless play, as a number in the order of the mover's preference: so the better of
//! two is the larger, and threads can keep the best without locks.

use foregone_rules::{Distance, Value, Worth};

/// The difference of a value from endless play (its size), and the plies: see the file's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Preference(u32);

/// In place of the plies of endless play.
const ENDLESS: u32 = 0xffff;
/// The most plies that are told apart; more than a table holds.
const MAX: u32 = ENDLESS - 1;
/// Size 0.
const ZERO: i32 = 1 << 15;

impl Preference {
    /// No worth is known; less than every worth.
    pub const NONE: Preference = Preference(0);

    /// `worth` for the mover, if endless play is worth `endless` to it.
    #[inline]
    pub fn of(worth: Worth, endless: Value) -> Preference {
        let plies = worth.distance().plies().map_or(ENDLESS, |plies| plies.min(MAX));
        Preference::new(worth.value().0 - endless.0, plies)
    }

    /// The mover prefers a win soon, and all else late.
    #[inline]
    fn new(size: i32, plies: u32) -> Preference {
        let size = size.clamp(1 - ZERO, ZERO - 1);
        let order = if size > 0 { ENDLESS - plies } else { plies };
        Preference(((size + ZERO) as u32) << 16 | order)
    }

    /// The number, for a shared cell.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The inverse of [`bits`](Preference::bits).
    pub const fn from_bits(bits: u32) -> Preference {
        Preference(bits)
    }

    /// The value beyond that of endless play.
    #[inline]
    pub const fn size(self) -> i32 {
        (self.0 >> 16) as i32 - ZERO
    }

    #[inline]
    const fn order(self) -> u32 {
        let order = self.0 & 0xffff;
        if self.size() > 0 { ENDLESS - order } else { order }
    }

    /// The plies to the end; `None` if play is endless.
    #[inline]
    pub const fn plies(self) -> Option<u32> {
        match self.order() {
            ENDLESS => None,
            plies => Some(plies),
        }
    }

    /// The preference one ply earlier, for the side that moves there; `passes` if that move gives the turn to the
    /// other side.
    #[inline]
    pub fn earlier(self, passes: bool) -> Preference {
        let size = if passes { -self.size() } else { self.size() };
        let plies = self.plies().map_or(ENDLESS, |plies| (plies + 1).min(MAX));
        Preference::new(size, plies)
    }

    /// The worth for the mover, if endless play is worth `endless` to it.
    pub fn worth(self, endless: Value) -> Worth {
        let value = Value(self.size() + endless.0);
        self.plies()
            .map_or(Worth::endless(value), |plies| Worth::new(value, Distance::Plies(plies)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order is that of [`Worth::key`], and worths come back.
    #[test]
    fn the_larger_is_preferred() {
        let plies = [Some(0), Some(1), Some(7), Some(60_000), None];
        for endless in [-3, 0, 2].map(Value) {
            let worth = |value, plies: Option<u32>| match plies {
                Some(plies) => Worth::new(Value(value), Distance::Plies(plies)),
                None => Worth::endless(Value(value)),
            };
            // Endless play has only one value.
            let all = (-5..5).flat_map(|value| plies.map(|plies| worth(value, plies)));
            let all: Vec<_> =
                all.filter(|worth| !worth.is_endless() || worth.value() == endless).collect();
            for one in &all {
                let here = Preference::of(*one, endless);
                assert_eq!(here.worth(endless), *one);
                assert!(here > Preference::NONE);
                assert_eq!(Preference::from_bits(here.bits()), here);
                for (passes, seen) in [(false, 1), (true, -1)] {
                    let earlier = here.earlier(passes).worth(Value(seen * endless.0));
                    assert_eq!(earlier.value().0, seen * one.value().0);
                    assert_eq!(
                        earlier.distance().plies(),
                        one.distance().plies().map(|plies| plies + 1)
                    );
                }
                for other in &all {
                    let keys = one.key(endless).cmp(&other.key(endless));
                    assert_eq!(
                        here.cmp(&Preference::of(*other, endless)),
                        keys,
                        "{one:?} {other:?}"
                    );
                }
            }
        }
    }
}
