(* The tree of rules that Foregone prints, as the type of Tree.v. What is read wrongly here would be other rules: so
   this file is trusted where a text is checked. *)

open Checked
open Rust

let rec positive i = if i = 1 then XH else if i land 1 = 1 then XI (positive (i lsr 1)) else XO (positive (i lsr 1))
let n_of_int i = if i = 0 then N0 else Npos (positive i)
let z_of_int i = if i = 0 then Z0 else if i > 0 then Zpos (positive i) else Zneg (positive (-i))
let rec int_of_positive = function XH -> 1 | XO p -> 2 * int_of_positive p | XI p -> 2 * int_of_positive p + 1
let int_of_z = function Z0 -> 0 | Zpos p -> int_of_positive p | Zneg p -> - int_of_positive p
let nat_of_int =
  let known = Array.make 256 O in
  for i = 1 to 255 do known.(i) <- S known.(i - 1) done;
  let rec more i = if i < 256 then known.(i) else S (more (i - 1)) in
  more

let wrong what = raise (Invalid ("expected " ^ what))

(* A natural number in decimal, of any size. *)
let n_of_digits digits =
  let ten = n_of_int 10 in
  String.fold_left (fun n d -> N.add (N.mul n ten) (n_of_int (Char.code d - 48))) N0 digits

let int = function
  | Number i when String.length i <= 18 -> int_of_string i
  | _ -> wrong "a number"
let nat value = let i = int value in if i < 0 || i > 65535 then wrong "a small number" else nat_of_int i
let is_long i = String.length i > 40
let n = function Number i when i.[0] <> '-' && not (is_long i) -> n_of_digits i | _ -> wrong "a number from 0"
let z = function
  | Number i when is_long i -> wrong "a number of at most 40 digits"
  | Number i when i.[0] = '-' -> Z.opp (Z.of_N (n_of_digits (String.sub i 1 (String.length i - 1))))
  | Number i -> Z.of_N (n_of_digits i)
  | _ -> wrong "a number"
let list item = function List all -> List.map item all | _ -> wrong "a list"
let pair item value = match list item value with [ a; b ] -> (a, b) | _ -> wrong "two values"
let boolean = function Name ("true", []) -> true | Name ("false", []) -> false | _ -> wrong "true or false"

(* Several parts as an operator of two. *)
let joined join none item value =
  match List.rev (list item value) with
  | [] -> none
  | last :: before -> List.fold_left (fun all part -> join part all) last before

(* The number of cells. *)
let cells text = match parse text with Fields ("Tree", ("cells", cells) :: _) -> int cells | _ -> wrong "a tree of rules"

(* With sets of any kind. *)
module Make (S : Sets) = struct
  module Texts = Texts (S)
  open Texts.T

  (* No set and no list has other cells than the board. *)
  let board_cells = ref 0
  let rec bits = function XH -> 1 | XI p | XO p -> 1 + bits p
  let cells value =
    let set = n value in
    (match set with Npos p when bits p > !board_cells -> wrong "cells of the board" | _ -> ());
    S.of_bits set
  let cell value = if int value >= !board_cells then wrong "a cell of the board" else nat value
  let rays = function Fields ("Rays", [ ("from", from); ("cells", _) ]) -> list (list (list cell)) from | _ -> wrong "rays"
  (* A local is one of so many as the side has. *)
  let most_locals = ref 0
  let local value =
    let i = int value in
    if i < 0 then wrong "a local";
    most_locals := max !most_locals (i + 1);
    nat value

  let sign = function
    | Name ("Plus", []) -> Plus | Name ("Minus", []) -> Minus | Name ("Times", []) -> Times
    | Name ("Divide", []) -> Divide | Name ("Remainder", []) -> Remainder
    | Name ("Least", []) -> Least | Name ("Most", []) -> Most
    | _ -> wrong "a sign"

  let rec set = function
    | Name ("Cells", [ c ]) -> Cells (cells c)
    | Name ("State", [ at ]) -> InState (nat at)
    | Name ("Local", [ at ]) -> Local (local at)
    | Name ("Union", [ parts ]) -> joined (fun a b -> Union (a, b)) (Cells S.nothing) set parts
    | Name ("Both", [ List [] ]) -> wrong "a part"  (* What is in all of no sets depends on how sets are kept. *)
    | Name ("Both", [ parts ]) -> joined (fun a b -> Both (a, b)) (Cells S.nothing) set parts
    | Name ("Minus", [ a; b ]) -> Without (set a, set b)
    | Fields ("Step", [ ("table", table); ("of", s) ]) -> Step (list cells table, set s)
    | Fields ("Rows", [ ("rows", rows); ("within", s) ]) -> Rows (list cells rows, set s)
    | Fields ("Flood", [ ("from", from); ("within", within); ("table", table) ]) -> Flood (set from, set within, list cells table)
    | Fields ("Ray", [ ("from", from); ("through", through); ("rays", r) ]) -> Ray (set from, set through, rays r)
    | Fields ("Between", [ ("from", f); ("through", t); ("to", u); ("rays", r); ("max", m) ]) ->
      Between (set f, set t, set u, rays r, nat m)
    | Fields ("Beyond", [ ("from", f); ("through", t); ("to", u); ("rays", r); ("max", m) ]) ->
      Beyond (set f, set t, set u, rays r, nat m)
    | Fields ("Full", [ ("count", count); ("of", s) ]) -> Full (nat count, set s)
    | _ -> wrong "a set"

  let rec number = function
    | Name ("Value", [ i ]) -> Value (z i)
    | Name ("Local", [ at ]) -> NumberLocal (local at)
    | Name ("State", [ at ]) -> NumberState (nat at)
    | Name ("Size", [ s ]) -> Size (set s)
    | Fields ("Sum", [ ("count", count); ("over", s) ]) -> Sum (nat count, set s)
    | Name ("Negative", [ a ]) -> Negative (number a)
    | Name ("Calculate", [ s; a; b ]) -> Calculate (sign s, number a, number b)
    | _ -> wrong "a number of the rules"

  let rec truth = function
    | Name ("Known", [ b ]) -> Known (boolean b)
    | Name ("Local", [ at ]) -> TruthLocal (local at)
    | Name ("Any", [ s ]) -> Any (set s)
    | Name ("Same", [ a; b ]) -> Same (set a, set b)
    | Name ("Equal", [ a; b ]) -> Equal (number a, number b)
    | Name ("Less", [ a; b ]) -> Less (number a, number b)
    | Name ("Not", [ t ]) -> Not (truth t)
    | Name ("All", [ parts ]) -> joined (fun a b -> All (a, b)) (Known true) truth parts
    | Name ("Either", [ parts ]) -> joined (fun a b -> Either (a, b)) (Known false) truth parts
    | _ -> wrong "a condition"

  let rec statement = function
    | Fields ("Choose", [ ("local", at); ("from", s) ]) -> Choose (local at, set s)
    | Fields ("Pick", [ ("local", at); ("from", a); ("to", b) ]) -> Pick (local at, number a, number b)
    | Fields ("SetLocal", [ ("local", at); ("value", s) ]) -> SetLocal (local at, set s)
    | Fields ("NumberLocal", [ ("local", at); ("value", v) ]) -> LetNumber (local at, number v)
    | Fields ("TruthLocal", [ ("local", at); ("value", t) ]) -> LetTruth (local at, truth t)
    | Name ("Require", [ t ]) -> Require_ (truth t)
    | Fields ("If", [ ("condition", t); ("then", a); ("otherwise", b) ]) -> If (truth t, block a, block b)
    | Fields ("Either", [ ("alternatives", ways); ("labels", labels) ]) ->
      let blocks = list block ways and labels = List.length (list int labels) in
      if labels > 0 && labels <> List.length blocks then wrong "a label for each way";
      Ways (labels > 0, List.fold_left (fun all way -> Or (way, all)) NoMore (List.rev blocks))
    | Fields ("For", [ ("local", at); ("over", s); ("body", body) ]) -> For (local at, set s, block body)
    | Fields ("Repeat", [ ("times", times); ("body", body) ]) -> Repeat (number times, block body)
    | Name ("Stop", []) -> Stop
    | Fields ("Put", [ ("set", kind); ("on", on) ]) -> Put (nat kind, set on)
    | Name ("Clear", [ on ]) -> Clear (set on)
    | Fields ("Mark", [ ("set", kind); ("value", v) ]) -> Mark (nat kind, set v)
    | Fields ("Move", [ ("from", from); ("to", to_) ]) -> Move (set from, set to_)
    | Fields ("Permute", [ ("table", table) ]) -> Permute (list cell table)
    | Fields ("SetCount", [ ("count", count); ("cell", cell); ("change", change); ("value", v) ]) ->
      let change = match change with
        | Name ("None", []) -> None
        | Name ("Some", [ s ]) -> Some (sign s)
        | _ -> wrong "a change" in
      SetCount (nat count, set cell, change, number v)
    | Fields ("SetNumber", [ ("number", at); ("value", v) ]) -> SetNumber (nat at, number v)
    | Fields ("Sow", [ ("local", at); ("count", count); ("from", from); ("skip", skip); ("next", next) ]) ->
      Sow (local at, nat count, set from, set skip, list cell next)
    | Name ("Again", []) -> Again
    | Name ("Finish", [ v ]) -> Finish (number v)
    | _ -> wrong "a statement"
  and block value = List.fold_left (fun all s -> Then (s, all)) Done (List.rev (list statement value))

  let side value =
    most_locals := 0;
    match value with
    | Fields ("SideRules", [ ("moves", moves); ("end", end_); ("stuck", stuck); ("locals", locals) ]) ->
      let when_stuck = match stuck with
        | Name ("Never", []) -> Never
        | Name ("Ends", [ b ]) -> StuckEnds (block b)
        | Name ("Passes", [ b ]) -> StuckPasses (block b)
        | _ -> wrong "what happens to who cannot move" in
      let side = { move_block = block moves; end_block = block end_; when_stuck; local_count = nat locals } in
      if !most_locals > int locals then wrong "as many locals as are used";
      side
    | _ -> wrong "the rules of a side"

  (* The rules, what endless play is worth to the first player, and the start. *)
  let read text =
    match parse text with
    | Fields ("Tree",
        [ ("cells", cell_count);
          ("layout", Fields ("Layout",
            [ ("sets", set_count); ("pieces", pieces); ("counts", count_ranges); ("numbers", number_ranges) ]));
          ("endless", endless);
          ("start", Fields ("Position",
            [ ("sets", sets); ("counts", counts); ("numbers", numbers); ("turn", turn); ("result", result) ]));
          ("sides", List [ first; second ]) ]) ->
      board_cells := int cell_count;
      let ranges = list (pair z) in
      let board = { pieces = nat pieces; cell_count = nat cell_count; count_ranges = ranges count_ranges;
                    number_ranges = ranges number_ranges } in
      let result = match result with
        | Name ("None", []) -> None
        | Name ("Some", [ v ]) -> Some (z v)
        | _ -> wrong "a result" in
      let count = int cell_count in
      let fits all ranges = List.length (list Fun.id all) = List.length (list Fun.id ranges) in
      if count > 128 then wrong "at most 128 cells";
      if List.length (list Fun.id sets) <> int set_count || int pieces > int set_count || not (fits counts count_ranges)
         || not (fits numbers number_ranges) || List.exists (fun all -> List.length all <> count) (list (list z) counts)
      then wrong "a start with what the layout has";
      let turn = match int turn with 0 -> true | 1 -> false | _ -> wrong "0 or 1" in
      ( { board; first_side = side first; second_side = side second }, number endless,
        { sets = list cells sets; counts = list (list z) counts; numbers = list z numbers; turn; result } )
    | _ -> wrong "a tree of rules"
end
