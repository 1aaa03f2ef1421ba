(* The primitive integers of Coq: those of OCaml on a machine of 64 bits, compared without a sign. *)

type t = int

let of_int i = i
let add x y = x + y
let sub x y = x - y
let mul x y = x * y
let l_sl x y = if 0 <= y && y < 63 then x lsl y else 0
let l_sr x y = if 0 <= y && y < 63 then x lsr y else 0
let l_and x y = x land y
let l_or x y = x lor y
let l_xor x y = x lxor y
let equal (x : int) (y : int) = x = y
let lt (x : int) (y : int) = x lxor min_int < y lxor min_int
let compare (x : int) (y : int) = compare (x lxor min_int) (y lxor min_int)
