//! The verbs of the command, one file each.

pub mod book;
pub mod completions;
pub mod dataset;
pub mod explain;
pub mod games;
pub mod man;
pub mod matches;
pub mod play;
pub mod prove;
pub mod puzzles;
pub mod report;
pub mod review;
pub mod rules;
pub mod serve;
pub mod show;
pub mod site;
pub mod solve;
pub mod table;
pub mod tree;
