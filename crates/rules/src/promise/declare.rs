//! The promises that a game makes: those traits that its type implements, without a second list.
//!
//! Rust cannot test whether a generic type implements a trait, but it can for a concrete type: an
//! inherent method that exists only for types with the trait takes precedence over a trait method
//! of the same name that exists for all types. [`declare!`](crate::declare) does this for every
//! promise and calls a visitor.

use std::marker::PhantomData;

use super::{
    Actions, Acyclic, Banded, Banked, Encode, Evaluate, Indexed, NoBank, Notation, Order, Picture,
    SearchHints, Symmetry,
};
use crate::game::Game;

/// A visitor of a game's promises, one method a promise. By default a method does nothing.
pub trait Promises<G: Game> {
    /// The game has a [`Notation`].
    fn notation(&mut self)
    where
        G: Notation,
    {
    }

    /// The game's moves are [`Actions`] with numbers.
    fn actions(&mut self)
    where
        G: Actions,
    {
    }

    /// The game has a [`Picture`].
    fn picture(&mut self)
    where
        G: Picture,
    {
    }

    /// The game is [`Acyclic`], if its parameters allow it ([`Acyclic::is_acyclic`]).
    fn acyclic(&mut self)
    where
        G: Acyclic,
    {
    }

    /// The game can [`Evaluate`] positions.
    fn evaluate(&mut self)
    where
        G: Evaluate,
    {
    }

    /// The game can [`Order`] moves.
    fn order(&mut self)
    where
        G: Order,
    {
    }

    /// The game has a [`Symmetry`].
    fn symmetry(&mut self)
    where
        G: Symmetry,
    {
    }

    /// The game is [`Banked`].
    fn banked(&mut self)
    where
        G: Banked,
    {
    }

    /// The game can [`Encode`] its positions.
    fn encode(&mut self)
    where
        G: Encode,
    {
    }

    /// The game can [`Encode`] its positions, and banks no points.
    fn keyed(&mut self)
    where
        G: Encode<Bank = NoBank>,
    {
    }

    /// The game is [`Indexed`].
    fn indexed(&mut self)
    where
        G: Indexed,
    {
    }

    /// The game is [`Indexed`] and [`Acyclic`].
    fn indexed_acyclic(&mut self)
    where
        G: Indexed + Acyclic,
    {
    }

    /// The game is [`Banded`].
    fn banded(&mut self)
    where
        G: Banded,
    {
    }

    /// The game is [`Acyclic`] and can [`Encode`] its positions, which a search for values needs.
    fn searchable(&mut self)
    where
        G: Acyclic + Encode,
    {
    }

    /// The game is [`Acyclic`], can [`Encode`] its positions and can [`Order`] moves.
    fn searchable_in_order(&mut self)
    where
        G: Acyclic + Encode + Order,
    {
    }

    /// The game gives [`SearchHints`].
    fn search_hints(&mut self)
    where
        G: SearchHints,
    {
    }

    /// The game gives [`SearchHints`] and is [`Banded`], so that its last positions can be solved at once.
    fn search_with_endgame(&mut self)
    where
        G: SearchHints + Banded,
    {
    }
}

/// A game that declares its promises. [`declare!`](crate::declare) implements it.
pub trait Declare: Game + Sized {
    /// Calls the visitor's method for every promise that the game makes.
    fn declare(promises: &mut impl Promises<Self>);
}

/// Implements [`Declare`] for a game: its promises are the traits that its type implements.
///
/// ```
/// use foregone_rules::promise::{Declare, Promises};
/// use foregone_rules::{Acyclic, Game, Picture};
/// # use foregone_rules::{Outcome, Side};
/// # struct Sticks(u8);
/// # impl Game for Sticks {
/// #     type State = (u8, Side);
/// #     type Move = u8;
/// #     fn start(&self) -> (u8, Side) { (self.0, Side::First) }
/// #     fn turn(&self, &(_, side): &(u8, Side)) -> Side { side }
/// #     fn outcome(&self, &(left, side): &(u8, Side)) -> Option<Outcome> {
/// #         (left == 0).then(|| Outcome::win(side.other()))
/// #     }
/// #     fn moves(&self, &(left, _): &(u8, Side)) -> impl Iterator<Item = u8> { 1..=left.min(2) }
/// #     fn play(&self, &(left, side): &(u8, Side), taken: u8) -> (u8, Side) {
/// #         (left - taken, side.other())
/// #     }
/// # }
/// // `Sticks` is a game.
/// impl Acyclic for Sticks {
///     fn progress(&self, &(left, _): &(u8, Side)) -> u32 {
///         u32::from(self.0 - left)
///     }
/// }
/// foregone_rules::declare!(Sticks);
///
/// #[derive(Default)]
/// struct Found(Vec<&'static str>);
///
/// impl<G: Game> Promises<G> for Found {
///     fn acyclic(&mut self)
///     where
///         G: Acyclic,
///     {
///         self.0.push("acyclic");
///     }
///     fn picture(&mut self)
///     where
///         G: Picture,
///     {
///         self.0.push("picture");
///     }
/// }
///
/// let mut found = Found::default();
/// Sticks::declare(&mut found);
/// assert_eq!(found.0, ["acyclic"]);
/// ```
#[macro_export]
macro_rules! declare {
    ($game:ty) => {
        impl $crate::promise::Declare for $game {
            fn declare(promises: &mut impl $crate::promise::Promises<$game>) {
                $crate::promise::visit!(
                    $game, promises, notation actions picture acyclic evaluate order symmetry banked encode
                    keyed indexed indexed_acyclic banded searchable searchable_in_order
                    search_hints search_with_endgame
                );
            }
        }
    };
}

/// Visits the named promises that a game makes. Used by [`declare!`](crate::declare).
#[doc(hidden)]
#[macro_export]
macro_rules! __visit {
    ($game:ty, $promises:ident, $($promise:ident)*) => {{
        #[allow(unused_imports)]
        use $crate::promise::NotPromised as _;
        $($crate::promise::Visit::<$game, _>::$promise($promises);)*
    }};
}
#[doc(hidden)]
pub use crate::__visit as visit;

/// A game and a visitor; its inherent methods exist only for games that make the promise.
#[doc(hidden)]
pub struct Visit<G, V>(PhantomData<(G, V)>);

macro_rules! visits {
    ($($promise:ident: $bound:ident $(<Bank = $bank:ty>)? $(+ $other:ident)*,)*) => {
        $(
            impl<G: $bound $(<Bank = $bank>)? $(+ $other)*, V: Promises<G>> Visit<G, V> {
                pub fn $promise(promises: &mut V) {
                    promises.$promise();
                }
            }
        )*

        /// The methods for all other games; they do nothing.
        #[doc(hidden)]
        pub trait NotPromised<V> {
            $(fn $promise(_: &mut V) {})*
        }

        impl<G, V> NotPromised<V> for Visit<G, V> {}
    };
}

visits! {
    notation: Notation,
    actions: Actions,
    picture: Picture,
    acyclic: Acyclic,
    evaluate: Evaluate,
    order: Order,
    symmetry: Symmetry,
    banked: Banked,
    encode: Encode,
    keyed: Encode<Bank = NoBank>,
    indexed: Indexed,
    indexed_acyclic: Indexed + Acyclic,
    banded: Banded,
    searchable: Acyclic + Encode,
    searchable_in_order: Acyclic + Encode + Order,
    search_hints: SearchHints,
    search_with_endgame: SearchHints + Banded,
}
