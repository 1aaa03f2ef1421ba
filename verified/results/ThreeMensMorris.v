(* The first player wins three men's morris, in which play can go on without end. *)

From Coq Require Import ZArith.
From Foregone Require Import Game Plays.
From Verified Require Import ConnectFour Tape.
From Results Require Import Nine.
From Tapes Require morris.

Lemma holds : check9 (@over Nine.morris) (@moves Nine.morris) 3 morris.first true 1 morris.first_most = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem first_player_wins_morris : gets (G := Nine.morris) nothing 1 (true, start9 3).
Proof. exact (check9_sound (@over Nine.morris) (@moves Nine.morris) 3 _ _ _ _ holds). Qed.
Print Assumptions first_player_wins_morris.
