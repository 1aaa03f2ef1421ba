(* The second player wins Sim. The rules are the tree of the text sim.rules, as theory/Tree.v gives it its meaning. *)

From Coq Require Import ZArith List.
From Foregone Require Import Game Plays.
From Verified Require Import Statement Tape.
From Results Require Import Text.
From Tapes Require sim sim_rules.
Import ListNotations sim_rules.

Lemma second_holds : check_text the_rules the_endless the_start sim.second false 1 sim.second_most 1 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem second_player_wins_sim : gets_after (T.game_of the_rules) (endless_pays the_rules the_endless) [] true the_start false 1.
Proof. exact (check_text_sound the_rules the_endless the_start _ _ _ _ _ second_holds). Qed.
Print Assumptions second_player_wins_sim.
