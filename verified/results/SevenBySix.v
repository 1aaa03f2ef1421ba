(* The first player wins Connect Four. *)

From Coq Require Import ZArith.
From Foregone Require Import Game Plays.
From Verified Require Import ConnectFour Tape.
From Results Require Import Four.
From Tapes Require four_7x6.

Lemma holds : check_ints 7 6 four_7x6.first true 1 four_7x6.first_most = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem first_player_wins_connect_four : gets (G := connect_four 7 6) nothing 1 (true, start 7).
Proof. exact (check_ints_sound 7 6 _ _ _ _ holds). Qed.
Print Assumptions first_player_wins_connect_four.
