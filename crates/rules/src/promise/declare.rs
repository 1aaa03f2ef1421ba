//! The promises that a game makes: those traits that its type implements, without a second list.
//!
//! Rust cannot test whether a generic type implements a trait, but it can for a concrete type: an
//! inherent method that exists only for types with the trait takes precedence over a trait method
//! of the same name that exists for all types. [`declare!`](crate::declare) does this for every
//! promise and calls a visitor.

use std::marker::PhantomData;

use super::{
    Actions, Acyclic, Banded, Banked, Encode, Evaluate, Finer, Indexed, NoBank, Notation, Order,
    Picture, SearchHints, Symmetry,
};
use crate::game::Game;

/// The list of promises, from which all is made that names each of them. Of the promises in one pair of
/// brackets a game makes only the first that it can, so that nothing is compiled for the others.
macro_rules! promises {
    ($dollar:tt $([$(
        $(#[doc = $doc:literal])* $promise:ident: $bound:ident $(<Bank = $bank:ty>)? $(+ $other:ident)*,
    )+])*) => {
        /// A visitor of a game's promises, one method a promise. By default a method does nothing.
        pub trait Promises<G: Game> {
            $($(
                $(#[doc = $doc])*
                fn $promise(&mut self)
                where
                    G: $bound $(<Bank = $bank>)? $(+ $other)*,
                {
                }
            )+)*
        }

        $($(
            impl<G: $bound $(<Bank = $bank>)? $(+ $other)*, V: Promises<G>> Visit<G, V> {
                pub fn $promise(promises: &mut V) -> Made {
                    promises.$promise();
                    Made
                }
            }
        )+)*

        /// The methods for all other games; they do nothing.
        #[doc(hidden)]
        pub trait NotPromised<V> {
            $($(
                fn $promise(_: &mut V) -> NotMade {
                    NotMade
                }
            )+)*
        }

        /// Visits the promises that a game makes. Used by [`declare!`](crate::declare).
        #[doc(hidden)]
        #[macro_export]
        macro_rules! __visit {
            ($dollar game:ty, $dollar promises:ident) => {{
                #[allow(unused_imports)]
                use $crate::promise::NotPromised as _;
                $($crate::promise::first!($dollar game, $dollar promises, $($promise)+);)*
            }};
        }
        #[doc(hidden)]
        pub use __visit as visit;
    };
}

/// Visits the first of the named promises that a game can make.
#[doc(hidden)]
#[macro_export]
macro_rules! __first {
    ($game:ty, $promises:ident, $promise:ident) => {
        _ = $crate::promise::Visit::<$game, _>::$promise($promises)
    };
    ($game:ty, $promises:ident, $promise:ident $($other:ident)+) => {
        $crate::promise::Visit::<$game, _>::$promise($promises)
            .or($promises, |promises| $crate::promise::first!($game, promises, $($other)+))
    };
}
#[doc(hidden)]
pub use crate::__first as first;

/// A game and a visitor; its inherent methods exist only for games that make the promise.
#[doc(hidden)]
pub struct Visit<G, V>(PhantomData<(G, V)>);

impl<G, V> NotPromised<V> for Visit<G, V> {}

/// A promise that a game makes.
#[doc(hidden)]
pub struct Made;

/// A promise that a game does not make.
#[doc(hidden)]
pub struct NotMade;

impl Made {
    /// Leaves out the other promises.
    pub fn or<V>(self, _: &mut V, _: impl FnOnce(&mut V)) {}
}

impl NotMade {
    /// Visits the other promises.
    pub fn or<V>(self, promises: &mut V, others: impl FnOnce(&mut V)) {
        others(promises);
    }
}

promises! { $
    [
        /// The game has a [`Notation`].
        notation: Notation,
    ]
    [
        /// The game's moves are [`Actions`] with numbers.
        actions: Actions,
    ]
    [
        /// The game has a [`Picture`].
        picture: Picture,
    ]
    [
        /// The game is [`Acyclic`], if its parameters allow it ([`Acyclic::is_acyclic`]).
        acyclic: Acyclic,
    ]
    [
        /// The game can [`Evaluate`] positions.
        evaluate: Evaluate,
    ]
    [
        /// The game can [`Order`] moves.
        order: Order,
    ]
    [
        /// The game has a [`Symmetry`].
        symmetry: Symmetry,
    ]
    [
        /// The game is [`Banked`].
        banked: Banked,
    ]
    [
        /// The game can [`Encode`] its positions.
        encode: Encode,
    ]
    [
        /// The game can [`Encode`] its positions, and banks no points.
        keyed: Encode<Bank = NoBank>,
    ]
    [
        /// The game has a [`Finer`] variant.
        finer: Finer,
    ]
    [
        /// The game is [`Indexed`].
        indexed: Indexed,
    ]
    [
        /// The game is [`Indexed`] and [`Acyclic`].
        indexed_acyclic: Indexed + Acyclic,
    ]
    [
        /// The game is [`Banded`].
        banded: Banded,
    ]
    [
        /// The game can have tables: it is [`Banded`].
        tables_in_bands: Banded,
        /// The game can have tables: it is [`Indexed`].
        tables_by_number: Indexed,
        /// The game can have tables: it can [`Encode`] its positions, and banks no points.
        tables_by_key: Encode<Bank = NoBank>,
    ]
    [
        /// Values can be searched, and the last positions can be solved at once: the game gives [`SearchHints`]
        /// and is [`Banded`].
        search_with_endgame: SearchHints + Banded,
        /// Values can be searched: the game gives [`SearchHints`].
        search_hints: SearchHints,
        /// Values can be searched: the game is [`Acyclic`], can [`Encode`] its positions and can [`Order`] moves.
        searchable_in_order: Acyclic + Encode + Order,
        /// Values can be searched: the game is [`Acyclic`] and can [`Encode`] its positions.
        searchable: Acyclic + Encode,
    ]
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
                $crate::promise::visit!($game, promises);
            }
        }
    };
}
