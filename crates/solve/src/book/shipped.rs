//! The books that come with Foregone: of games whose first moves take long to solve.

use std::sync::{Arc, OnceLock};

use foregone_record::read::Bytes;
use foregone_record::{GameId, Table};

/// The files with their names, made by `foregone book build`; `books/README.md` says how.
pub static SHIPPED: [(&str, &[u8]); 9] = [
    ("amazons.book", include_bytes!("../../books/amazons.book")),
    ("connect-four.book", include_bytes!("../../books/connect-four.book")),
    ("hex.book", include_bytes!("../../books/hex.book")),
    ("kalah.book", include_bytes!("../../books/kalah.book")),
    ("kalah-nonempty.book", include_bytes!("../../books/kalah-nonempty.book")),
    ("order-and-chaos.book", include_bytes!("../../books/order-and-chaos.book")),
    ("pentago.book", include_bytes!("../../books/pentago.book")),
    ("quantum-tic-tac-toe.book", include_bytes!("../../books/quantum-tic-tac-toe.book")),
    ("score-four.book", include_bytes!("../../books/score-four.book")),
];

/// The book of a game, if one comes with Foregone. The module for browsers has none: they lie beside the page.
pub(crate) fn shipped(id: GameId<'_>) -> Option<Arc<Table>> {
    static BOOKS: OnceLock<Vec<Arc<Table>>> = OnceLock::new();
    if !cfg!(feature = "make") {
        return None;
    }
    let read = |(_, book): &(&str, &'static [u8])| Table::read(Bytes(*book)).ok().map(Arc::new);
    let books = BOOKS.get_or_init(|| SHIPPED.iter().filter_map(read).collect());
    books.iter().find(|book| book.manifest().id() == id).cloned()
}
