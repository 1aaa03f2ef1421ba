(* The hounds win Fox and Hounds on 8x8; they move second. The rules are the tree of the text fox-and-hounds, as
   theory/Tree.v gives it its meaning. *)

From Coq Require Import ZArith List.
From Foregone Require Import Game Plays.
From Verified Require Import Statement Tape.
From Results Require Import Text.
From Tapes Require fox_and_hounds fox_and_hounds_rules.
Import ListNotations fox_and_hounds_rules.

Lemma second_holds : check_text the_rules the_endless the_start fox_and_hounds.second false 1 fox_and_hounds.second_most 1 = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Theorem hounds_win : gets_after (T.game_of the_rules) (endless_pays the_rules the_endless) [] true the_start false 1.
Proof. exact (check_text_sound the_rules the_endless the_start _ _ _ _ _ second_holds). Qed.
Print Assumptions hounds_win.
