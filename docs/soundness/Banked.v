(* Tables of kind score for games that bank points: what is banked is no part of an entry.

   Claimed: the value of a position is what its mover has banked, and the entry of its key.

   Checked for every key: the entry is what the rules derive at the picked position, where nothing
   is banked: of each position that a move leads to, what is banked there is added to its entry.
   Progress rises, as in Progress.v.

   Why: a position and the one picked by its key differ by what is banked, and their moves gain the
   same. So values differ by that at all positions, back from the ends of play; and adding a number
   to all that is compared does not change which is the largest.

   Signs and distances do not allow this. Whether a side wins depends on what is banked and not on
   the sign of the rest; and who wins hurries, so which way is the best depends on what is banked.
   Two small games at the end show it.

   Trusted: that positions are alike, and what is banked (Alike.v). *)

From Coq Require Import ZArith Lia List Bool.
From Foregone Require Import Game Plays Alike Progress Merging.
Import ListNotations.
Open Scope Z_scope.

Section Banked.
  Variable G : Game.
  Variable Key : Type.
  Variable key : State G -> Key.
  Variable banked : State G -> Z.
  (* What play without end would be worth: there is none. *)
  Variable pays : State G -> Z.
  (* What a checker takes for a key; None for a key of no position. *)
  Variable picked : Key -> option (State G).

  (* The positions that the rules are made for; play does not leave them. *)
  Variable position : State G -> Prop.
  Hypothesis trusted_positions : forall s a t, position s -> over s = None -> In (a, t) (moves s) ->
    position t.
  Hypothesis trusted_alike : forall s r, position s -> picked (key s) = Some r ->
    alike key banked s r.

  Variable entry : Key -> option Z.
  Variable layer progress : Key -> nat.

  (* What the table says of a position (record/src/read.rs, with_banked). *)
  Definition looked_up (s : State G) : option Z := option_map (Z.add (banked s)) (entry (key s)).

  Definition derived_score (s : State G) : option Z :=
    match over s with
    | Some v => Some v
    | None =>
      match all (map (fun m => option_map (signed (fst m)) (looked_up (snd m))) (moves s)) with
      | Some l => largest l
      | None => None
      end
    end.

  (* Each entry is what the rules derive. *)
  (* checked by: check/src/equation.rs, check *)
  Hypothesis checked_score : forall k v, entry k = Some v ->
    exists r, picked k = Some r /\ derived_score r = Some v.
  (* A move lowers the layer, or stays in it and raises the progress. Both are those of keys; that the
     code may take the progress of what the move leads to says Merging.v, progress_is_of_keys. *)
  (* checked by: check/src/equation.rs, check *)
  Hypothesis checked_progress : forall k v r a t, entry k = Some v -> picked k = Some r ->
    over r = None -> In (a, t) (moves r) ->
    (layer (key t) < layer k \/ layer (key t) = layer k /\ progress k < progress (key t))%nat.
  (* The file is finite. *)
  (* checked by: record/src/format/manifest.rs, check_layers *)
  Variable bound : nat.
  Hypothesis checked_bound : forall k v, entry k = Some v -> (progress k < bound)%nat.

  Let listed (s : State G) : Prop := position s /\ entry (key s) <> None.
  Let part (s : State G) : Z := match entry (key s) with Some v => v | None => 0 end.
  Let said (s : State G) : Z := banked s + part s.

  Lemma scores_agree : forall s, listed s ->
    match over s with
    | Some v => said s = v
    | None =>
      largest (map (fun m => signed (fst m) (said (snd m))) (moves s)) = Some (said s) /\
      forall a t, In (a, t) (moves s) -> listed t /\
        (layer (key t) < layer (key s) \/
         layer (key t) = layer (key s) /\ progress (key s) < progress (key t))%nat
    end.
  Proof.
    intros s [I N]. destruct (entry (key s)) as [w|] eqn:E; [|congruence]. clear N.
    destruct (checked_score _ _ E) as (r & F & D). pose proof (trusted_alike _ _ I F) as A.
    pose proof (nothing_banked _ _ _ _ _ _ A) as Zr. unfold derived_score in D.
    assert (Es : said s = banked s + w) by (unfold said, part; now rewrite E).
    destruct (over s) as [v|] eqn:O.
    { rewrite (alike_over _ _ _ _ _ _ _ A O) in D. injection D as D. lia. }
    pose proof (proj1 (going_alike _ _ _ _ _ _ A) O) as Or. rewrite Or in D.
    destruct (all (map (fun m => option_map (signed (fst m)) (looked_up (snd m))) (moves r))) as
      [l|] eqn:L;
      [|discriminate].
    apply all_there with (g := fun m => signed (fst m) (said (snd m))) in L as [-> N].
    - assert (Same : forall a t u, key u = key t -> gain banked r (a, u) = gain banked s (a, t) ->
        signed a (said t) = banked s + signed a (said u)).
      { intros a t u Ek Eg. unfold said, part, gain in *. simpl in *. rewrite Ek.
        destruct a; simpl in *; lia. }
      split.
      + rewrite Es. apply largest_is in D as [B Le]. apply largest_is. split.
        * apply in_map_iff in B as ([a u] & Ew & M).
          destruct (alike_move _ _ _ _ _ _ _ _ A O M) as (t & M' & Ek & Eg).
          apply in_map_iff. exists (a, t). split; [|exact M']. simpl in *.
          rewrite (Same a t u); auto. lia.
        * intros x X. apply in_map_iff in X as ([a t] & <- & M).
          destruct (move_alike _ _ _ _ _ _ _ _ A O M) as (u & M' & Ek & Eg). simpl.
          rewrite (Same a t u); auto.
          specialize (Le (signed a (said u))). assert (In (signed a (said u))
            (map (fun m => signed (fst m) (said (snd m))) (moves r))) as X by (apply in_map_iff;
              now exists (a, u)).
          specialize (Le X). lia.
      + intros a t M. destruct (move_alike _ _ _ _ _ _ _ _ A O M) as (u & M' & Ek & _). split.
        * split; [eauto|]. specialize (N _ M'). simpl in N. unfold looked_up in N. rewrite Ek in N.
          now destruct (entry (key t)).
        * rewrite <- Ek. now apply (checked_progress (key s) w r a u).
    - intros [a u] y. simpl. unfold looked_up, said, part.
      destruct (entry (key u)); simpl; congruence.
  Qed.

  (* The value of a position: what its mover has banked, and the entry. *)
  Theorem scores_are_true : forall s v, position s -> entry (key s) = Some v ->
    has_value pays s (banked s + v) /\
    exists rounds, forall n, (rounds <= n)%nat ->
      value (pays s) (truth pays n s) = banked s + v.
  Proof.
    intros s v I E. assert (L : listed s) by (split; congruence).
    replace (banked s + v) with (said s) by (unfold said, part; now rewrite E).
    assert (T : has_value pays s (said s) /\ forall n,
      (left G (fun s => layer (key s)) (fun s => progress (key s)) bound s <= n)%nat ->
        value (pays s) (truth pays n s) = said s).
    { apply (score_is_true G pays listed said) with (s := s); auto.
      - intros s' a t I' O M. pose proof (scores_agree s' I') as A. rewrite O in A.
        now apply (proj2 A a).
      - intros s' u I' O. pose proof (scores_agree s' I') as A. now rewrite O in A.
      - intros s' I' O. pose proof (scores_agree s' I') as A. rewrite O in A. tauto.
      - intros s' a t I' O M. pose proof (scores_agree s' I') as A. rewrite O in A.
        now apply (proj2 A a).
      - intros s' [_ N]. destruct (entry (key s')) as [u|] eqn:E'; [eauto|congruence]. }
    destruct T as [H R]. split; [exact H|]. eauto.
  Qed.
End Banked.

(* Signs: position 0 has nothing banked, and its only move gains 2 and ends the game. It leads to
   position 1, whose mover is 2 behind and gets 3: 5 beyond what is banked, as in position 2, which
   is like it. So position 0 loses 3. But from the sign of 5 alone follows -1 for the other side,
   and with 2 gained a win. *)
Definition gain_and_lose : Game := {|
  State := nat;
  over := fun s => match s with 0%nat => None | 1%nat => Some 3 | _ => Some 5 end;
  moves := fun s => match s with 0%nat => [(false, 1%nat)] | _ => [] end
|}.

Lemma signs_cannot_bank :
  let banked (s : State gain_and_lose) := match s with 1%nat => -2 | _ => 0 end in
  let key (s : State gain_and_lose) := match s with 1%nat => 2%nat | s => s end in
  let sign (k : nat) := 1 in
  (forall s, alike key banked s (key s)) /\
  (forall s v, @over gain_and_lose (key s) = Some v -> sign (key s) = Z.sgn v) /\
  largest (map (fun m => Z.sgn (signed (fst m) (banked (snd m) + sign (key (snd m)))))
      (@moves gain_and_lose 0%nat))
    = Some (sign 0%nat) /\
  @truth gain_and_lose nothing 1 0%nat = Ends (-3) 1.
Proof.
  split; [|split; [|split; reflexivity]].
  - intros [|[|[|s]]]; split; simpl; tauto || (intros; discriminate) || reflexivity.
  - intros [|[|[|s]]] v; simpl; intros E; try discriminate; now injection E as <-.
Qed.

(* Distances: from position 10, with nothing banked, the game can end at once or after three plies,
   and is lost by 1 either way: so it ends after three. Position 0 is like it, but with 2 banked: it
   is won by 1 either way, so it ends at once. *)
Definition slow_or_quick : Game := {|
  State := nat;
  over := fun s =>
    match s with 1%nat | 4%nat => Some (-1) | 11%nat | 14%nat => Some 1 | _ => None end;
  moves := fun s => match s with
    | 0%nat => [(false, 1%nat); (false, 2%nat)]
    | 2%nat => [(false, 3%nat)]
    | 3%nat => [(false, 4%nat)]
    | 10%nat => [(false, 11%nat); (false, 12%nat)]
    | 12%nat => [(false, 13%nat)]
    | 13%nat => [(false, 14%nat)]
    | _ => []
    end
|}.

Lemma distances_cannot_bank :
  let banked (s : State slow_or_quick) :=
    match s with 0%nat | 3%nat => 2 | 1%nat | 2%nat | 4%nat => -2 | _ => 0 end in
  let key (s : State slow_or_quick) := if (s <? 10)%nat then (s + 10)%nat else s in
  (forall s, (s < 5)%nat -> alike key banked s (key s)) /\
  @truth slow_or_quick nothing 3 0%nat = Ends 1 1 /\
  @truth slow_or_quick nothing 3 (key 0%nat) = Ends (-1) 3.
Proof.
  split; [|split; reflexivity].
  intros [|[|[|[|[|s]]]]] L; try lia; split; simpl; tauto || (intros; discriminate) || reflexivity.
Qed.

Print Assumptions scores_are_true.
Print Assumptions signs_cannot_bank.
Print Assumptions distances_cannot_bank.
