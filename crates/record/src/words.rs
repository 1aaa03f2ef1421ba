//! Numbers and texts for people.

/// A number with commas between groups of three digits.
pub fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with what is counted: `1 position`, `1,234 positions`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// A number of units, which end in `s`: `1 stone`, `3 stones`, `1 box`.
pub fn amount(count: u32, unit: &str) -> String {
    let one = match unit {
        _ if unit.ends_with("xes") => unit.strip_suffix("es").map(str::to_owned),
        _ if unit.ends_with("ies") => unit.strip_suffix("ies").map(|stem| format!("{stem}y")),
        _ => unit.strip_suffix('s').map(str::to_owned),
    };
    match count {
        1 => format!("1 {}", one.as_deref().unwrap_or(unit)),
        _ => format!("{count} {unit}"),
    }
}

/// Text of a file, safe to print: all is escaped that is not ASCII, or controls a terminal, since some of it looks like
/// other text, or like none.
pub fn escaped(text: &str) -> String {
    let one = |c: char| match c {
        '\\' => r"\\".to_owned(),
        ' '..='~' => c.to_string(),
        _ if c.is_ascii() => c.escape_default().to_string(),
        _ => c.escape_unicode().to_string(),
    };
    text.chars().map(one).collect()
}

/// [`escaped`] text, truncated if it is long.
pub fn shown(text: &str) -> String {
    const LONGEST: usize = 200;
    let short: String = text.chars().take(LONGEST).collect();
    let more = if short.len() < text.len() { "..." } else { "" };
    escaped(&short) + more
}

/// A number of bytes in the largest unit that leaves at least one: `1.5 GiB`.
pub fn bytes(count: u64) -> String {
    let units = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    let fitting = units.iter().find(|(shift, _)| count >> shift > 0);
    fitting.map_or_else(
        || counted(count, "byte", "bytes"),
        |(shift, unit)| {
            let amount = format!("{:.1}", count as f64 / (1u64 << shift) as f64);
            format!("{} {unit}", amount.strip_suffix(".0").unwrap_or(&amount))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_read_them() {
        assert_eq!(grouped(0u64), "0");
        assert_eq!(grouped(999u64), "999");
        assert_eq!(grouped(1_000u64), "1,000");
        assert_eq!(grouped(12_345_678u64), "12,345,678");
        assert_eq!(counted(1, "move", "moves"), "1 move");
        assert_eq!(
            (amount(1, "stones"), amount(3, "stones")),
            ("1 stone".into(), "3 stones".into())
        );
        assert_eq!((amount(1, "boxes"), amount(2, "boxes")), ("1 box".into(), "2 boxes".into()));
        assert_eq!(shown("a\r\u{1b}[2Kb"), r"a\r\u{1b}[2Kb");
        assert_eq!(escaped("min\u{435} ♔"), r"min\u{435} \u{2654}");
        assert_eq!(shown(&"long".repeat(1000)).len(), 203);
        assert_eq!((bytes(1), bytes(1023)), ("1 byte".into(), "1,023 bytes".into()));
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(bytes(2 << 30), "2 GiB");
    }
}
