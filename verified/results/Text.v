(* What a tape shows of a game that is written as text, by binary numbers: no axiom. *)

From Coq Require Import ZArith NArith List Bool.
From Foregone Require Import Game Plays.
From Verified Require Import Check Books Statement Sets Tree Texts Tape.
Import ListNotations.

Module By_numbers := Texts Numbers.
Export By_numbers.

Definition check_text (rs : T.rules) (endless : T.number) (start : T.position) (parts : list tape) (player : bool)
    (c : Z) (most : N) (fuel : nat) : bool :=
  let mine := Bool.eqb (T.turn start) player in
  let book := book_of (G := T.game_of rs) (tree_find order) (insert order) fuel parts mine start Leaf in
  run_text rs endless start [] player c book most fuel.

Lemma check_text_sound : forall rs endless start parts player c most fuel,
  check_text rs endless start parts player c most fuel = true ->
  gets_after (T.game_of rs) (endless_pays rs endless) [] (T.turn start) start player c.
Proof. intros. eapply run_text_sound. eassumption. Qed.
