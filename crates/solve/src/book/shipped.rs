//! The books that come with Foregone: of games whose first moves take long to solve.

use std::sync::{Arc, OnceLock};

use foregone_record::read::Bytes;
use foregone_record::{GameId, Table};

/// The files, made by `foregone book build`; `books/README.md` says how.
static SHIPPED: [&[u8]; 6] = [
    include_bytes!("../../books/amazons.book"),
    include_bytes!("../../books/hex.book"),
    include_bytes!("../../books/order-and-chaos.book"),
    include_bytes!("../../books/pentago.book"),
    include_bytes!("../../books/quantum-tic-tac-toe.book"),
    include_bytes!("../../books/score-four.book"),
];

/// The book of a game, if one comes with Foregone.
pub(crate) fn shipped(id: GameId<'_>) -> Option<Arc<Table>> {
    static BOOKS: OnceLock<Vec<Arc<Table>>> = OnceLock::new();
    let read = |book: &&'static [u8]| Table::read(Bytes(*book)).ok().map(Arc::new);
    let books = BOOKS.get_or_init(|| SHIPPED.iter().filter_map(read).collect());
    books.iter().find(|book| book.manifest().id() == id).cloned()
}
