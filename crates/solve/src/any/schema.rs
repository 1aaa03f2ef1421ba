//! What schemas of reports say beyond the types of their fields.

use foregone_rules::Verdict;
use utoipa::openapi::{Object, ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// The name of a verdict, which reports hold as text.
pub(super) struct VerdictName;

impl PartialSchema for VerdictName {
    fn schema() -> RefOr<Schema> {
        let names = [Verdict::Win, Verdict::Draw, Verdict::Loss].map(|verdict| verdict.to_string());
        let one: Object =
            ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).build();
        one.into()
    }
}

impl ToSchema for VerdictName {}
