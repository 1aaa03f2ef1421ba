(* Connect Four is a draw on six columns of five. *)

From Coq Require Import ZArith.
From Foregone Require Import Game Plays.
From Verified Require Import ConnectFour Tape.
From Results Require Import Four.
From Tapes Require four_6x5.

Lemma first_holds : check_ints 6 5 four_6x5.first true 0 four_6x5.first_most = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma second_holds : check_ints 6 5 four_6x5.second false 0 four_6x5.second_most = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem connect_four_6x5_is_a_draw : has_value (G := connect_four 6 5) nothing (start 6) 0.
Proof. split; [exact (check_ints_sound 6 5 _ _ _ _ first_holds)|exact (check_ints_sound 6 5 _ _ _ _ second_holds)]. Qed.
Print Assumptions connect_four_6x5_is_a_draw.
