//! The OpenAPI description of the API, generated from the code: the paths from the handlers, the
//! parameters from the structs that they read, the schemas from the types that they write, the names
//! of methods and players from the lists that parse them. `docs/openapi.json` is a copy of it, which
//! a test compares, so that a change of the API shows in review.

use std::sync::LazyLock;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use utoipa::openapi::path::Parameter;
use utoipa::openapi::schema::{AdditionalProperties, AllOf, ArrayItems, SchemaType};
use utoipa::openapi::{self, ObjectBuilder, RefOr, Schema, Type};
use utoipa::{Modify, OpenApi};

use super::{api, problem};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Foregone",
        version = "1",
        description = "What two-player games of perfect information are worth: the questions of \
                       the command line, with the same JSON.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    servers((url = "/api/v1")),
    paths(api::games, api::show, api::solve, api::choose, api::tree, contract),
    components(schemas(problem::Body)),
    modifiers(&Problems, &Strict),
)]
struct Api;

/// The description.
static API: LazyLock<openapi::OpenApi> = LazyLock::new(Api::openapi);

/// The description as it is sent.
pub static TEXT: LazyLock<String> = LazyLock::new(|| {
    // Its keys are texts, so it is always JSON.
    API.to_pretty_json().unwrap_or_default()
});

/// The addresses of this document beside its own.
pub const ROOTS: [&str; 2] = ["/api/v1", "/api/v1/"];

/// This document.
#[utoipa::path(
    get,
    path = "/openapi.json",
    responses((status = 200, description = "The answer.", body = Object), problem::Problem),
)]
pub async fn contract() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], TEXT.as_str()).into_response()
}

/// Every path of the API with the names of its parameters.
pub fn parameters() -> impl Iterator<Item = (String, Vec<String>)> {
    let name = |parameter: &RefOr<Parameter>| match parameter {
        RefOr::T(parameter) => Some(parameter.name.clone()),
        RefOr::Ref(_) => None,
    };
    API.paths.paths.iter().map(move |(path, item)| {
        let all = item.get.iter().flat_map(|get| get.parameters.iter().flatten());
        (format!("/api/v1{path}"), all.filter_map(name).collect())
    })
}

/// Adds the error responses, which paths refer to by name, and leaves out tags: the macro takes the
/// name of a module for one.
struct Problems;

impl Modify for Problems {
    fn modify(&self, api: &mut openapi::OpenApi) {
        let components = api.components.get_or_insert_default();
        for (name, response) in problem::responses() {
            components.responses.insert(name.to_owned(), response.into());
        }
        for get in api.paths.paths.values_mut().filter_map(|item| item.get.as_mut()) {
            get.tags = None;
        }
    }
}

/// Makes the schemas strict: an object has no other fields than those listed, and a field that may
/// be null is required. The derive macro takes an `Option` for an optional field, but serde writes
/// null; a field that serde skips is described by the type inside the `Option`.
struct Strict;

impl Modify for Strict {
    fn modify(&self, api: &mut openapi::OpenApi) {
        for schema in api.components.iter_mut().flat_map(|all| all.schemas.values_mut()) {
            strict(schema);
        }
    }
}

fn strict(schema: &mut RefOr<Schema>) {
    let schema = match schema {
        RefOr::Ref(other) => return unwrapped(Some(&mut other.description)),
        RefOr::T(schema) => schema,
    };
    if let Schema::AllOf(parts) = schema {
        *schema = Schema::Object(joined(parts));
    }
    match schema {
        Schema::Object(object) => {
            unwrapped(object.description.as_mut());
            // The formats of OpenAPI do not fit integers without a sign.
            if is(&object.schema_type, &Type::Integer) {
                object.format = None;
            }
            if object.properties.is_empty() {
                return;
            }
            for property in object.properties.values_mut() {
                strict(property);
            }
            let always = |(name, property): &(&String, &RefOr<Schema>)| {
                object.required.contains(*name) || may_be_null(property)
            };
            let required = object.properties.iter().filter(always).map(|(name, _)| name.clone());
            object.required = required.collect();
            object.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
        }
        Schema::Array(array) => {
            unwrapped(array.description.as_mut());
            if let ArrayItems::RefOrSchema(items) = &mut array.items {
                strict(items);
            }
        }
        Schema::OneOf(choice) => {
            unwrapped(choice.description.as_mut());
            choice.items.iter_mut().for_each(strict);
        }
        _ => {}
    }
}

/// One object with the fields of all parts, for a struct with flattened fields. A list of strict
/// objects would not do: each part would forbid the fields of the others.
fn joined(parts: &mut AllOf) -> openapi::Object {
    let mut whole = ObjectBuilder::new().description(parts.description.take()).build();
    for part in parts.items.drain(..) {
        let part = match part {
            RefOr::T(Schema::Object(part)) => part,
            // A part with a description of its own is a list of one.
            RefOr::T(Schema::AllOf(mut parts)) => joined(&mut parts),
            RefOr::T(Schema::OneOf(mut one)) if one.items.len() == 1 => {
                let mut parts = AllOf::new();
                parts.items.append(&mut one.items);
                joined(&mut parts)
            }
            _ => continue,
        };
        whole.properties.extend(part.properties);
        whole.required.extend(part.required);
    }
    whole
}

/// Whether a type is this one, or may be.
fn is(kind: &SchemaType, this: &Type) -> bool {
    match kind {
        SchemaType::Type(one) => one == this,
        SchemaType::Array(several) => several.contains(this),
        SchemaType::AnyValue => false,
    }
}

/// Whether a schema allows null.
fn may_be_null(schema: &RefOr<Schema>) -> bool {
    match schema {
        RefOr::T(Schema::Object(object)) => is(&object.schema_type, &Type::Null),
        RefOr::T(Schema::Array(array)) => is(&array.schema_type, &Type::Null),
        RefOr::T(Schema::OneOf(choice)) => choice.items.iter().any(may_be_null),
        _ => false,
    }
}

/// Joins the lines of a doc comment, which end where the line of code is full.
fn unwrapped(description: Option<&mut String>) {
    if let Some(text) = description {
        *text = text.replace('\n', " ");
    }
}
