(* One checker for every game that is written as text: there is nothing to prove of any of them. *)

From Coq Require Import ZArith NArith List Bool.
From Foregone Require Import Game Plays.
From Verified Require Import Check Books Statement Tree.
Import ListNotations.
Open Scope N_scope.

Definition position_eq (a b : position) : {a = b} + {a <> b}.
Proof. repeat decide equality. Defined.

(* An order of positions, which need not tell all of them apart. *)
Definition code (p : position) : N :=
  let add (n m : N) := N.lxor (n * 31) m in
  let add_all (l : list Z) (n : N) := fold_left (fun n z => add n (Z.to_N (z + 1000))) l n in
  let of_sets := fold_left (fun n s => N.lor (N.shiftl n 32) s) (sets p) (if turn p then 1 else 0)%N in
  add_all (numbers p) (fold_left (fun n l => add_all l n) (counts p) of_sets).
Definition order := coded code position_eq.

(* What play without end is worth, for the mover: a number of the position. *)
Definition endless_pays (rs : rules) (endless : number) (p : position) : Z :=
  for_first (turn p) (clamp (number_of (board rs) (fresh p) endless)).

Definition run_text (rs : rules) (endless : number) (start : position) (numbers : list nat) (player : bool) (c : Z)
    (book : tree position) (most : N) (fuel : nat) : bool :=
  proves (game_of rs) (endless_pays rs endless) numbers (turn start) start player c
    (tree_book order (coded_eq _ _) book) most fuel.

Theorem run_text_sound : forall rs endless start numbers player c book most fuel,
  run_text rs endless start numbers player c book most fuel = true ->
  gets_after (game_of rs) (endless_pays rs endless) numbers (turn start) start player c.
Proof. intros. eapply proves_sound. eassumption. Qed.
