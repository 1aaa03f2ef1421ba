(* Tables that leave out positions: those in which the game is over, and those that only come after a
   win at once was passed over (the format calls them in play).

   Claimed: what a side gets, and how soon, is the same where only wins at once are followed from a
   position that has one. So a table of that game is right of the game itself.

   Checked at each position with a move that ends the game with the largest result there is: the
   entry is that result in one ply (check/src/equation.rs, at_once). At all others the checks of
   Distances.v and Merging.v are made, which hold for any game: here for the one below. What finished
   positions are worth is asked of the rules.

   Why: nothing is larger, and nothing comes sooner.

   Trusted: that no result is larger than the rules say (rules/src/game.rs, Game::max_value). *)

From Coq Require Import ZArith Lia List Bool.
From Foregone Require Import Game.
Import ListNotations.
Open Scope Z_scope.

Section InPlay.
  Variable G : Game.
  Variable endless : State G -> Z.
  Variable most : Z.
  Hypothesis trusted_most : forall (s : State G) v, over s = Some v -> Z.abs v <= most.

  (* A move that ends the game with the largest result for its mover. *)
  Definition wins (m : bool * State G) : bool :=
    match over (snd m) with Some v => signed (fst m) v =? most | None => false end.

  (* Whether a position has one. Where play without end is worth as much, the longer play is the
     better, and nothing is left out. *)
  Definition at_once (s : State G) : bool := existsb wins (moves s) && (endless s <? most).

  Definition in_play : Game := {|
    State := State G;
    over := over;
    moves := fun s => if at_once s then filter wins (moves s) else moves s
  |}.

  Lemma truth_most : forall n (s : State G) v d, truth endless n s = Ends v d -> Z.abs v <= most.
  Proof.
    induction n as [|n IH]; intros s v d; simpl; destruct (over s) as [u|] eqn:O.
    - intros E. injection E as E _. rewrite <- E. eauto.
    - discriminate.
    - intros E. injection E as E _. rewrite <- E. eauto.
    - destruct (best (endless s) _) as [w|] eqn:B; [|apply IH].
      intros ->. apply best_is in B as [I _]. apply in_map_iff in I as ([a t] & E & _).
      simpl in E. destruct (truth endless n t) as [u f|] eqn:T; simpl in E; [|discriminate].
      injection E as E _. rewrite <- E. apply IH in T. destruct a; simpl; lia.
  Qed.

  (* A win at once is worth the largest result in one ply, whatever else there is. *)
  Lemma worth_at_once : forall n s, at_once s = true ->
    best (endless s) (map (fun m => before (fst m) (truth endless n (snd m))) (moves s)) =
    Some (Ends most 1).
  Proof.
    intros n s A. apply andb_prop in A as [A E]. apply existsb_exists in A as ([a t] & I & W).
    apply Z.ltb_lt in E. unfold wins in W. simpl in W. destruct (over t) as [v|] eqn:O; [|discriminate].
    apply Z.eqb_eq in W. apply best_is. split.
    - apply in_map_iff. exists (a, t). split; trivial. simpl.
      rewrite (truth_over G endless n t v O). simpl. now rewrite W.
    - intros x X. apply in_map_iff in X as ([b u] & <- & _). simpl.
      destruct (truth endless n u) as [w d|] eqn:T; unfold le; simpl; [|decide_all].
      apply truth_most in T. assert (signed b w <= most) by (destruct b; simpl; lia). decide_all.
  Qed.

  Lemma followed_at_once : forall n (s : State in_play), at_once s = true ->
    best (endless s) (reached (truth (G := in_play) endless n) s) = Some (Ends most 1).
  Proof.
    intros n s A. assert (Followed : forall m, In m (moves s) <-> In m (filter wins (@moves G s))).
    { intros m. simpl. rewrite A. tauto. }
    assert (Each : forall a t, In (a, t) (moves s) ->
      before a (truth (G := in_play) endless n t) = Ends most 1).
    { intros a t J. apply Followed in J. apply filter_In in J as [_ J]. unfold wins in J. simpl in J.
      destruct (@over G t) as [v|] eqn:T; [|discriminate]. apply Z.eqb_eq in J.
      rewrite (truth_over in_play endless n t v T). simpl. now rewrite J. }
    pose proof A as A'. apply andb_prop in A' as [A' _]. apply existsb_exists in A' as ([a t] & I & W).
    apply best_is. split.
    - apply in_reached. exists a, t. assert (J : In (a, t) (@moves in_play s)).
      { apply Followed, filter_In. auto. }
      split; [exact J|]. symmetry. now apply Each.
    - intros x X. apply in_reached in X as (b & u & J & ->). rewrite (Each b u J). apply le_refl.
  Qed.

  Theorem in_play_same : forall n (s : State G),
    truth (G := in_play) endless n s = truth (G := G) endless n s.
  Proof.
    induction n as [|n IH]; intros s; [reflexivity|].
    destruct (over s) as [v|] eqn:O.
    - now rewrite (truth_over in_play _ _ s v O), (truth_over G _ _ s v O).
    - destruct (at_once s) eqn:A.
      + rewrite (truth_next in_play endless n s _ O (followed_at_once n s A)).
        now rewrite (truth_next G endless n s _ O (worth_at_once n s A)).
      + assert (R : reached (truth (G := in_play) endless n) s = reached (truth (G := G) endless n) s).
        { unfold reached. simpl. rewrite A. apply map_ext. intros [a t]. simpl. now rewrite IH. }
        simpl. rewrite O. unfold reached in R. simpl in R. rewrite R, IH. reflexivity.
  Qed.
End InPlay.

Print Assumptions in_play_same.
