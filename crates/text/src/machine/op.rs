//! The instructions of the machine.

use crate::typed::Sign;

/// The number of a register. The first ones are the words of the position.
pub type Register = u8;

/// The number of registers.
pub const REGISTERS: usize = 64;

/// The number of an instruction.
pub type Place = u16;

/// An instruction. `to` is the register of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Constant {
        to: Register,
        constant: u8,
    },
    Copy {
        to: Register,
        from: Register,
    },
    And {
        to: Register,
        one: Register,
        other: Register,
    },
    Or {
        to: Register,
        one: Register,
        other: Register,
    },
    /// The cells of one set that are not in another.
    Minus {
        to: Register,
        one: Register,
        other: Register,
    },
    AndConstant {
        to: Register,
        one: Register,
        constant: u8,
    },
    OrConstant {
        to: Register,
        one: Register,
        constant: u8,
    },
    /// The cells of a constant that are not in a set.
    Outside {
        to: Register,
        of: Register,
        constant: u8,
    },
    /// The cells of a constant that are in neither of two sets.
    Neither {
        to: Register,
        one: Register,
        other: Register,
        constant: u8,
    },
    /// The cells of a constant that are in a set, moved by a number of bits to higher numbers.
    Up {
        to: Register,
        of: Register,
        by: u8,
        constant: u8,
    },
    Down {
        to: Register,
        of: Register,
        by: u8,
        constant: u8,
    },
    /// The cells that a table gives for one cell, or for none.
    LookUp {
        to: Register,
        of: Register,
        table: u8,
    },
    /// The cells that a table gives for each cell of a set.
    Step {
        to: Register,
        of: Register,
        table: u8,
    },
    Rows {
        to: Register,
        within: Register,
        rows: u8,
    },
    Flood {
        to: Register,
        from: Register,
        within: Register,
        table: u8,
    },
    Ray {
        to: Register,
        from: Register,
        through: Register,
        rays: u8,
    },
    Between {
        to: Register,
        from: Register,
        through: Register,
        end: Register,
        rays: u8,
        max: u8,
    },
    Beyond {
        to: Register,
        from: Register,
        through: Register,
        end: Register,
        rays: u8,
        max: u8,
    },
    /// The cells of a set whose count is not 0.
    Full {
        to: Register,
        of: Register,
        count: u8,
    },

    /// The cells of a constant whose count is not 0; counts begin at 0.
    FullConstant {
        to: Register,
        constant: u8,
        count: u8,
    },
    Size {
        to: Register,
        of: Register,
    },
    /// The sum of the bytes that masks select, and a number.
    SumConstant {
        to: Register,
        masks: u8,
    },
    /// The count of the first cell of a set; 0 if there is none.
    CountAt {
        to: Register,
        of: Register,
        count: u8,
    },
    Sum {
        to: Register,
        over: Register,
        count: u8,
    },
    Field {
        to: Register,
        field: u8,
    },
    Calculate {
        to: Register,
        sign: Sign,
        one: Register,
        other: Register,
    },

    Jump {
        place: Place,
    },
    IfEmpty {
        of: Register,
        place: Place,
    },
    IfAny {
        of: Register,
        place: Place,
    },
    IfApart {
        one: Register,
        other: Register,
        place: Place,
    },
    IfMeet {
        one: Register,
        other: Register,
        place: Place,
    },
    IfApartConstant {
        one: Register,
        constant: u8,
        place: Place,
    },
    IfMeetConstant {
        one: Register,
        constant: u8,
        place: Place,
    },
    IfEqual {
        one: Register,
        other: Register,
        place: Place,
    },
    IfUnequal {
        one: Register,
        other: Register,
        place: Place,
    },
    IfEqualConstant {
        one: Register,
        constant: u8,
        place: Place,
    },
    IfUnequalConstant {
        one: Register,
        constant: u8,
        place: Place,
    },
    IfLess {
        one: Register,
        other: Register,
        place: Place,
    },
    IfNotLess {
        one: Register,
        other: Register,
        place: Place,
    },
    IfRow {
        within: Register,
        rows: u8,
        place: Place,
    },
    IfNoRow {
        within: Register,
        rows: u8,
        place: Place,
    },

    /// Takes the lowest cell out of a set; jumps if there is none.
    Next {
        to: Register,
        rest: Register,
        place: Place,
    },
    /// Counts down; jumps if the number is not positive.
    CountDown {
        number: Register,
        place: Place,
    },

    /// Cells come to one set and leave another.
    PutOne {
        set: Register,
        other: Register,
        on: Register,
    },
    /// Cells leave the first two sets.
    ClearBoth {
        on: Register,
    },
    /// What is on the first cell of a set goes to the first cell of another.
    Carry {
        from: Register,
        onto: Register,
    },
    Permute {
        table: u8,
    },
    SetCount {
        on: Register,
        value: Register,
        count: u8,
    },
    ChangeCount {
        on: Register,
        value: Register,
        count: u8,
        sign: Sign,
    },
    SetField {
        value: Register,
        field: u8,
    },
    Sow {
        to: Register,
        from: Register,
        skip: Register,
        sowing: u8,
    },

    /// Each cell of a set in turn.
    Choose {
        to: Register,
        from: Register,
    },
    /// Sows by a table; or one by one if the table ends before.
    SowByTable {
        to: Register,
        from: Register,
        table: u8,
    },
    /// Each number of a range in turn.
    Pick {
        to: Register,
        from: Register,
        last: Register,
    },
    /// First this way, then the one at a place.
    Fork {
        place: Place,
    },
    /// A label that is chosen.
    Label {
        label: u8,
    },
    Fail,
    /// The choices are no move if a set is empty.
    FailIfEmpty {
        of: Register,
    },
    Again,
    Finish {
        value: Register,
    },
    FinishConstant {
        constant: u8,
    },
    /// A move is complete.
    Done,
}
