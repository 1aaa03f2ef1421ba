//! Every game in docs/rules.md is right, and played as it is written.

use foregone_text::Text;

#[test]
fn games_of_the_documentation_are_right() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules.md");
    let text = std::fs::read_to_string(path).unwrap();
    let games: Vec<&str> =
        text.split("```rules\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(games.len() >= 5, "{}", games.len());
    for source in games {
        let name = source.lines().next().unwrap();
        let text =
            Text::parse(source).unwrap_or_else(|problems| panic!("{}", problems.shown(name)));
        let compared = text.load(&[]).unwrap().compare(20, &mut || true);
        assert!(compared.as_ref().is_ok_and(|moves| *moves > 20), "{name}: {compared:?}");
    }
}
