//! The API: its answers and its errors against its contract.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::server::{Answer, Server};

/// Holds a value against a schema of the contract.
fn hold(contract: &Value, schema: &Value, value: &Value, what: &str) {
    assert!(schema.is_object(), "{what} is not documented");
    let mut schema = schema.clone();
    schema["components"] = contract["components"].clone();
    let schema = jsonschema::validator_for(&schema).unwrap();
    if let Err(error) = schema.validate(value) {
        panic!("{what}: {error} at {}: {value}", error.instance_path());
    }
}

/// Holds an answer of a path against what the contract says of its status.
pub fn hold_answer(contract: &Value, path: &str, answer: &Answer) {
    let status = answer.status.to_string();
    let what = format!("{path}: {status}");
    let mut response = &contract["paths"][path]["get"]["responses"][&status];
    if let Some(name) = response["$ref"].as_str() {
        response = contract.pointer(name.strip_prefix('#').unwrap()).unwrap();
    }
    let kind = answer.header("content-type");
    hold(contract, &response["content"][kind]["schema"], &answer.json(), &what);
    for name in response["headers"].as_object().into_iter().flatten().map(|(name, _)| name) {
        let optional = name == "foregone-halted";
        assert!(optional || !answer.header(&name.to_lowercase()).is_empty(), "{what}: {name}");
    }
}

/// Holds an error to the one shape that all of them have.
pub fn hold_problem(contract: &Value, answer: &Answer, status: u16, what: &str) {
    let problem = answer.json();
    assert_eq!(answer.status, status, "{what}: {problem}");
    assert_eq!(answer.header("content-type"), "application/problem+json", "{what}");
    hold(contract, &json!({ "$ref": "#/components/schemas/Problem" }), &problem, what);
    assert_eq!((&problem["type"], &problem["status"]), (&"about:blank".into(), &status.into()));
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.len() > 20), "{what}");
    assert_eq!(answer.header("x-content-type-options"), "nosniff", "{what}");
}

#[test]
fn the_api_keeps_its_contract() {
    let server = Server::start(&["--think", "1s"]);
    let (_, contract) = server.json("/api/v1/openapi.json");
    assert_eq!(contract["openapi"], "3.1.0");
    for root in ["/api/v1", "/api/v1/"] {
        assert_eq!(server.json(root).1, contract);
    }
    let examples = [
        ("/games", vec![""]),
        (
            "/show",
            vec![
                "?game=kalah&moves=3",
                "?game=quantum-tic-tac-toe&moves=1-2",
                "?game=nim&position=0-1-0+first",
            ],
        ),
        (
            "/solve",
            vec![
                "?game=tic-tac-toe",
                "?game=tic-tac-toe&moves=1,2,3&method=alphabeta",
                "?game=kalah&time=50ms",
                "?game=connect-four&depth=4",
                "?game=three-mens-morris&value_only=true",
                "?game=connect-four(columns=5,rows=4)&method=search&distances=true",
                "?game=tic-tac-toe&moves=1,4,2,5,3",
            ],
        ),
        ("/move", vec!["?game=tic-tac-toe", "?game=kalah&player=alphabeta&depth=3"]),
        ("/tree", vec!["?game=tic-tac-toe&moves=1,2,3,4,5&depth=4", "?game=nim&depth=2"]),
        ("/openapi.json", vec![""]),
    ];
    let documented: BTreeSet<_> = contract["paths"].as_object().unwrap().keys().cloned().collect();
    let tried: BTreeSet<_> = examples.iter().map(|(path, _)| (*path).to_owned()).collect();
    assert_eq!(documented, tried);
    for (path, queries) in &examples {
        for query in queries {
            let answer = server.get(&format!("/api/v1{path}{query}"));
            assert_eq!(answer.status, 200, "{path}{query}: {}", answer.body);
            hold_answer(&contract, path, &answer);
        }
        // Every field that is documented is read, and no other makes it fail.
        let fields = contract["paths"][path]["get"]["parameters"].as_array();
        for field in fields.into_iter().flatten().map(|field| field["name"].as_str().unwrap()) {
            let game = if field == "game" { "" } else { "game=nim&" };
            let answer = server.get(&format!("/api/v1{path}?{game}{field}=%3F%3F"));
            hold_problem(&contract, &answer, 400, &format!("{path} {field}"));
            hold_answer(&contract, path, &answer);
            let asked = answer.json();
            assert!(game.is_empty() || asked["parameter"] == field || asked["found"] == "??");
        }
    }
    let (_, report) = server.json("/api/v1/solve?game=tic-tac-toe&moves=5");
    assert_eq!((&report["result"], &report["distance"]), (&"draw".into(), &8.into()));
    let (_, problem) = server.json("/api/v1/solve?game=kalar");
    assert!(problem["detail"].as_str().unwrap().contains("did you mean `kalah`"), "{problem}");
    assert_eq!(problem["found"], "kalar");
    let (_, problem) = server.json("/api/v1/solve");
    assert_eq!(problem["parameter"], "game");
    assert_eq!(problem["detail"], "game: expected the name of a game, as in `game=nim`");
    server.end();
}

#[test]
fn every_error_is_a_problem_of_one_shape() {
    let server = Server::start(&[]);
    let (_, contract) = server.json("/api/v1/openapi.json");
    for path in ["/api", "/api/", "/api/v1/nothing", "/api/v2/solve?game=nim"] {
        hold_problem(&contract, &server.get(path), 404, path);
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "BREW"] {
        for path in ["/api/v1/solve?game=nim", "/api/v1/openapi.json"] {
            let request = server.request(path, "Connection: close\r\n").replacen("GET", method, 1);
            let answer = server.raw(request);
            hold_problem(&contract, &answer, 405, method);
            assert_eq!(answer.header("allow"), "GET,HEAD");
        }
    }
    // Other answers say so, though they are no problems of the API.
    let answer = server.raw(server.request("/play?game=nim", "").replacen("GET", "POST", 1));
    assert_eq!((answer.status, answer.header("allow")), (405, "GET,HEAD"));
    assert!(answer.header("content-type").starts_with("text/html"));
    server.end();
}

#[test]
fn what_can_be_chosen_is_what_there_is() {
    let server = Server::start(&[]);
    let (_, contract) = server.json("/api/v1/openapi.json");
    let names = |path: &str, parameter: &str| -> Vec<String> {
        let parameters = contract["paths"][path]["get"]["parameters"].as_array().unwrap();
        let found = parameters.iter().find(|each| each["name"] == parameter).unwrap();
        serde_json::from_value(found["schema"]["enum"].clone()).unwrap()
    };
    let methods = names("/solve", "method");
    assert_eq!(methods, foregone::Method::ALL.map(|(name, _)| name));
    for name in methods {
        let answer = server.get(&format!("/api/v1/solve?game=tic-tac-toe&method={name}&depth=2"));
        assert!([200, 400].contains(&answer.status), "{name}: {answer:?}");
        assert!(!answer.body.contains("expected a method"), "{name}: {answer:?}");
    }
    let players = names("/move", "player");
    assert!(!players.contains(&"human".to_owned()), "{players:?}");
    for name in ["perfect", "deepening", "alphabeta", "minimax", "random", "first"] {
        assert!(players.contains(&name.to_owned()), "{name} is none of {players:?}");
    }
    for name in players {
        let answer = server.get(&format!("/api/v1/move?game=tic-tac-toe&player={name}&depth=2"));
        assert_eq!(answer.status, 200, "{name}: {answer:?}");
    }
    server.end();
}

/// Every schema of the contract, those within others too.
fn schemas<'v>(value: &'v Value, found: &mut Vec<&'v Value>) {
    match value {
        Value::Object(fields) => {
            if fields.contains_key("properties") {
                found.push(value);
            }
            fields.values().for_each(|each| schemas(each, found));
        }
        Value::Array(items) => items.iter().for_each(|each| schemas(each, found)),
        _ => {}
    }
}

#[test]
fn the_schemas_of_the_contract_are_strict() {
    let server = Server::start(&[]);
    let (_, contract) = server.json("/api/v1/openapi.json");
    server.end();
    let mut found = Vec::new();
    schemas(&contract["components"]["schemas"], &mut found);
    assert!(found.len() >= 12, "{}", found.len());
    // These are left out where there is nothing to say; all others are always there.
    let optional = ["chance", "expected", "found", "lookahead", "parameter"];
    for schema in found {
        assert_eq!(schema["additionalProperties"], false, "{schema}");
        let required = schema["required"].as_array().unwrap();
        for (name, property) in schema["properties"].as_object().unwrap() {
            let there = required.contains(&Value::from(name.as_str()));
            assert_eq!(there, !optional.contains(&name.as_str()), "{name} of {schema}");
            let choice = &property["oneOf"][0]["description"];
            let description = property["description"].as_str().or(choice.as_str()).unwrap_or("");
            assert!(!description.is_empty(), "{name} of {schema} is not described");
            assert!(!description.contains("]("), "a link of the code: {description}");
        }
    }
    // Only some runs that are halted give these.
    let result = json!({
        "move": "3", "value": 1, "result": null, "distance": null, "endless": false, "chance": 0.5,
    });
    hold(&contract, &json!({ "$ref": "#/components/schemas/MoveReport" }), &result, "an estimate");
}

#[test]
fn what_halted_a_run_is_said_in_the_answer() {
    let server = Server::start(&["--think", "1s", "--memory", "1M", "--workers", "1"]);
    let (_, contract) = server.json("/api/v1/openapi.json");
    // The time was up: what was found by then is an answer.
    let answer = server.get("/api/v1/solve?game=kalah&time=50ms&method=search");
    assert_eq!(answer.status, 200, "{answer:?}");
    hold_answer(&contract, "/solve", &answer);
    let halted = answer.json()["halted"].as_str().unwrap().to_owned();
    assert!(halted.starts_with("the time limit was reached"), "{halted}");
    assert_eq!(answer.header("foregone-halted"), halted);
    let answer = server.get("/api/v1/solve?game=tic-tac-toe&moves=1,2,3,4,5");
    assert_eq!((answer.status, &answer.json()["halted"]), (200, &Value::Null));
    // The server's own limit is nobody's mistake.
    let answer = server.get("/api/v1/solve?game=kalah&method=strong");
    hold_problem(&contract, &answer, 503, "memory");
    hold_answer(&contract, "/solve", &answer);
    assert!(answer.json()["detail"].as_str().unwrap().contains("memory limit"), "{answer:?}");
    assert_eq!(answer.header("retry-after"), "1");
    // What no method of that name can answer is asked for wrongly.
    for path in [
        "/solve?game=three-mens-morris&method=search&moves=1,2,3,4,5,6",
        "/solve?game=tic-tac-toe&method=proof&depth=3",
        "/solve?game=tic-tac-toe&method=table",
    ] {
        let answer = server.get(&format!("/api/v1{path}"));
        hold_problem(&contract, &answer, 400, path);
    }
    // A tree has less room, whatever the server has.
    let usual = Server::start(&[]);
    let answer = usual.get("/api/v1/tree?game=mnk(columns=8,rows=8,line=5)&depth=9");
    hold_problem(&contract, &answer, 503, "tree");
    hold_answer(&contract, "/tree", &answer);
    assert!(answer.json()["detail"].as_str().unwrap().contains("9 plies, ask for fewer"));
    usual.end();
    server.end();
}
