(* Values as Rust prints them with {:?}: names, numbers, lists, and names with fields. *)

type value =
  | Number of string
  | Name of string * value list (* name, or name(a, b) *)
  | Fields of string * (string * value) list (* name { field: value } *)
  | List of value list (* [a, b] *)

exception Invalid of string

let is_letter c = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c = '_'
let is_digit c = c >= '0' && c <= '9'

let parse text =
  let at = ref 0 in
  let length = String.length text in
  let peek () = if !at < length then text.[!at] else ' ' in
  let invalid why = raise (Invalid (Printf.sprintf "%s at character %d" why !at)) in
  let rec blank () = if !at < length && peek () = ' ' then (incr at; blank ()) in
  let expect c = blank (); if peek () = c then incr at else invalid (Printf.sprintf "expected %c" c) in
  let word accepts =
    let from = !at in
    while !at < length && accepts text.[!at] do incr at done;
    String.sub text from (!at - from) in
  let rec list close item =
    blank ();
    if peek () = close then (incr at; [])
    else begin
      let first = item () in
      blank ();
      if peek () = ',' then incr at else if peek () <> close then invalid (Printf.sprintf "expected , or %c" close);
      first :: list close item
    end in
  let rec value () =
    blank ();
    match peek () with
    | '[' -> incr at; List (list ']' value)
    | '-' -> incr at; (match word is_digit with "" -> invalid "expected a digit" | digits -> Number ("-" ^ digits))
    | c when is_digit c -> Number (word is_digit)
    | c when is_letter c ->
      let name = word (fun c -> is_letter c || is_digit c) in
      blank ();
      (match peek () with
       | '(' -> incr at; Name (name, list ')' value)
       | '{' ->
         incr at;
         Fields (name, list '}' (fun () ->
           blank ();
           let field = word (fun c -> is_letter c || is_digit c) in
           expect ':';
           (field, value ())))
       | _ -> Name (name, []))
    | _ -> invalid "expected a value" in
  let parsed = value () in
  blank ();
  if !at < length then invalid "expected the end";
  parsed
