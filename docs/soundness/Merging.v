(* Tables with one entry for all positions that are alike (nothing is banked).

   Claimed: if the entries agree with the rules at the positions that are picked by their keys, then
   each is right for every position with that key: value, distance, draws without end; and values or
   signs alone where progress rises.

   Checked for every key: the entry is what the rules derive at the picked position from the entries
   of what its moves lead to. Whether the same side moves again is told before a position is
   replaced by the one like it.

   Why: a position and the one picked by its key are over together, and else their moves lead to the
   same keys with the same marks; so the same worths stand behind both, and the best of them is the
   same. So the entries, read off for all positions, agree with the rules at all of them, and
   Distances.v and Progress.v apply.

   Trusted: that positions are alike (Alike.v). The key may be a representative or a dense number
   (layer and number): it makes no difference here. *)

From Coq Require Import ZArith Lia List Bool.
From Foregone Require Import Game Plays Alike Distances Progress.
Import ListNotations.
Open Scope Z_scope.

(* All of the values, if there is none missing. *)
Fixpoint all {A : Type} (l : list (option A)) : option (list A) :=
  match l with
  | [] => Some []
  | None :: _ => None
  | Some x :: l => option_map (cons x) (all l)
  end.

Lemma all_there : forall (A B : Type) (f : A -> option B) (g : A -> B) l k,
  (forall x y, f x = Some y -> g x = y) -> all (map f l) = Some k ->
  k = map g l /\ forall x, In x l -> f x <> None.
Proof.
  intros A B f g l. induction l as [|x l IH]; intros k H E; simpl in *.
  - injection E as <-. split; [reflexivity|]. intros x [].
  - destruct (f x) as [y|] eqn:F; [|discriminate].
    destruct (all (map f l)) as [k'|]; [|discriminate].
    simpl in E. injection E as <-. destruct (IH k' H eq_refl) as [-> N]. split.
    + now rewrite (H x y F).
    + intros z [<-|I]; [congruence|auto].
Qed.

Section Merging.
  Variable G : Game.
  Variable Key : Type.
  Variable key : State G -> Key.
  (* What a checker takes for a key; None for a key of no position. *)
  Variable picked : Key -> option (State G).

  (* The positions that the rules are made for; play does not leave them. *)
  Variable position : State G -> Prop.
  Hypothesis trusted_positions : forall s a t, position s -> over s = None -> In (a, t) (moves s) ->
    position t.
  Hypothesis trusted_alike : forall s r, position s -> picked (key s) = Some r ->
    alike key nothing s r.
  (* What play without end is worth (rules/src/game.rs, Game::endless): as much at the one that is
     picked, which is a position, too. *)
  Variable pays : State G -> Z.
  Hypothesis trusted_endless : forall s r, position s -> picked (key s) = Some r ->
    pays s = pays r.
  Hypothesis trusted_picked : forall k r, picked k = Some r -> position r.

  Lemma over_same : forall s r, alike key nothing s r -> over s = over r.
  Proof. intros s r A. rewrite (same_result _ _ _ _ _ _ A). now destruct (over r). Qed.

  (* What is seen of the moves is the same. *)
  Lemma moves_same : forall (A : Type) (f : bool -> Key -> A) s r, alike key nothing s r ->
    over s = None ->
    forall x, In x (map (fun m => f (fst m) (key (snd m))) (moves s)) <->
              In x (map (fun m => f (fst m) (key (snd m))) (moves r)).
  Proof.
    intros A f s r L O x. rewrite !in_map_iff. split; intros ([a t] & <- & M); simpl.
    - destruct (move_alike _ _ _ _ _ _ _ _ L O M) as (u & M' & E & _). exists (a, u). simpl.
      now rewrite E.
    - destruct (alike_move _ _ _ _ _ _ _ _ L O M) as (u & M' & E & _). exists (a, u). simpl.
      now rewrite E.
  Qed.

  (* The game on keys: its positions are the picked ones, and a move leads to the key of what it
     leads to. *)
  Definition on_keys : Game := {|
    State := Key;
    over := fun k => match picked k with Some r => over r | None => None end;
    moves := fun k => match picked k with
                      | Some r => map (fun m => (fst m, key (snd m))) (moves r)
                      | None => []
                      end
  |}.

  Definition pays_of (k : Key) : Z := match picked k with Some r => pays r | None => 0 end.

  (* A position is worth what its key is worth there, in every round of the reference solver. *)
  Theorem merged_truth : (forall s, position s -> picked (key s) <> None) ->
    forall n s, position s -> truth pays n s = @truth on_keys pays_of n (key s).
  Proof.
    intros all_picked. induction n as [|n IH]; intros s I;
      (destruct (picked (key s)) as [r|] eqn:E; [|now destruct (all_picked s I)]);
      pose proof (trusted_alike _ _ I E) as A; simpl; rewrite E, <- (over_same _ _ A);
      destruct (over s) as [v|] eqn:O; trivial.
    assert (Ep : pays_of (key s) = pays s)
      by (unfold pays_of; rewrite E; symmetry; now apply trusted_endless).
    rewrite map_map, Ep. simpl. rewrite <- IH by trivial.
    rewrite (best_of_same _ (map (fun m => before (fst m) (truth pays n (snd m))) (moves s))
      (map (fun m => before (fst m) (@truth on_keys pays_of n (key (snd m)))) (moves r))); trivial.
    intros w. rewrite <- (moves_same _ (fun a k => before a (@truth on_keys pays_of n k)) s r A O).
    erewrite map_ext_in; [reflexivity|]. intros [a t] M. simpl. f_equal. eauto.
  Qed.

  Section Distances.
    (* The table: None for a key without entry. *)
    Variable entry : Key -> option Worth.

    (* What the rules derive at a position from the entries of what its moves lead to; None if one
       of those is missing. *)
    Definition derived (s : State G) : option Worth :=
      match over s with
      | Some v => Some (Ends v 0)
      | None =>
        match all (map (fun m => option_map (before (fst m)) (entry (key (snd m)))) (moves s)) with
        | Some l => best (pays s) l
        | None => None
        end
      end.

    (* Each entry is what the rules derive. *)
    (* checked by: check/src/equation.rs, check *)
    Hypothesis checked_entry : forall k w, entry k = Some w ->
      exists r, picked k = Some r /\ derived r = Some w.
    (* No move changes what play without end is worth. *)
    (* checked by: check/src/equation.rs, check *)
    Hypothesis checked_even : forall k w r a u, entry k = Some w -> picked k = Some r ->
      over r = None -> In (a, u) (moves r) -> signed a (pays u) = pays r.
    (* The file is finite. *)
    (* checked by: record/src/format/manifest.rs, check_layers *)
    Variable limit longest : Z.
    Hypothesis checked_finite : forall k v d, entry k = Some (Ends v d) ->
      Z.abs v <= limit /\ Z.of_nat d <= longest.

    (* The positions that have an entry, and what it says. *)
    Definition listed (s : State G) : Prop := position s /\ entry (key s) <> None.
    Definition said (s : State G) : Worth :=
      match entry (key s) with Some w => w | None => Endless end.

    (* The entries agree with the rules at all positions. *)
    Lemma agrees : forall s, listed s ->
      match over s with
      | Some v => said s = Ends v 0
      | None => best (pays s) (reached said s) = Some (said s) /\ forall a t, In (a, t) (moves s) -> listed t
      end.
    Proof.
      intros s [I N]. destruct (entry (key s)) as [w|] eqn:E; [|congruence]. clear N.
      destruct (checked_entry _ _ E) as (r & F & D). pose proof (trusted_alike _ _ I F) as A.
      unfold derived in D. rewrite <- (over_same _ _ A) in D. unfold said at 1. rewrite E.
      destruct (over s) as [v|] eqn:O; [congruence|].
      destruct (all (map (fun m => option_map (before (fst m)) (entry (key (snd m)))) (moves r))) as
        [l|] eqn:L;
        [|discriminate].
      apply all_there with (g := fun m => before (fst m) (said (snd m))) in L as [-> N].
      - split.
        + unfold said at 2. rewrite E, <- D, (trusted_endless s r I F). apply best_of_same.
          apply (moves_same _ (fun a k => before a (match entry k with Some w => w | None => Endless
            end)) s r A O).
        + intros a t M. split; [eauto|].
          destruct (move_alike _ _ _ _ _ _ _ _ A O M) as (u & M' & Ek & _).
          specialize (N _ M'). simpl in N. rewrite Ek in N. now destruct (entry (key t)).
      - intros [a u] y. simpl. unfold said. destruct (entry (key u)); simpl; congruence.
    Qed.

    Let closed : forall s a t, listed s -> over s = None -> In (a, t) (moves s) -> listed t.
    Proof. intros s a t I O M. pose proof (agrees s I) as A. rewrite O in A. now apply (proj2 A a).
    Qed.

    Let right_over : forall s v, listed s -> over s = Some v -> said s = Ends v 0.
    Proof. intros s v I O. pose proof (agrees s I) as A. now rewrite O in A. Qed.

    Let right_best : forall s, listed s -> over s = None ->
      best (pays s) (reached said s) = Some (said s).
    Proof. intros s I O. pose proof (agrees s I) as A. rewrite O in A. tauto. Qed.

    Let even : forall s a t, listed s -> over s = None -> In (a, t) (moves s) ->
      signed a (pays t) = pays s.
    Proof.
      intros s a t I O M. destruct (closed s a t I O M) as [It Nt]. destruct I as [I N].
      destruct (entry (key s)) as [w|] eqn:E; [|congruence].
      destruct (checked_entry _ _ E) as (r & F & _). pose proof (trusted_alike _ _ I F) as A.
      destruct (move_alike _ _ _ _ _ _ _ _ A O M) as (u & M' & Ek & _).
      assert (Or : over r = None) by now rewrite <- (over_same _ _ A).
      assert (Iu : position u)
        by exact (trusted_positions r a u (trusted_picked _ _ F) Or M').
      destruct (entry (key t)) as [x|] eqn:Et; [|congruence].
      destruct (checked_entry _ _ Et) as (q & Fq & _).
      rewrite (trusted_endless t q It Fq), (trusted_endless s r I F).
      rewrite <- (trusted_endless u q Iu) by now rewrite Ek. eauto.
    Qed.

    Let finite : forall s v d, listed s -> said s = Ends v d ->
      Z.abs v <= limit /\ Z.of_nat d <= longest.
    Proof.
      intros s v d [_ N] E. unfold said in E. destruct (entry (key s)) as [w|] eqn:F; [|congruence].
      apply (checked_finite (key s)). congruence.
    Qed.

    (* An entry is what the reference solver finds, for every position with its key. *)
    Theorem merged_distances_are_true : forall s w, position s -> entry (key s) = Some w ->
      has_value pays s (value (pays s) w) /\
      (forall n, (limit + Z.abs (pays s)) * (longest + 1) + longest <= Z.of_nat n ->
        truth pays n s = w).
    Proof.
      intros s w I E. assert (L : listed s) by (split; congruence).
      replace w with (said s) by (unfold said; now rewrite E). split.
      - apply (Distances.values_are_true G pays listed said) with (limit := limit)
          (longest := longest); auto.
      - intros n Ln. apply (table_is_true G pays listed said) with (limit := limit)
          (longest := longest); auto.
    Qed.

    (* It is also what the solver has when it stops, as it does, on positions with entries. *)
    Theorem merged_distances_are_what_the_solver_finds : forall n,
      (forall s, listed s -> truth pays (S n) s = truth pays n s) ->
      forall s w, position s -> entry (key s) = Some w -> truth pays n s = w.
    Proof.
      intros n Stop s w I E. assert (L : listed s) by (split; congruence).
      replace w with (said s) by (unfold said; now rewrite E).
      apply (table_is_what_the_solver_finds G pays listed said) with (limit := limit) (longest :=
        longest); auto.
    Qed.

    (* Who makes moves that the table calls best wins within the distance, and loses no sooner. *)
    Theorem merged_distances_are_kept : forall mine s v d, position s ->
      entry (key s) = Some (Ends v d) ->
      forall n m t u, path (keeping G said) (mine, s) n (m, t) -> over t = Some u ->
      let c := signed mine v in let e := signed mine (pays s) in
      (e < c -> c < signed m u \/ c = signed m u /\ (n <= d)%nat) /\
      (c < e -> c < signed m u \/ c = signed m u /\ (d <= n)%nat).
    Proof.
      intros mine s v d I E. assert (L : listed s) by (split; congruence).
      apply (distances_are_kept G pays listed said); auto.
      unfold said. now rewrite E.
    Qed.
  End Distances.

  Section Values.
    (* A table of values, or of their signs (for what signs say: Progress.v, sign_says). *)
    Variable entry : Key -> option Z.
    Variable layer progress : Key -> nat.
    Variable keep : Z -> Z.
    Hypothesis keep_order : forall a b, a <= b -> keep a <= keep b.
    Hypothesis keep_opposite : forall a, keep (- a) = - keep a.

    Definition derived_value (s : State G) : option Z :=
      match over s with
      | Some v => Some (keep v)
      | None =>
        match all (map (fun m => option_map (signed (fst m)) (entry (key (snd m)))) (moves s)) with
        | Some l => largest l
        | None => None
        end
      end.

    (* Each entry is what the rules derive. *)
    (* checked by: check/src/equation.rs, check *)
    Hypothesis checked_value : forall k v, entry k = Some v ->
      exists r, picked k = Some r /\ derived_value r = Some v.
    (* A move lowers the layer, or stays in it and raises the progress. Both are those of keys; that
       the code may take the progress of what the move leads to says progress_is_of_keys below. *)
    (* checked by: check/src/equation.rs, check *)
    Hypothesis checked_progress : forall k v r a t, entry k = Some v -> picked k = Some r ->
      over r = None -> In (a, t) (moves r) ->
      (layer (key t) < layer k \/ layer (key t) = layer k /\ progress k < progress (key t))%nat.
    (* The file is finite. *)
    (* checked by: record/src/format/manifest.rs, check_layers *)
    Variable bound : nat.
    Hypothesis checked_bound : forall k v, entry k = Some v -> (progress k < bound)%nat.

    Let listed (s : State G) : Prop := position s /\ entry (key s) <> None.
    Let said (s : State G) : Z := match entry (key s) with Some v => v | None => 0 end.

    Lemma values_agree : forall s, listed s ->
      match over s with
      | Some v => said s = keep v
      | None =>
        largest (map (fun m => signed (fst m) (said (snd m))) (moves s)) = Some (said s) /\
        forall a t, In (a, t) (moves s) -> listed t /\
          (layer (key t) < layer (key s) \/
           layer (key t) = layer (key s) /\ progress (key s) < progress (key t))%nat
      end.
    Proof.
      intros s [I N]. destruct (entry (key s)) as [w|] eqn:E; [|congruence]. clear N.
      destruct (checked_value _ _ E) as (r & F & D). pose proof (trusted_alike _ _ I F) as A.
      unfold derived_value in D. rewrite <- (over_same _ _ A) in D. unfold said at 1. rewrite E.
      destruct (over s) as [v|] eqn:O; [congruence|].
      destruct (all (map (fun m => option_map (signed (fst m)) (entry (key (snd m)))) (moves r))) as
        [l|] eqn:L;
        [|discriminate].
      apply all_there with (g := fun m => signed (fst m) (said (snd m))) in L as [-> N].
      - split.
        + unfold said at 2. rewrite E, <- D.
          pose proof (moves_same _ (fun a k => signed a (match entry k with Some w => w | None => 0
            end)) s r A O) as S.
          rewrite D. apply largest_is. apply largest_is in D as [In' Le]. split; [now apply S|].
          intros x X. apply Le. now apply S.
        + intros a t M. destruct (move_alike _ _ _ _ _ _ _ _ A O M) as (u & M' & Ek & _). split.
          * split; [eauto|]. specialize (N _ M'). simpl in N. rewrite Ek in N.
            now destruct (entry (key t)).
          * rewrite <- Ek. rewrite (over_same _ _ A) in O.
            now apply (checked_progress (key s) w r a u).
      - intros [a u] y. simpl. unfold said. destruct (entry (key u)); simpl; congruence.
    Qed.

    Theorem merged_values_are_true : forall s v, position s -> entry (key s) = Some v ->
      (exists u, has_value pays s u /\ v = keep u) /\
      exists rounds, forall n, (rounds <= n)%nat -> v = keep (value (pays s) (truth pays n s)).
    Proof.
      intros s v I E. assert (L : listed s) by (split; congruence).
      replace v with (said s) by (unfold said; now rewrite E).
      assert (C : forall s a t, listed s -> over s = None -> In (a, t) (moves s) -> listed t).
      { intros s' a t I' O M. pose proof (values_agree s' I') as A. rewrite O in A.
      now apply (proj2 A a). }
      assert (Ov : forall s v, listed s -> over s = Some v -> said s = keep v).
      { intros s' u I' O. pose proof (values_agree s' I') as A. now rewrite O in A. }
      assert (B : forall s, listed s -> over s = None ->
        largest (map (fun m => signed (fst m) (said (snd m))) (moves s)) = Some (said s)).
      { intros s' I' O. pose proof (values_agree s' I') as A. rewrite O in A. tauto. }
      assert (Pr : forall s a t, listed s -> over s = None -> In (a, t) (moves s) ->
        (layer (key t) < layer (key s) \/ layer (key t) = layer (key s) /\
          progress (key s) < progress (key t))%nat).
      { intros s' a t I' O M. pose proof (values_agree s' I') as A. rewrite O in A.
      now apply (proj2 A a). }
      assert (F : forall s, listed s -> (progress (key s) < bound)%nat).
      { intros s' [_ N]. destruct (entry (key s')) as [u|] eqn:E'; [eauto|congruence]. }
      split.
      - exact (entries_are_values G pays listed said (fun s => layer (key s)) (fun s => progress (key s))
        bound
          keep keep_order keep_opposite C Ov B Pr F s L).
      - exists (left G (fun s => layer (key s)) (fun s => progress (key s)) bound s). intros n Ln.
        exact (entries_are_true G pays listed said (fun s => layer (key s)) (fun s => progress (key s))
          bound
          keep keep_order keep_opposite C Ov B Pr F n s L Ln).
    Qed.
  End Values.
  (* Numbers are checked with the measure of what a move leads to, instead of the position picked by
     its key. That the two are the same is trusted (Conform::measured_numbers). *)
  Section Measure.
    Variable measure : State G -> nat.
    Hypothesis trusted_measure : forall s r, position s -> picked (key s) = Some r ->
      measure s = measure r.

    Definition progress_of (k : Key) : nat :=
      match picked k with Some r => measure r | None => O end.

    Lemma progress_is_of_keys : forall k r t q, position t -> picked k = Some r ->
      picked (key t) = Some q -> (measure r < measure t)%nat ->
      (progress_of k < progress_of (key t))%nat.
    Proof.
      intros k r t q I F E L. unfold progress_of. rewrite F, E.
      now rewrite <- (trusted_measure t q I E).
    Qed.
  End Measure.
End Merging.

Print Assumptions merged_truth.
Print Assumptions merged_distances_are_true.
Print Assumptions merged_distances_are_what_the_solver_finds.
Print Assumptions merged_distances_are_kept.
Print Assumptions merged_values_are_true.
