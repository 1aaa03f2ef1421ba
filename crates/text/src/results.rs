//! The results that moves can have, from the numbers in `win`, `lose`, `draw` and `score`.

use crate::typed::{Block, Layout, MAX_SCORE, Number, Rules, Sign, Statement, Stuck, max_cells};

/// A smallest and a largest number.
pub(crate) type Bounds = [i128; 2];

/// Bounds of a number of which nothing is known. Products of such numbers fit into 128 bits.
pub(crate) const ALL: Bounds = [i64::MIN as i128, i64::MAX as i128];

/// Whether a number is made of numbers of the position that no move lowers, and of no sets and counts.
pub(crate) fn never_falls(rules: &Rules, number: &Number) -> bool {
    match number {
        Number::Value(_) => true,
        Number::State(number) => {
            let blocks = rules.sides.iter().flat_map(|side| [&side.moves, &side.end]);
            blocks.into_iter().all(|block| is_not_lowered(rules, *number, block))
        }
        Number::Negative(inner) => never_falls(rules, inner),
        Number::Calculate(_, one, other) => never_falls(rules, one) && never_falls(rules, other),
        Number::Local(_) | Number::Size(_) | Number::Sum { .. } => false,
    }
}

fn is_not_lowered(rules: &Rules, number: usize, block: &Block) -> bool {
    let own = Number::State(number);
    let is_more = |more: &Number| bounds(&rules.layout, rules.board.cells.len(), more)[0] >= 0;
    block.iter().all(|statement| match statement {
        Statement::SetNumber { number: set, value } if *set == number => match value {
            Number::Calculate(Sign::Plus, one, other) => {
                **one == own && is_more(other) || **other == own && is_more(one)
            }
            Number::Calculate(Sign::Most, one, other) => **one == own || **other == own,
            value => *value == own,
        },
        other => other.blocks().all(|block| is_not_lowered(rules, number, block)),
    })
}

/// The smallest and the largest result that is given by a move, for the first player.
pub(crate) fn results(rules: &Rules) -> [i32; 2] {
    let mut all = None;
    for (side, own) in rules.sides.iter().enumerate() {
        join(rules, side, &own.moves, &mut all);
        join(rules, side, &own.end, &mut all);
    }
    all.unwrap_or([0, 0])
}

/// The smallest and the largest value of any position, for the first player.
pub(crate) fn values(rules: &Rules) -> [i32; 2] {
    let endless = &vec![Statement::Finish(rules.endless.clone())];
    // If nothing else is said, the end is a draw.
    let mut all = Some(results(rules)).map(|[low, high]| [low.min(0), high.max(0)]);
    join(rules, 0, endless, &mut all);
    for (side, own) in rules.sides.iter().enumerate() {
        match &own.stuck {
            Stuck::Never => {}
            Stuck::Ends(block) | Stuck::Passes(block) => join(rules, side, block, &mut all),
        }
    }
    all.unwrap_or([0, 0])
}

/// Extends bounds of results, for the first player, to those in a block of a side.
fn join(rules: &Rules, side: usize, block: &Block, all: &mut Option<[i32; 2]>) {
    let max = i128::from(MAX_SCORE);
    each_result(block, &mut |value| {
        let [low, high] = bounds(&rules.layout, rules.board.cells.len(), value)
            .map(|end| end.clamp(-max, max) as i32);
        let [low, high] = if side == 0 { [low, high] } else { [-high, -low] };
        let [least, max] = all.unwrap_or([low, high]);
        *all = Some([least.min(low), max.max(high)]);
    });
}

fn each_result(block: &Block, visit: &mut impl FnMut(&Number)) {
    for statement in block {
        match statement {
            Statement::Finish(value) => visit(value),
            other => other.blocks().for_each(|block| each_result(block, visit)),
        }
    }
}

/// The smallest and the largest value that a number can have; [`ALL`] if that is not known.
pub(crate) fn bounds(layout: &Layout, cells: usize, number: &Number) -> Bounds {
    let inner = |number| bounds(layout, cells, number);
    let max = |set| i128::from(max_cells(set, cells as u64, &|_| cells as u64));
    let [low, high] = match number {
        Number::Value(value) => [i128::from(*value); 2],
        Number::Local(_) => ALL,
        Number::State(number) => layout.numbers[*number].map(i128::from),
        Number::Size(set) => [0, max(set)],
        Number::Sum { count, over } => {
            let cells = max(over);
            let [least, max] = layout.counts[*count].map(i128::from);
            [cells * least.min(0), cells * max.max(0)]
        }
        Number::Negative(negated) => {
            let [low, high] = inner(negated);
            [-high, -low]
        }
        Number::Calculate(sign, one, other) => {
            let ([a, b], [c, d]) = (inner(one), inner(other));
            match sign {
                Sign::Plus => [a + c, b + d],
                Sign::Minus => [a - d, b - c],
                Sign::Times => {
                    let products = [a * c, a * d, b * c, b * d];
                    products.iter().fold([i128::MAX, i128::MIN], |[low, high], product| {
                        [low.min(*product), high.max(*product)]
                    })
                }
                Sign::Least => [a.min(c), b.min(d)],
                Sign::Most => [a.max(c), b.max(d)],
                // No larger than the dividend.
                Sign::Divide | Sign::Remainder => {
                    let max = a.abs().max(b.abs());
                    [-max, max]
                }
            }
        }
    };
    // Larger numbers wrap, and then may be anything.
    if low < ALL[0] || high > ALL[1] { ALL } else { [low, high] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Text, shipped};

    fn of(source: &str) -> [i32; 2] {
        results(&Text::parse(source).unwrap().rules(&[]).unwrap())
    }

    #[test]
    fn results_have_bounds() {
        let range = |name: &str| of(shipped(name).unwrap().source);
        assert_eq!(range("tic-tac-toe"), [-1, 1]);
        assert_eq!(range("connect-four"), [-1, 1]);
        // A row and a store, 7 cells with at most 48 seeds each, or less.
        assert_eq!(range("kalah"), [-336, 336]);
        let scored = |score: &str| {
            of(&format!(
                "game Scored\nboard 2 1\npiece x X O\nnumber n = 0 in -3..5\nstuck never\nmove\n  \
                 choose at in empty\n  put x on at\n  let most = 2 * n\nend\n  {score}\n"
            ))
        };
        assert_eq!(scored("if mine: score 7"), [-7, 7]);
        assert_eq!(scored("score max(n, 1) * n - count(mine)"), [-25, 25]);
        assert_eq!(scored("score n / 2 + n % 2"), [-10, 10]);
        assert_eq!(scored("score 3000000000 * 3000000000 * n"), [-(1 << 20), 1 << 20]);
    }

    #[test]
    fn endless_play_has_one_worth_along_a_loop() {
        let text = |change: &str, worth: &str| {
            let text = format!(
                "game Endless\nboard 2 1\npiece x X O\nnumber n = 0 in 0..5 each\nstuck never\nendless \
                 score {worth}\nmove\n  choose at in empty\n  put x on at\n  {change}\n"
            );
            Text::parse(&text).and_then(|text| text.rules(&[]))
        };
        assert!(text("n = n + count(mine)", "n - their n").is_ok());
        assert!(text("n = max(n, 3)", "2 * n").is_ok());
        for (change, worth) in [("n = n - 1", "n"), ("n = 0", "their n"), ("n = n", "count(mine)")]
        {
            let problems = text(change, worth).unwrap_err().to_string();
            assert!(problems.contains("a worth that stays the same"), "{change} {problems}");
        }
    }
}
