//! What people see of Foregone: words, pictures, and pages. A page is made from its address alone, by whatever
//! shows it: the server of `foregone serve`, or a browser without one.
//!
//! A [`Route`](route::Route) is a page that is asked for, a [`Service`](service::Service) answers and keeps what
//! has been solved, a [`Reply`](view::frame::Reply) is the answer.

#![allow(
    missing_docs,
    reason = "for the program's own editions: names that say all have no comment"
)]

pub mod address;
pub mod assets;
pub mod draw;
pub mod lessons;
pub mod players;
pub mod route;
pub mod service;
pub mod slip;
pub mod stats;
pub mod survey;
pub mod tables;
pub mod view;
pub mod words;
