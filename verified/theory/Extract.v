(* The checkers as a program in OCaml. Nothing is mapped but booleans, pairs, options and lists, and the primitive
   integers, to the OCaml module Uint63 beside the driver. *)

From Coq Require Import ZArith NArith Extraction ExtrOcamlBasic ExtrOCamlInt63.
From Foregone Require Import Game.
From Verified Require Import Check Books Statement Tables Sets Tree Texts Quantum QuantumBook ConnectFour Words Ints Fours.

(* To make the books of: the walk is the driver's, the rules and the order of a book are these. *)
Definition four_start (columns rows : nat) := words rows (start columns).
Definition four_ints (columns rows : nat) := ints (four_start columns rows).
Definition quantum_start := Quantum.start.

Extraction "checked.ml"
  N.add N.mul Z.opp Z.of_N
  Texts Numbers Word Sets.Words
  run_ints int_game four_ints
  run_words word_game four_start find2 put2
  run_quantum quantum_tic_tac_toe quantum_start quantum_order.
