(* The check that trusts no symmetry and no numbering (--plain).

   Claimed: what the table answers is true for every position that can arise from the start.

   Checked: the checker goes through the positions that can arise, as the rules give them: the
   start, and what every move leads to, each as it is. The table is asked for each of them, in
   whatever way it finds its entry, and the answer has to be what the rules derive from the answers
   for what the moves lead to. The other checks (progress, ranks, layers) are made there too.

   Why: the answers then agree with the rules at a set of positions that play never leaves. That is
   all that Distances.v, Progress.v and Rank.v ask for. A wrong symmetry, or a number that two
   positions share by mistake, shows as a wrong answer somewhere, or does no harm.

   Nothing is trusted but the rules themselves. (What play without end is worth, and that this is the
   same along every loop, is part of the rules.) *)

From Coq Require Import ZArith Lia List Bool.
From Foregone Require Import Game Plays Alike Rank Distances Progress Merging.
Import ListNotations.
Open Scope Z_scope.

Section Plain.
  Variable G : Game.
  Variable start : State G.
  (* What play without end is worth (rules/src/game.rs, Game::endless). *)
  Variable pays : State G -> Z.

  (* Positions that can arise. *)
  Inductive arises : State G -> Prop :=
  | arises_start : arises start
  | arises_next : forall s a t, arises s -> over s = None -> In (a, t) (moves s) -> arises t.

  (* Positions that the checker goes through. *)
  Variable visited : State G -> Prop.
  (* checked by: check/src/plain.rs, check_table *)
  Hypothesis checked_start : visited start.
  (* checked by: check/src/plain.rs, check_table *)
  Hypothesis checked_closed : forall s a t, visited s -> over s = None -> In (a, t) (moves s) ->
    visited t.

  Lemma all_are_visited : forall s, arises s -> visited s.
  Proof. intros s A. induction A; eauto. Qed.

  Section Distances.
    (* What the table says when it is asked. *)
    Variable answer : State G -> option Worth.
    (* checked by: check/src/plain.rs, check_table *)
    Hypothesis checked_answer : forall s, visited s ->
      exists w, answer s = Some w /\ derived G (State G) (fun t => t) pays answer s = Some w.
    (* checked by: check/src/plain.rs, check_table *)
    Hypothesis checked_even : forall s a t, visited s -> over s = None -> In (a, t) (moves s) ->
      signed a (pays t) = pays s.
    (* checked by: record/src/format/manifest.rs, check_layers *)
    Variable limit longest : Z.
    Hypothesis checked_finite : forall s v d, answer s = Some (Ends v d) ->
      Z.abs v <= limit /\ Z.of_nat d <= longest.

    Let said (s : State G) : Worth := match answer s with Some w => w | None => Endless end.

    Lemma answers_agree : forall s, visited s ->
      match over s with
      | Some v => said s = Ends v 0
      | None => best (pays s) (reached said s) = Some (said s)
      end.
    Proof.
      intros s I. destruct (checked_answer s I) as (w & E & D). unfold said at 1 3. rewrite E.
      unfold derived in D.
      destruct (over s) as [v|] eqn:O; [congruence|].
      destruct (all (map (fun m => option_map (before (fst m)) (answer (snd m))) (moves s))) as [l|]
        eqn:L;
        [|discriminate].
      apply all_there with (g := fun m => before (fst m) (said (snd m))) in L as [-> _]; [exact D|].
      intros [a u] y. simpl. unfold said. destruct (answer u); simpl; congruence.
    Qed.

    Theorem plain_distances_are_true : forall s, arises s -> exists w, answer s = Some w /\
      has_value pays s (value (pays s) w) /\
      (forall n, (limit + Z.abs (pays s)) * (longest + 1) + longest <= Z.of_nat n ->
        truth pays n s = w) /\
      (forall n, (forall t, visited t -> truth pays (S n) t = truth pays n t) ->
        truth pays n s = w).
    Proof.
      intros s A. apply all_are_visited in A. destruct (checked_answer s A) as (w & E & _).
      exists w.
      assert (S : said s = w) by (unfold said; now rewrite E).
      assert (Ov : forall s v, visited s -> over s = Some v -> said s = Ends v 0).
      { intros t v I O. pose proof (answers_agree t I) as B. now rewrite O in B. }
      assert (Be : forall s, visited s -> over s = None ->
        best (pays s) (reached said s) = Some (said s)).
      { intros t I O. pose proof (answers_agree t I) as B. now rewrite O in B. }
      assert (F : forall s v d, visited s -> said s = Ends v d ->
        Z.abs v <= limit /\ Z.of_nat d <= longest).
      { intros t v d I D. destruct (checked_answer t I) as (x & Ex & _). unfold said in D.
      rewrite Ex in D.
        apply (checked_finite t). congruence. }
      rewrite <- S. split; [congruence|]. split; [|split].
      - exact (Distances.values_are_true G pays visited said checked_closed Ov Be checked_even limit
          longest F s A).
      - intros n L. exact (table_is_true G pays visited said checked_closed Ov Be checked_even limit
          longest F n s A L).
      - intros n Stop.
        exact (table_is_what_the_solver_finds G pays visited said checked_closed Ov Be checked_even
          limit longest F n Stop s A).
    Qed.
  End Distances.

  Section Values.
    (* Values with what is banked, or signs. *)
    Variable answer : State G -> option Z.
    Variable layer progress : State G -> nat.
    Variable bound : nat.
    Variable keep : Z -> Z.
    Hypothesis keep_order : forall a b, a <= b -> keep a <= keep b.
    Hypothesis keep_opposite : forall a, keep (- a) = - keep a.

    (* checked by: check/src/plain.rs, check_table *)
    Hypothesis checked_value : forall s, visited s ->
      exists v, answer s = Some v /\ derived_value G (State G) (fun t => t) answer keep s = Some v.
    (* checked by: check/src/plain.rs, check_table *)
    Hypothesis checked_progress : forall s a t, visited s -> over s = None -> In (a, t) (moves s) ->
      (layer t < layer s \/ layer t = layer s /\ progress s < progress t)%nat.
    (* checked by: record/src/format/manifest.rs, check_layers *)
    Hypothesis checked_bound : forall s, visited s -> (progress s < bound)%nat.

    Let said (s : State G) : Z := match answer s with Some v => v | None => 0 end.

    Lemma value_answers_agree : forall s, visited s ->
      match over s with
      | Some v => said s = keep v
      | None => largest (map (fun m => signed (fst m) (said (snd m))) (moves s)) = Some (said s)
      end.
    Proof.
      intros s I. destruct (checked_value s I) as (w & E & D). unfold said at 1 3. rewrite E.
      unfold derived_value in D. destruct (over s) as [v|] eqn:O; [congruence|].
      destruct (all (map (fun m => option_map (signed (fst m)) (answer (snd m))) (moves s))) as [l|]
        eqn:L;
        [|discriminate].
      apply all_there with (g := fun m => signed (fst m) (said (snd m))) in L as [-> _]; [exact D|].
      intros [a u] y. simpl. unfold said. destruct (answer u); simpl; congruence.
    Qed.

    Theorem plain_values_are_true : forall s, arises s -> exists v, answer s = Some v /\
      (exists u, has_value pays s u /\ v = keep u) /\
      exists rounds, forall n, (rounds <= n)%nat -> v = keep (value (pays s) (truth pays n s)).
    Proof.
      intros s A. apply all_are_visited in A. destruct (checked_value s A) as (w & E & _). exists w.
      assert (S : said s = w) by (unfold said; now rewrite E).
      assert (Ov : forall s v, visited s -> over s = Some v -> said s = keep v).
      { intros t v I O. pose proof (value_answers_agree t I) as B. now rewrite O in B. }
      assert (Be : forall s, visited s -> over s = None ->
        largest (map (fun m => signed (fst m) (said (snd m))) (moves s)) = Some (said s)).
      { intros t I O. pose proof (value_answers_agree t I) as B. now rewrite O in B. }
      rewrite <- S. split; [congruence|]. split.
      - exact (entries_are_values G pays visited said layer progress bound keep keep_order keep_opposite
          checked_closed Ov Be checked_progress checked_bound s A).
      - exists (left G layer progress bound s). intros n L.
        exact (entries_are_true G pays visited said layer progress bound keep keep_order keep_opposite
          checked_closed Ov Be checked_progress checked_bound n s A L).
    Qed.
  End Values.

  Section Ranks.
    (* Values without what is banked, ranks and layers, as the table answers. *)
    Variable banked : State G -> Z.
    (* What play without end is worth at the same position with nothing banked. *)
    Variable bare : State G -> Z.
    Variable answer : State G -> option (Z * nat).
    Variable layer : State G -> nat.

    Let V (s : State G) : Z := match answer s with Some (v, _) => v | None => 0 end.
    Let rank (s : State G) : nat := match answer s with Some (_, n) => n | None => 0%nat end.

    (* checked by: check/src/plain.rs, check_table *)
    Hypothesis checked_there : forall s, visited s -> answer s <> None.
    (* checked by: check/src/plain.rs, check_table *)
    Hypothesis checked_over : forall s v, visited s -> over s = Some v -> v = banked s + V s.
    (* checked by: check/src/plain.rs, check_table *)
    Hypothesis checked_most : forall s m, visited s -> over s = None -> In m (moves s) ->
      move_worth G banked V s m <= V s.
    (* checked by: check/src/plain.rs, check_table *)
    Hypothesis checked_best : forall s, visited s -> over s = None ->
      exists m, In m (moves s) /\ move_worth G banked V s m = V s /\
        (bare s < V s ->
         (layer (snd m) < layer s \/ layer (snd m) = layer s /\ rank (snd m) < rank s)%nat).
    (* checked by: check/src/plain.rs, check_table *)
    Hypothesis checked_delay : forall s m, visited s -> over s = None -> In m (moves s) ->
      V s < bare s -> move_worth G banked V s m = V s -> layer (snd m) = layer s ->
        (rank (snd m) < rank s)%nat.
    (* checked by: check/src/plain.rs, check_table *)
    Hypothesis checked_layers : forall s m, visited s -> over s = None -> In m (moves s) ->
      (layer (snd m) <= layer s)%nat.
    (* checked by: check/src/plain.rs, check_table *)
    Hypothesis checked_gains : forall s m, visited s -> over s = None -> In m (moves s) ->
      gain banked s m <> 0 -> (layer (snd m) < layer s)%nat.
    (* checked by: record/src/format/manifest.rs, check_layers *)
    Variable limit : Z.
    Hypothesis checked_limit : forall s v n, answer s = Some (v, n) -> - limit <= v <= limit.

    Let paid (s : State G) : Z := banked s + bare s.

    Let paid_beyond : forall s, beyond G banked paid s = bare s.
    Proof. intros s. unfold beyond, paid. lia. Qed.

    Let limited : forall s, visited s -> - limit <= V s <= limit.
    Proof.
      intros t I. unfold V. destruct (answer t) as [[u k]|] eqn:Et; [eauto|].
      now destruct (checked_there t I).
    Qed.

    (* If play without end were worth what is banked, and what it is worth with nothing banked. *)
    Lemma if_paid : forall mine s, visited s ->
      secures paid (holding G banked paid V rank layer) (signed mine (banked s + V s)) (mine, s).
    Proof.
      intros mine s A.
      apply (holding_secures G banked paid visited V rank layer) with (limit := limit); auto.
      - intros t I O. destruct (checked_best t I O) as (m & M & E & F). exists m.
        rewrite paid_beyond. auto.
      - intros t m I O M. rewrite paid_beyond. auto.
    Qed.

    (* So it is, at each position. *)
    Section Looping.
      (* checked by: check/src/plain.rs, check_table *)
      Hypothesis checked_endless : forall s, visited s -> pays s = banked s + bare s.
      (* It is the same along every loop (Rank.v). *)
      Variable loop : State G -> nat.
      Hypothesis trusted_order : forall s a t, visited s -> over s = None -> In (a, t) (moves s) ->
        (loop t <= loop s)%nat.
      Hypothesis trusted_loops : forall s a t, visited s -> over s = None -> In (a, t) (moves s) ->
        signed a (pays t) <> pays s -> (loop t < loop s)%nat.

      Theorem plain_ranks_are_true : forall s, arises s -> exists v n, answer s = Some (v, n) /\
        has_value pays s (banked s + v) /\
        forall c, gets pays c (true, s) <-> c <= banked s + v.
      Proof.
        intros s A. apply all_are_visited in A.
        destruct (answer s) as [[v n]|] eqn:E; [|now destruct (checked_there s A)].
        exists v, n. split; trivial. assert (S : V s = v) by (unfold V; now rewrite E).
        rewrite <- S. assert (B : forall t, visited t -> beyond G banked pays t = bare t).
        { intros t I. unfold beyond. rewrite (checked_endless t I). lia. }
        assert (Be : forall t, visited t -> over t = None -> exists m, In m (moves t) /\
          move_worth G banked V t m = V t /\ (beyond G banked pays t < V t ->
            (layer (snd m) < layer t \/ layer (snd m) = layer t /\ rank (snd m) < rank t)%nat)).
        { intros t I O. destruct (checked_best t I O) as (m & M & W & F). exists m.
          rewrite (B t I). auto. }
        assert (De : forall t m, visited t -> over t = None -> In m (moves t) ->
          V t < beyond G banked pays t -> move_worth G banked V t m = V t ->
          layer (snd m) = layer t -> (rank (snd m) < rank t)%nat).
        { intros t m I O M. rewrite (B t I). auto. }
        split.
        - exact (rank_is_true G banked pays visited V rank layer checked_closed checked_over
            checked_most Be De checked_layers checked_gains limit limited s A).
        - intros c. exact (rank_is_most G banked pays visited V rank layer checked_closed
            checked_over checked_most Be De checked_layers checked_gains limit limited loop
            trusted_order trusted_loops s c A).
      Qed.
    End Looping.

    (* Or play makes progress everywhere, and it does not matter what play without end would be
       worth. *)
    Section Rising.
      Variable progress : State G -> nat.
      Variable bound : nat.
      (* checked by: check/src/plain.rs, check_table *)
      Hypothesis checked_progress : forall s a t, visited s -> over s = None ->
        In (a, t) (moves s) ->
        (layer t < layer s \/ layer t = layer s /\ progress s < progress t)%nat.
      (* checked by: record/src/format/manifest.rs, check_layers *)
      Hypothesis checked_bound : forall s, visited s -> (progress s < bound)%nat.

      Let ends : forall advised y, visited (snd y) -> Acc (fun b a => step advised a b) y.
      Proof.
        intros advised y. remember (left G layer progress bound (snd y)) as k eqn:K. revert y K.
        induction k as [k IH] using (well_founded_induction lt_wf). intros y -> I.
        constructor. intros z S. assert (Low : visited (snd z) /\
          (left G layer progress bound (snd z) < left G layer progress bound (snd y))%nat).
        { destruct S as [m s a t O M _]. simpl in *. split; [eauto|].
          exact (left_falls G visited layer progress bound checked_closed checked_progress
            checked_bound s a t I O M). }
        exact (IH _ (proj2 Low) z eq_refl (proj1 Low)).
      Qed.

      Theorem plain_rising_ranks_are_true : forall s, arises s -> exists v n,
        answer s = Some (v, n) /\ has_value pays s (banked s + v).
      Proof.
        intros s A. apply all_are_visited in A.
        destruct (answer s) as [[v n]|] eqn:E; [|now destruct (checked_there s A)].
        exists v, n. split; trivial. assert (S : V s = v) by (unfold V; now rewrite E).
        rewrite <- S. assert (H : forall mine, gets pays (signed mine (banked s + V s)) (mine, s)).
        { intros mine. eexists. apply (secures_ending G paid); [|exact (if_paid mine s A)].
          intros n0 y Q. apply ends.
          induction Q as [|n0 y z Q IH St]; [exact A|]. destruct St. simpl in *. eauto. }
        split; [exact (H true)|exact (H false)].
      Qed.
    End Rising.
  End Ranks.
End Plain.

Print Assumptions plain_distances_are_true.
Print Assumptions plain_values_are_true.
Print Assumptions plain_ranks_are_true.
Print Assumptions plain_rising_ranks_are_true.
