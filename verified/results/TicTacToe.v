(* Tic-tac-toe is a draw. *)

From Coq Require Import ZArith.
From Foregone Require Import Game Plays.
From Verified Require Import ConnectFour Tape.
From Results Require Import Nine.
From Tapes Require tic_tac_toe.

Lemma first_holds : check9 (@over Nine.tic_tac_toe) (@moves Nine.tic_tac_toe) 0 tic_tac_toe.first true 0 tic_tac_toe.first_most = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma second_holds : check9 (@over Nine.tic_tac_toe) (@moves Nine.tic_tac_toe) 0 tic_tac_toe.second false 0 tic_tac_toe.second_most = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem tic_tac_toe_is_a_draw : has_value (G := Nine.tic_tac_toe) nothing (start9 0) 0.
Proof. split; [exact (check9_sound (@over Nine.tic_tac_toe) (@moves Nine.tic_tac_toe) 0 _ _ _ _ first_holds)|exact (check9_sound (@over Nine.tic_tac_toe) (@moves Nine.tic_tac_toe) 0 _ _ _ _ second_holds)]. Qed.
Print Assumptions tic_tac_toe_is_a_draw.
