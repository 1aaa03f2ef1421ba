(* foregone-verified: checks tapes (docs/format.md) by what was extracted from Coq. Reading the entries and making the
   book are not trusted: a wrong book is refused. What is printed is what `run_...` was asked, and it said yes. *)

open Checked
open Rules

exception Refused of string
let refuse why = raise (Refused why)

type claim = { first : bool; at_least : int; moves : int list; longest : int; most : int; entries : int; bytes : int }

let claim_of line =
  let read side at_least moves longest most entries bytes =
    let first = match side with "first" -> true | "second" -> false | _ -> refuse "expected first or second" in
    let moves = match Rust.parse moves with
      | Rust.List all -> List.map int all
      | _ -> refuse "expected a list of moves" in
    { first; at_least; moves; longest; most; entries; bytes } in
  try Scanf.sscanf line "claim %s %d moves %s@] longest %d most %d entries %d bytes %d%!"
    (fun side at_least moves -> read side at_least (moves ^ "]"))
  with Scanf.Scan_failure _ | End_of_file | Failure _ -> refuse "the third line is no claim"

(* The entries one after the other. *)
let reader bytes =
  let at = ref 0 in
  let rec number shift =
    if !at >= String.length bytes then refuse "an entry is missing";
    let byte = Char.code bytes.[!at] in
    incr at;
    if byte < 128 then byte lsl shift
    else if shift > 28 then refuse "a number is too large"
    else (byte - 128) lsl shift lor number (shift + 7) in
  ((fun () -> let mv = number 0 in (mv, number 0)), fun () -> !at = String.length bytes)

(* The walk of docs/format.md in a game: the book of a tape. *)
let book_of (game : game) claim bytes ~mine ~root ~known ~add ~empty =
  let next, at_end = reader bytes in
  let small = Array.init 65536 (fun _ -> None) in
  let numbers make = fun i ->
    if i >= 65536 then make i
    else match small.(i) with Some made -> made | None -> let made = make i in small.(i) <- Some made; made in
  let rank = numbers n_of_int in
  (* The positions in which the side moves next, in front of others. *)
  let rec opened left mine s open_ =
    match game.over s with
    | Some _ -> open_
    | None when mine -> s :: open_
    | None when left = 0 -> refuse "the other side moves too often"
    | None -> List.fold_right (fun (again, t) open_ -> opened (left - 1) (not again) t open_) (game.moves s) open_ in
  let rec walk book open_ =
    match open_ with
    | [] -> book
    | s :: open_ when known book s -> walk book open_
    | s :: open_ ->
      let mv, r = next () in
      match List.nth_opt (game.moves s) mv with
      | None -> refuse "a move is not legal"
      | Some (again, t) ->
        walk (add book s { move_no = nat_of_int mv; rank = rank r }) (opened claim.longest again t open_) in
  let book = walk empty (opened claim.longest mine root []) in
  if not (at_end ()) then refuse "there are entries too many";
  book

(* The root, to begin the walk from. *)
let rec root_of (game : game) moves first s =
  match moves with
  | [] -> (first, s)
  | mv :: moves ->
    match game.over s, List.nth_opt (game.moves s) mv with
    | None, Some (again, t) -> root_of game moves (if again then first else not first) t
    | _ -> refuse "a move to the root is not legal"

let check_game (game : game) claim bytes ~first ~start ~known ~add ~empty ?(finish = fun book -> book) run =
  let side, root = root_of game claim.moves first start in
  let book = finish (book_of game claim bytes ~mine:(side = claim.first) ~root ~known ~add ~empty) in
  run (List.map nat_of_int claim.moves) claim.first (z_of_int claim.at_least) book (n_of_int claim.most)

let check_text tree claim bytes =
  let rules, endless, start = Rules.read tree in
  let run moves player c book most =
    run_text rules endless start moves player c book most (nat_of_int (max 1 claim.longest)) in
  let known book s = text_find book (Obj.magic s) <> None in
  let add book s e = text_insert book (Obj.magic s) e in
  check_game (text_game rules) claim bytes ~first:start.turn ~start:(Obj.magic start) ~known ~add ~empty:Leaf run

let plainly = ref false

let check_four columns rows claim bytes =
  if columns < 1 || rows < 1 || columns > 32 || rows > 32 then refuse "no such board";
  let c = nat_of_int columns and r = nat_of_int rows in
  if columns * (rows + 1) <= 63 && not !plainly then
    (* A balanced tree of all entries, in the order of cmp2. *)
    let table = Hashtbl.create (max 16 (min claim.entries 20_000_000)) in
    let known _ s = Hashtbl.mem table (Obj.magic s : int * int) in
    let add _ s e = Hashtbl.replace table (Obj.magic s : int * int) e; Leaf in
    let finish _ =
      let all = Array.make (Hashtbl.length table) ((0, 0), { move_no = O; rank = N0 }) in
      let at = ref 0 in
      Hashtbl.iter (fun key e -> all.(!at) <- (key, e); incr at) table;
      Hashtbl.reset table;
      let order ((a, b), _) ((c, d), _) = match Uint63.compare a c with 0 -> Uint63.compare b d | c -> c in
      Array.stable_sort order all;
      let rec tree low high =
        if low >= high then Leaf
        else
          let middle = (low + high) / 2 in
          let key, e = all.(middle) in
          Node (tree low middle, Obj.magic key, e, tree (middle + 1) high) in
      tree 0 (Array.length all) in
    check_game (int_game c r) claim bytes ~first:true ~start:(Obj.magic (four_ints c r)) ~known ~add ~empty:Leaf ~finish
      (run_ints c r)
  else
    let known book s = find2 book (Obj.magic s) <> None in
    let add book s e = put2 book (Obj.magic s) e in
    check_game (word_game c r) claim bytes ~first:true ~start:(Obj.magic (four_start c r)) ~known ~add ~empty:Empty
      (run_words c r)

let is_rules line = String.length line > 6 && String.sub line 0 6 = "rules "

let statement game claim =
  let side = if claim.first then "first" else "second" in
  let from = match claim.moves with
    | [] -> "from the start"
    | moves -> "after the moves number " ^ String.concat ", " (List.map string_of_int moves) ^ " of the rules" in
  Printf.sprintf "%s: %s the %s player gets at least %d" game from side claim.at_least

let line_of input = try Some (input_line input) with End_of_file -> None
let bytes_of input count = try Some (really_input_string input count) with End_of_file -> None

let four_size game =
  try Scanf.sscanf game "game connect-four(columns=%d,rows=%d,line=4,score=result)%!" (fun c r -> Some (c, r))
  with Scanf.Scan_failure _ | End_of_file | Failure _ -> None

let check_one input =
  match line_of input with
  | None -> false
  | Some "tape 1" ->
    let line what = match line_of input with Some line -> line | None -> refuse (what ^ " is missing") in
    let game = line "the game" in
    let claim = claim_of (line "the claim") in
    if claim.bytes < 0 || claim.bytes > Sys.max_string_length then refuse "no such size";
    let bytes = match bytes_of input claim.bytes with
      | Some bytes -> bytes
      | None -> refuse "entries are missing" in
    let begun = Sys.time () in
    let name, holds =
      if is_rules game then
        let tree = String.sub game 6 (String.length game - 6) in
        ("the rules with the MD5 " ^ Digest.to_hex (Digest.string tree), check_text tree claim bytes)
      else
        match four_size game with
        | Some (columns, rows) ->
          (Printf.sprintf "Connect Four with %d columns and %d rows" columns rows, check_four columns rows claim bytes)
        | None -> refuse ("no rules of this game are known here: " ^ game ^ "; prove its text, as in text:NAME") in
    if not holds then refuse ("this does not hold, or the proof is wrong: " ^ statement name claim);
    Printf.printf "proven: %s (%d entries, %.1f s)\n%!" (statement name claim) claim.entries (Sys.time () -. begun);
    true
  | Some _ -> refuse "this is no tape"

(* How many lines of play the rules of a tree have, to some plies: to hold Tree.v against Foregone. *)
let count_lines plies tree =
  let rules, _, start = Rules.read tree in
  let game = text_game rules in
  let rec lines plies s =
    if plies = 0 || game.over s <> None then 1
    else List.fold_left (fun all (_, t) -> all + lines (plies - 1) t) 0 (game.moves s) in
  List.init plies (fun at -> string_of_int (lines (at + 1) (Obj.magic start)))

let usage = "usage: foregone-verified [--plain] FILE
       foregone-verified --lines PLIES FILE

Checks a proof (the program foregone, or what FOREGONE names, reads the file) or a tape; `-` is the standard
input. --plain: without primitive integers. --lines: counts the lines of play of a tree of rules."

let check_all file =
  let foregone = Option.value (Sys.getenv_opt "FOREGONE") ~default:"foregone" in
  let begins file = let input = open_in_bin file in let begins = bytes_of input 5 in close_in input; begins in
  let input =
    if file = "-" then stdin
    else if begins file = Some "tape " then open_in_bin file
    else Unix.open_process_args_in foregone [| foregone; "explain"; file; "--format"; "tape" |] in
  set_binary_mode_in input true;
  let rec all count = if check_one input then all (count + 1) else count in
  if all 0 = 0 then refuse "nothing was checked"

let () =
  let fail why = prerr_endline ("error: " ^ why); exit 1 in
  try match List.tl (Array.to_list Sys.argv) with
    | [ "--lines"; plies; file ] ->
      let input = open_in_bin file in
      (match line_of input with
       | Some tree -> print_endline (String.concat " " (count_lines (int_of_string plies) tree))
       | None -> refuse "the file is empty")
    | [ "--plain"; file ] -> plainly := true; check_all file
    | [ file ] when file <> "--help" -> check_all file
    | _ -> print_endline usage; exit 2
  with
  | Refused why -> fail why
  | Rust.Invalid why -> fail ("the rules cannot be read: " ^ why)
  | Failure why | Sys_error why -> fail why
  | Stack_overflow -> fail "too deep"
  | Out_of_memory -> fail "no memory is left"
