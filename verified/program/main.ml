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
      | Rust.List all ->
        List.map (fun mv -> match int mv with mv when mv < 0 -> refuse "a move is not legal" | mv -> mv) all
      | _ -> refuse "expected a list of moves" in
    if at_least < -(1 lsl 20) || at_least > 1 lsl 20 || longest < 0 || longest > 100_000 || most < 0 || entries < 0 || entries > bytes / 2 then
      refuse "the claim is none that Foregone makes";
    { first; at_least; moves; longest; most; entries; bytes } in
  try Scanf.sscanf line "claim %s %d moves %s@] longest %d most %d entries %d bytes %d%!"
    (fun side at_least moves -> read side at_least (moves ^ "]"))
  with Scanf.Scan_failure _ | End_of_file | Failure _ -> refuse "the third line is neither a claim nor the size of a table"

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

(* The walk of docs/format.md in a game: the entries of a tape. *)
let walk (game : game) move claim bytes ~mine ~root ~known ~add =
  let left = ref claim.entries in
  let next, at_end = reader bytes in
  let small = Array.init 65536 (fun _ -> None) in
  let numbers make = fun i ->
    if i >= 65536 then make i
    else match small.(i) with Some made -> made | None -> let made = make i in small.(i) <- Some made; made in
  let rank = numbers n_of_int in
  (* The positions in which the side moves next, in front of others; in some of them the game may be over. *)
  let rec opened left mine s open_ =
    if mine then s :: open_
    else match game.over s with
      | Some _ -> open_
      | None when left = 0 -> refuse "the other side moves too often"
      | None -> List.fold_right (fun (again, t) open_ -> opened (left - 1) (not again) t open_) (game.moves s) open_ in
  let rec go = function
    | [] -> ()
    | s :: open_ when known s || game.over s <> None -> go open_
    | s :: open_ ->
      let mv, r = next () in
      (* Numbers of the rules are as long as they are large. *)
      match if mv > 100_000 then None else move s (nat_of_int mv) with
      | None -> refuse "a move is not legal"
      | Some (again, t) ->
        if !left = 0 then refuse "there are entries too many";
        decr left;
        add s { move_no = nat_of_int mv; rank = rank r };
        go (opened claim.longest again t open_) in
  go (opened claim.longest mine root []);
  if !left > 0 || not (at_end ()) then refuse "there are other entries than the claim says"

(* The walk of a table: all positions that follow. *)
let walk_table (game : game) count bytes ~root ~known ~add =
  let next, at_end = reader bytes in
  let rec go left = function
    | [] -> left
    | s :: open_ when game.over s <> None || known s -> go left open_
    | s :: open_ ->
      if left = 0 then refuse "there are positions too many";
      let value, plies = next () in
      let gain = z_of_int ((value lsr 1) lxor (- (value land 1))) in
      add s { gain; plies = if plies = 0 then None else Some (n_of_int (plies - 1)) };
      go (left - 1) (List.fold_right (fun (_, t) open_ -> t :: open_) (game.moves s) open_) in
  if go count [ root ] <> 0 || not (at_end ()) then refuse "there are other positions than the table says"

(* The root, to begin the walk from. *)
let rec root_of (game : game) moves first s =
  match moves with
  | [] -> (first, s)
  | mv :: moves ->
    match game.over s, List.nth_opt (game.moves s) mv with
    | None, Some (again, t) -> root_of game moves (if again then first else not first) t
    | _ -> refuse "a move to the root is not legal"

let check_game ?move (game : game) claim bytes ~first ~start ~known ~add ~book run =
  let side, root = root_of game claim.moves first (Obj.magic start) in
  walk game (Option.value move ~default:(numbered game)) claim bytes ~mine:(side = claim.first) ~root ~known ~add;
  run (List.map nat_of_int claim.moves) claim.first (z_of_int claim.at_least) (book ()) (n_of_int claim.most)

(* A balanced tree of entries in order, made of the one with each number. *)
let balanced count entry =
  let rec tree low high =
    if low >= high then Leaf
    else
      let middle = (low + high) / 2 in
      let left = tree low middle in
      let key, e = entry middle in
      Node (left, key, e, tree (middle + 1) high) in
  tree 0 count

(* Entries of positions that have an order: whether there is one, a new one, and all of them in order. *)
module Entries (K : sig type t val order : t -> t -> comparison end) = struct
  module Table = Hashtbl.Make (struct
    type t = K.t
    let hash (p : t) = Hashtbl.hash_param 100 200 p
    let equal a b = K.order a b = Eq
  end)

  let make () =
    let table = Table.create 1024 in
    let book () =
      let all = Array.of_seq (Table.to_seq table) in
      let order (a, _) (b, _) = match K.order a b with Eq -> 0 | Lt -> -1 | Gt -> 1 in
      Array.stable_sort order all;
      balanced (Array.length all) (Array.get all) in
    (fun s -> Table.mem table (Obj.magic s)), (fun s e -> Table.add table (Obj.magic s) e), book
end

module Text (S : Sets) = struct
  module Rules = Rules.Make (S)
  open Rules.Texts
  module Entries = Entries (struct type t = T.position let order = order end)

  let check tree claim bytes =
    let rules, endless, start = Rules.read tree in
    let known, add, book = Entries.make () in
    let is_constant = match endless with Rules.Texts.T.Value _ -> true | _ -> false in
    (if is_constant then "" else ", if play without end is worth the same along every loop"),
    check_game ~move:(Obj.magic (T.move_of rules)) (T.game_of rules) claim bytes ~first:start.turn ~start ~book ~known ~add
      (fun moves player c book most ->
        run_text rules endless start moves player c book most (nat_of_int (max 1 claim.longest)))

  (* Who moves first, and what the table says of the start if all of it follows. *)
  let check_table tree count bytes =
    let rules, endless, start = Rules.read tree in
    let known, add, book = Entries.make () in
    walk_table (T.game_of rules) count bytes ~root:(Obj.magic start) ~known ~add;
    let most = z_of_int (1 lsl 40) and book = book () in
    let rec size = function Leaf -> 0 | Node (l, _, _, r) -> size l + 1 + size r in
    let is_endless gain = gain = Rules.Texts.endless_pays rules endless start in
    start.turn, is_endless, size book, run_table rules endless start book most most

  (* Positions in the order of their distance from the start: the result for the first player, whose turn it is, and the
     number of moves. To hold Tree.v against Foregone. *)
  let walk most tree =
    let rules, _, start = Rules.read tree in
    let game = T.game_of rules in
    let open_ = Queue.create () and count = ref 1 in
    Queue.add start open_;
    while not (Queue.is_empty open_) do
      let s : T.position = Queue.take open_ in
      let moves = if game.over (Obj.magic s) = None then game.moves (Obj.magic s) else [] in
      List.iter (fun (_, t) -> if !count < most then (incr count; Queue.add (Obj.magic t) open_)) moves;
      let result = match T.outcome rules s with Some z -> string_of_int (int_of_z z) | None -> "-" in
      Printf.printf "%s %d %d\n" result (if s.turn then 0 else 1) (List.length moves)
    done
end

module By_numbers = Text (Numbers)
module By_word = Text (Word)
module By_words = Text (Words)

(* Connect Four by integers: keys and entries stand in arrays of integers, since there are millions. *)
let check_ints columns rows claim bytes =
  let count = claim.entries in
  let mine = Array.make count 0 and theirs = Array.make count 0 and entries = Array.make count None in
  let numbers = Array.init count Fun.id in
  let size = ref 16 in
  while !size < 2 * count do size := 2 * !size done;
  let table = Array.make !size (-1) and used = ref 0 in
  (* The place in the table of a key, or the free one for it. *)
  let place (a, b) =
    let rec probe at =
      let i = table.(at) in
      if i < 0 || (mine.(i) = a && theirs.(i) = b) then at else probe ((at + 1) land (!size - 1)) in
    probe (((a * 0x1E3779B97F4A7C15 + b * 0x2545F4914F6CDD1D) lsr 30) land (!size - 1)) in
  let known s = table.(place (Obj.magic s)) >= 0 in
  let add s e =
    let a, b = Obj.magic s in
    table.(place (a, b)) <- !used;
    mine.(!used) <- a;
    theirs.(!used) <- b;
    entries.(!used) <- Some e;
    incr used in
  (* Quicksort by both keys. *)
  let less a b c d = match Uint63.compare a c with 0 -> Uint63.compare b d < 0 | order -> order < 0 in
  let swap i j =
    let swap (all : int array) = let x = all.(i) in all.(i) <- all.(j); all.(j) <- x in
    swap mine; swap theirs; swap numbers in
  let rec sort low high =
    if high - low > 1 then begin
      let a = mine.((low + high) / 2) and b = theirs.((low + high) / 2) in
      let i = ref low and j = ref (high - 1) in
      while !i <= !j do
        while less mine.(!i) theirs.(!i) a b do incr i done;
        while less a b mine.(!j) theirs.(!j) do decr j done;
        if !i <= !j then (swap !i !j; incr i; decr j)
      done;
      sort low (!j + 1);
      sort !i high
    end in
  let book () =
    sort 0 !used;
    balanced !used (fun i -> (Obj.magic (mine.(i), theirs.(i)), Option.get entries.(numbers.(i)))) in
  let c = nat_of_int columns and r = nat_of_int rows in
  check_game (int_game c r) claim bytes ~first:true ~start:(four_ints c r) ~known ~add ~book (run_ints c r)

let plainly = ref false

let check_text tree claim bytes =
  match Rules.cells tree with
  | cells when cells <= 63 && not !plainly -> By_word.check tree claim bytes
  | cells when cells <= 126 && not !plainly -> By_words.check tree claim bytes
  | _ -> By_numbers.check tree claim bytes

let check_table tree count bytes =
  match Rules.cells tree with
  | cells when cells <= 63 && not !plainly -> By_word.check_table tree count bytes
  | cells when cells <= 126 && not !plainly -> By_words.check_table tree count bytes
  | _ -> By_numbers.check_table tree count bytes

let check_four columns rows claim bytes =
  if columns < 1 || rows < 1 || columns > 32 || rows > 32 then refuse "no such board";
  if columns * (rows + 1) <= 63 && not !plainly then check_ints columns rows claim bytes
  else
    let c = nat_of_int columns and r = nat_of_int rows in
    let trie = ref Empty in
    check_game (word_game c r) claim bytes ~first:true ~start:(four_start c r) (run_words c r)
      ~known:(fun s -> find2 !trie (Obj.magic s) <> None) ~add:(fun s e -> trie := put2 !trie (Obj.magic s) e)
      ~book:(fun () -> !trie)

module Quantum_entries = Entries (struct type t = superposition let order = quantum_order end)

let check_quantum claim bytes =
  let known, add, book = Quantum_entries.make () in
  check_game quantum_tic_tac_toe claim bytes ~first:true ~start:quantum_start ~known ~add ~book
    (fun moves player c book most -> run_quantum moves player c book most (nat_of_int (max 1 claim.longest)))

let is_rules line = String.length line > 6 && String.sub line 0 6 = "rules "

(* A tree of rules has a start of its own, which need not be that of a text with a name. *)
let start_of game = if is_rules game then "from the start that these rules name" else "from the start"

let statement game name claim =
  let side = if claim.first then "first" else "second" in
  let from = match claim.moves with
    | [] -> start_of game
    | moves -> "after the moves number " ^ String.concat ", " (List.map string_of_int moves) ^ " of the rules (from 0)" in
  Printf.sprintf "%s: %s the %s player gets at least %d" name from side claim.at_least

let line_of input = try Some (input_line input) with End_of_file -> None
let bytes_of input count = try Some (really_input_string input count) with End_of_file -> None

let four_size game =
  try Scanf.sscanf game "game connect-four(columns=%d,rows=%d,line=4,score=result)%!" (fun c r -> Some (c, r))
  with Scanf.Scan_failure _ | End_of_file | Failure _ -> None

(* The tree of rules in the second line of a tape. *)
let tree_of game = if is_rules game then Some (String.sub game 6 (String.length game - 6)) else None
let name_of tree = "the rules with the MD5 " ^ Digest.to_hex (Digest.string (tree ^ "\n"))

let counted count what = Printf.sprintf "%d %s%s" count what (if count = 1 then "" else "s")
let entries_of count = if count = 1 then "1 entry" else Printf.sprintf "%d entries" count

let check_claim game claim bytes =
  let begun = Sys.time () in
  let name, (condition, holds) =
    match tree_of game, four_size game with
    | Some tree, _ -> (name_of tree, check_text tree claim bytes)
    | None, None when game = "game quantum-tic-tac-toe" -> ("quantum tic-tac-toe (in half points)", ("", check_quantum claim bytes))
    | None, Some (columns, rows) ->
      (Printf.sprintf "Connect Four with %s and %s" (counted columns "column") (counted rows "row"),
       ("", check_four columns rows claim bytes))
    | None, None -> refuse (Printf.sprintf "no rules of this game are known here: %S; if the list `foregone rules` has the game, prove text:NAME" game) in
  if not holds then refuse ("this does not hold, or the proof is wrong: " ^ statement game name claim);
  Printf.printf "proven: %s%s (%s, %.1f s)\n%!" (statement game name claim) condition (entries_of claim.entries)
    (Sys.time () -. begun)

let check_positions game count bytes =
  if count < 0 || count > String.length bytes / 2 then refuse "the table has another size than it says";
  let begun = Sys.time () in
  match tree_of game with
  | None -> refuse (Printf.sprintf "tables of texts are checked, and this is another game: %S; if the list `foregone rules` has the game, build that of text:NAME" game)
  | Some tree ->
    match check_table tree count bytes with
    | _, _, _, None -> refuse "an entry does not follow from those after it, or play without end is not worth the same after every move"
    | first, is_endless, positions, Some { gain; plies } ->
      let side = if first then "first" else "second" in
      let ends = match plies with
        | None -> "as play does not end"
        | Some d ->
          let moves = counted (int_of_z (Z.of_N d)) "move" in
          (* What play without end is worth, too, nobody has to end by then. *)
          if is_endless gain then "with " ^ moves ^ " by the reference solver's count" else "after " ^ moves in
      Printf.printf "proven: %s: %s the %s player gets %d, %s, and of all %s that play comes to before its end \
        the values are right (%.1f s)\n%!" (name_of tree) (start_of game) side (int_of_z gain) ends (counted positions "position")
        (Sys.time () -. begun)

let check_one input =
  match line_of input with
  | None -> false
  | Some "tape 1" ->
    let line what = match line_of input with Some line -> line | None -> refuse (what ^ " is missing") in
    let entries size =
      if size < 0 || size > Sys.max_string_length then refuse "no such size";
      match bytes_of input size with Some bytes -> bytes | None -> refuse "entries are missing" in
    let game = line "the game" in
    let third = line "the claim" in
    (match Scanf.sscanf third "table positions %d bytes %d%!" (fun count size -> (count, size)) with
     | count, size -> check_positions game count (entries size)
     | exception (Scanf.Scan_failure _ | End_of_file | Failure _) ->
       let claim = claim_of third in
       check_claim game claim (entries claim.bytes));
    true
  | Some _ -> refuse "this is no tape, which `foregone explain --format tape FILE` writes"

let usage = "usage: foregone-verified [--plain] FILE
       foregone-verified --walk POSITIONS FILE

Checks a proof or a table (the program foregone, or what FOREGONE names, reads the file) or a tape; `-` is the standard
input. --plain: without primitive integers. --walk: the first positions of a tree of rules, as `foregone rules tree`
prints it: of each the result, the side to move, and the number of moves."

let check_all file =
  let foregone = Option.value (Sys.getenv_opt "FOREGONE") ~default:"foregone" in
  (* A pipe can be read once, so it is a tape. *)
  let is_file file = match Unix.stat file with
    | { st_kind = S_REG; _ } -> true
    | _ -> false
    | exception Unix.Unix_error (why, _, _) -> refuse (file ^ ": " ^ Unix.error_message why) in
  let begins file = let input = open_in_bin file in let begins = bytes_of input 5 in close_in input; begins in
  let piped = file <> "-" && is_file file && begins file <> Some "tape " in
  let input =
    if piped then Unix.open_process_args_in foregone [| foregone; "explain"; "--format"; "tape"; "--"; file |]
    else if file = "-" then stdin
    else open_in_bin file in
  set_binary_mode_in input true;
  let rec all count = if check_one input then all (count + 1) else count in
  let count = all 0 in
  if piped && Unix.close_process_in input <> Unix.WEXITED 0 then
    refuse (foregone ^ " did not write all of the tape, and says why above; where it needs more memory, give the tape: \
                        foregone explain --memory 16G --format tape FILE | foregone-verified -");
  if count = 0 then refuse "nothing was checked"

let () =
  assert (Sys.int_size = 63);
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 20; space_overhead = 1000 };
  let fail why = prerr_endline ("error: " ^ why); exit 1 in
  try match List.tl (Array.to_list Sys.argv) with
    | [ "--walk"; most; file ] ->
      let input = open_in_bin file in
      let most = match int_of_string_opt most with Some most -> most | None -> refuse "expected a number of positions" in
      (match line_of input with
       | Some tree when Rules.cells tree > 126 -> By_numbers.walk most tree
       | Some tree when Rules.cells tree > 63 -> By_words.walk most tree
       | Some tree -> By_word.walk most tree
       | None -> refuse "the file is empty")
    | [ "--plain"; file ] -> plainly := true; check_all file
    | [ "--help" ] -> print_endline usage
    | [ file ] -> check_all file
    | _ -> prerr_endline usage; exit 2
  with
  | Refused why -> fail why
  | Rust.Invalid why -> fail ("the rules cannot be read: " ^ why)
  | Failure why | Sys_error why -> fail why
  | Invalid_argument _ -> fail "a number is too large"
  | Unix.Unix_error (why, _, _) ->
    fail ("the program foregone cannot be started: " ^ Unix.error_message why
          ^ "; name it by the variable FOREGONE, with its path")
  | Stack_overflow -> fail "too deep"
  | Out_of_memory -> fail "no memory is left"
