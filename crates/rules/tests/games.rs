//! Every game that Foregone comes with keeps every promise that its type makes, whatever its parameters.

use foregone_rules::Conform;
use foregone_rules::family::{Args, Family, Kind, specification};
use foregone_rules::games::{Alias, EachFamily, each};
use foregone_rules::promise::Declare;
use foregone_rules::sample::Dice;

/// Choices of parameters that are tried of each family.
const VARIANTS: usize = 12;

/// Checks each family: as it is, and with parameters drawn at random.
struct Check(usize);

impl EachFamily for Check {
    fn family<F: Family + Declare>(&mut self, _: &[Alias]) {
        let mut dice = Dice::new(F::ABOUT.name.len() as u64);
        let mut checked = 0;
        while checked < VARIANTS {
            let texts: Vec<_> = F::ABOUT
                .parameters
                .iter()
                .map(|parameter| {
                    let text = match &parameter.kind {
                        _ if checked == 0 => parameter.default.to_owned(),
                        Kind::Number { min, max, step } => {
                            let steps = (max - min) / step + 1;
                            (min + step * dice.below(steps as usize) as u32).to_string()
                        }
                        Kind::Choice(words) => words[dice.below(words.len())].to_owned(),
                        Kind::Flag => (dice.below(2) == 1).to_string(),
                        Kind::Text(_) => parameter.default.to_owned(),
                    };
                    (parameter.name, text)
                })
                .filter(|(_, text)| !text.is_empty())
                .collect();
            let given = texts.iter().map(|(name, text)| (*name, text.as_str()));
            // Not all parameters go together.
            let Ok(game) = F::create(&Args::new(&F::ABOUT, given).unwrap()) else { continue };
            let report = Conform::sampled(&game, 500, checked as u64).declared().finish();
            if let Err(broken) = report {
                panic!("{}: {broken}", specification(&game));
            }
            checked += 1;
            if F::ABOUT.parameters.is_empty() {
                break;
            }
        }
        self.0 += checked;
    }
}

#[test]
fn all_games_keep_their_promises() {
    let mut check = Check(0);
    each(&mut check);
    assert!(check.0 > 4 * VARIANTS, "{}", check.0);
}
