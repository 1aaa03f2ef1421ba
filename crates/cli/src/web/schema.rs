//! Schemas of parameters for the description of the API.

use foregone::Method;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use foregone_page::address::DEEPEST;
use foregone_page::players::Who;

/// The name of a method.
pub struct MethodName;

impl PartialSchema for MethodName {
    fn schema() -> RefOr<Schema> {
        one_of(Method::ALL.map(|(name, _)| name))
    }
}

impl ToSchema for MethodName {}

/// The name of a player that is a program.
pub struct PlayerName;

impl PartialSchema for PlayerName {
    fn schema() -> RefOr<Schema> {
        let programs = Who::ALL.into_iter().filter(|(_, who, _)| who.player(1).is_some());
        one_of(programs.map(|(name, ..)| name))
    }
}

impl ToSchema for PlayerName {}

fn one_of(names: impl IntoIterator<Item = &'static str>) -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).into()
}

/// A number of plies that is at least one.
pub struct Plies;

impl PartialSchema for Plies {
    fn schema() -> RefOr<Schema> {
        plies(1)
    }
}

impl ToSchema for Plies {}

/// A number of plies, or none.
pub struct PliesOrNone;

impl PartialSchema for PliesOrNone {
    fn schema() -> RefOr<Schema> {
        plies(0)
    }
}

impl ToSchema for PliesOrNone {}

fn plies(least: u32) -> RefOr<Schema> {
    let plies = ObjectBuilder::new().schema_type(Type::Integer);
    plies.minimum(Some(least)).maximum(Some(DEEPEST)).into()
}
