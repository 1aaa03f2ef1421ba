//! Every verb and every kind of error, as a person types it: the files in `tests/cmd` hold commands
//! with what they print and how they end. `TRYCMD=overwrite cargo test --test cmd` writes them
//! anew; then `[..]` is to be put where a time stands.

#[test]
fn commands() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
