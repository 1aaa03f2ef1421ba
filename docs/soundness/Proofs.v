(* Proof files: a claim that one side gets at least c from a position.

   Claimed: the side has a strategy such that every play ends with at least c for it, or goes on
   without end where that is worth at least c to it.

   Checked: from the position and from what every move of the proof leads to, all answers of the
   other side are gone through, also where it moves several times in a row. An end of play is worth
   what is needed. A position where the side of the claim moves has an entry that claims what is
   needed, and a move. What is banked is no part of an entry: it is taken off what is needed. The
   number that is left falls to each entry where play without end is worth less than what is needed
   there, and the other side's moves in a row do not come round where it is.

   Why: while the side makes the moves of the proof, what is needed at each position is at most what
   is claimed there, because the checker has come to a position with the same key, after a move that
   looked the same, and what is banked was taken off alike. So ends of play are worth at least c.
   Where play without end is worth less, every move of the side lowers what is left, and every move
   of the other side in a row comes nearer to the end of the row. So play ends, or comes to where
   going on for ever is worth enough.

   In games that bank points there are two ways to count. Play without end is worth what is banked,
   and what it is worth with nothing banked: so it is in every game that can loop. Or it is worth the
   same whatever is banked: that can be so only where there is none, and a game that cannot loop may
   leave it so. The checker sees which of the two it is, and tries both; the theorem is proved for
   both.

   That play always can go on where it is not over is a promise of the rules: a position that is not
   over has a move.

   Trusted, in the first part: that positions are alike (Alike.v). In the second part nothing is
   merged: each position is its own key, with nothing banked, and nothing is trusted. *)

From Coq Require Import ZArith Lia List Bool.
From Foregone Require Import Game Plays Alike.
Import ListNotations.
Open Scope Z_scope.

(* What a proof says of a position: its side gets at least so much, with nothing banked, by the move
   with this number; and so much is left (record/src/proof.rs, Entry). *)
Record Entry := { at_least : Z; mv : nat; rest : nat }.

Section Merged.
  Variable G : Game.
  Variable Key : Type.
  Variable key : State G -> Key.
  Variable banked : State G -> Z.
  (* What a checker takes for a key; None for a key of no position. *)
  Variable picked : Key -> option (State G).

  (* The positions that the rules are made for; play from those that are visited does not leave them. *)
  Variable position : State G -> Prop.
  Hypothesis trusted_positions : forall s r a t, position s -> picked (key s) = Some r ->
    over s = None -> In (a, t) (moves s) -> position t.
  Hypothesis trusted_alike : forall s r, position s -> picked (key s) = Some r ->
    alike key banked s r.

  (* The claim: of the side that moves in the root, or of the other one. *)
  Variable root : State G.
  Variable mine : bool.
  Variable c : Z.
  (* What play without end is worth (rules/src/game.rs, Game::endless), and whether what is banked
     counts in it. *)
  Variable pays : State G -> Z.
  Variable counts : bool.
  Definition kept (s : State G) : Z := if counts then banked s else 0.
  Hypothesis trusted_endless : forall s r, position s -> picked (key s) = Some r ->
    pays s = kept s + pays r.
  (* Whether play has to end at a picked position, where the side of the claim needs so much beyond
     what is banked (record/src/proof.rs, has_to_end). *)
  Definition has_to_end (m : bool) (r : State G) (need : Z) : Prop :=
    signed m (pays r) < if counts then need else c.
  Hypothesis trusted_root : position root.

  Variable entry : Key -> option Entry.
  (* Where the checker comes from: an entry's move, or the root (None). It goes through each of them
     by itself. *)
  Definition Origin : Type := option Key.
  (* What is left there; at the root more than in any entry. *)
  Variable most_left : nat.
  Definition left_of (o : Origin) : nat :=
    match o with
    | None => most_left
    | Some k => match entry k with Some e => rest e | None => O end
    end.
  (* The positions of the other side that the checker goes through from there, with bounds: its
     value, with nothing banked, has to be at most so much. And when it is done with each: a later
     number if it is done later. *)
  Variable answered : Origin -> Key -> Z -> Prop.
  Variable done : Origin -> Key -> Z -> nat.

  (* What the mover's value has to be, if the side of the claim needs so much (Checker::node). *)
  Definition bound (m : bool) (s : State G) (need : Z) : Z := signed m need - banked s.

  (* The checker comes to a position and goes on (Checker::arrive, Checker::look_up). *)
  Definition come_to (o : Origin) (m : bool) (s : State G) (need : Z) : Prop :=
    exists r, picked (key s) = Some r /\
    match over r with
    (* It ends with what is needed. *)
    | Some v => if m then bound m s need <= v else v <= bound m s need
    | None =>
      if m
      (* There is an entry, its claim is enough, and what is left has fallen. *)
      then exists e, entry (key s) = Some e /\ bound m s need <= at_least e /\
        (has_to_end true r (bound m s need) -> (rest e < left_of o)%nat)
      (* The other side's answers are gone through. *)
      else answered o (key s) (bound m s need)
    end.

  (* The position that the claim is about. *)
  (* checked by: check/src/proofs/walk.rs, claim *)
  Hypothesis checked_root : come_to None mine root c.
  (* Each entry: its move exists, and is followed. *)
  (* checked by: check/src/proofs/walk.rs, claim *)
  Hypothesis checked_entry : forall k e r, entry k = Some e -> picked k = Some r -> over r = None ->
    exists a u, nth_error (moves r) (mv e) = Some (a, u) /\ come_to (Some k) a u (at_least e).
  (* Each answer is followed. What the mover has at most, the side of the claim has at least. *)
  (* checked by: check/src/proofs/walk.rs, answer *)
  Hypothesis checked_answers : forall o k b r a u, answered o k b -> picked k = Some r ->
    over r = None -> In (a, u) (moves r) -> come_to o (negb a) u (- b).
  (* There is one: else the rules do not say how such play ends. *)
  (* checked by: check/src/proofs/walk.rs, answer *)
  Hypothesis checked_answer : forall o k b r, answered o k b -> picked k = Some r -> over r = None ->
    moves r <> [].
  (* Where the other side moves again, the checker is done with what follows first: otherwise it
     would come round. *)
  (* checked by: check/src/proofs/walk.rs, answer *)
  Hypothesis checked_rows : forall o k b r u q, answered o k b -> picked k = Some r ->
    over r = None -> In (true, u) (moves r) -> picked (key u) = Some q -> over q = None ->
    has_to_end false q (- bound false u (- b)) -> (done o (key u) (bound false u (- b)) < done o k b)%nat.

  (* The strategy, at any position: a move that looks like the move of the entry does at the picked
     position (record/src/proof.rs, advice). *)
  Definition advised : Strategy G := fun s m =>
    exists e r m', entry (key s) = Some e /\ picked (key s) = Some r /\
      nth_error (moves r) (mv e) = Some m' /\ seen key banked s m = seen key banked r m'.

  (* What holds at each position on the way: it is over with enough, or there is an entry that
     claims enough, or the checker has answered a position like it with a bound that is enough. The
     numbers say how far off the end is. *)
  Inductive fine : Place G -> nat -> nat -> nat -> Prop :=
  | fine_end : forall m s v, over s = Some v -> c <= signed m v -> fine (m, s) 0 0 0
  | fine_mine : forall s r e, position s -> picked (key s) = Some r -> over s = None ->
      entry (key s) = Some e -> c - banked s <= at_least e -> fine (true, s) (rest e) 1 0
  | fine_theirs : forall s r o b, position s -> picked (key s) = Some r -> over s = None ->
      answered o (key s) b -> b <= - c - banked s ->
        fine (false, s) (left_of o) 0 (done o (key s) b).

  (* What the side needs at a place beyond what it has banked there. *)
  Definition lacks (p : Place G) : Z := c - signed (fst p) (banked (snd p)).

  (* Going on for ever is not enough. *)
  Definition must_end (p : Place G) : Prop := has pays p < c.

  Lemma has_to_end_more : forall m r x y, x <= y -> has_to_end m r x -> has_to_end m r y.
  Proof. intros m r x y L. unfold has_to_end. destruct counts; lia. Qed.

  Lemma must_end_there : forall m s r, position s -> picked (key s) = Some r ->
    must_end (m, s) -> has_to_end m r (lacks (m, s)).
  Proof.
    intros m s r I F. unfold must_end, has, has_to_end, lacks. simpl.
    rewrite (trusted_endless s r I F). unfold kept. destruct counts, m; simpl; lia.
  Qed.

  (* The checker came to u; play comes to t, which has the same key. *)
  Lemma fine_of : forall o m u t need, come_to o m u need -> position t -> key u = key t ->
    (if m then bound m t c <= bound m u need else bound m u need <= bound m t c) ->
    exists x y z, fine (m, t) x y z /\
      (over t = None -> must_end (m, t) ->
       if m then (x < left_of o)%nat
       else x = left_of o /\ y = O /\ z = done o (key u) (bound m u need) /\
         forall q, picked (key u) = Some q -> has_to_end false q (- bound m u need)).
  Proof.
    intros o m u t need (r & F & C) I E B. rewrite E in *. pose proof (trusted_alike _ _ I F) as A.
    pose proof (must_end_there m t r I F) as Must.
    destruct (over r) as [v|] eqn:O.
    - pose proof (over_alike _ _ _ _ _ _ _ A O) as Ot. exists 0%nat, 0%nat, 0%nat.
      split; [|congruence].
      eapply fine_end; [exact Ot|]. unfold bound in *. destruct m; simpl in *; lia.
    - pose proof (proj2 (going_alike _ _ _ _ _ _ A) O) as Ot. unfold bound, lacks in *. destruct m.
      + destruct C as (e & Ee & L & Fall). exists (rest e), 1%nat, 0%nat. split.
        * apply fine_mine with r; trivial; simpl in *; lia.
        * intros _ H. apply Fall. eapply has_to_end_more; [|exact (Must H)]. simpl in *. lia.
      + exists (left_of o), 0%nat, (done o (key t) (signed false need - banked u)). split.
        * apply fine_theirs with r; trivial; simpl in *; lia.
        * intros _ H. repeat (split; trivial). intros q Fq. rewrite F in Fq. injection Fq as <-.
          eapply has_to_end_more; [|exact (Must H)]. simpl in *. lia.
  Qed.

  Lemma fine_next : forall p x y z, fine p x y z -> forall q, step advised p q ->
    exists x' y' z', fine q x' y' z' /\
      (ended G q \/ (must_end q -> x' < x \/ x' = x /\ (y' < y \/ y' = y /\ z' < z))%nat).
  Proof.
    intros p x y z F q S. destruct S as [m s a t O M D].
    inversion F as [m' s' v O'|s' r e I P _ Ee L|s' r o b I P _ An L]; subst; [congruence| |];
      pose proof (trusted_alike _ _ I P) as A;
        pose proof (proj1 (going_alike _ _ _ _ _ _ A) O) as Or;
      pose proof (nothing_banked _ _ _ _ _ _ A) as Zr;
        pose proof (trusted_positions _ _ _ _ I P O M) as It.
    - destruct (D eq_refl) as (e' & r' & [a' u] & Ee' & P' & N & Sn). rewrite Ee in Ee'.
      injection Ee' as <-.
      rewrite P in P'. injection P' as <-. unfold seen in Sn. simpl in Sn. injection Sn as <- Ek Eg.
      destruct (checked_entry _ _ _ Ee P Or) as (a' & u' & N' & C). rewrite N in N'.
      injection N' as <- <-.
      destruct (fine_of _ _ u t _ C It) as (x' & y' & z' & F' & W); auto.
      { unfold gain, bound in *. simpl in *. destruct a; simpl in *; lia. }
      replace (turn true a) with a by now destruct a. exists x', y', z'. split; [exact F'|].
      destruct (over t) as [v|] eqn:Ot; [left; now exists v|right]. intros H.
      specialize (W eq_refl H).
      simpl left_of in W. rewrite Ee in W. destruct a; [left; auto|].
      destruct W as (-> & -> & -> & _).
      right. split; trivial. left. lia.
    - destruct (move_alike _ _ _ _ _ _ _ _ A O M) as (u & M' & Ek & Eg).
      pose proof (checked_answers _ _ _ _ _ _ An P Or M') as C.
      destruct (fine_of _ _ u t _ C It) as (x' & y' & z' & F' & W); auto.
      { unfold gain, bound in *. simpl in *. destruct a; simpl in *; lia. }
      replace (turn false a) with (negb a) by now destruct a. exists x', y', z'. split; [exact F'|].
      destruct (over t) as [v|] eqn:Ot; [left; now exists v|right]. intros H.
      specialize (W eq_refl H).
      destruct a; simpl in W; [|left; auto]. destruct W as (-> & -> & -> & H'). right.
      split; trivial. right. split; trivial.
      destruct C as (q & Pq & Cq). rewrite Ek in Pq. pose proof (trusted_alike _ _ It Pq) as At.
      rewrite <- Ek in Pq.
      exact (checked_rows _ _ _ _ _ _ An P Or M' Pq (proj1 (going_alike _ _ _ _ _ _ At) Ot)
        (H' q Pq)).
  Qed.

  Lemma fine_along : forall n q, path advised (mine, root) n q -> exists x y z, fine q x y z.
  Proof.
    intros n q Q. induction Q as [|n p q Q (x & y & z & F) S].
    - destruct (fine_of _ _ root root _ checked_root trusted_root eq_refl) as (x & y & z & F & _).
      + destruct mine; lia.
      + eauto.
    - destruct (fine_next _ _ _ _ F _ S) as (x' & y' & z' & F' & _). eauto.
  Qed.

  Lemma enough_or_not : forall p, c <= has pays p \/ must_end p.
  Proof. intros p. unfold must_end. lia. Qed.

  Lemma fine_comes : forall x y z p, fine p x y z -> comes G pays advised c p.
  Proof.
    intros x y z. pattern x, y, z. revert x y z. apply falling. intros x y z IH p F.
    apply comes_later. intros q S.
    destruct (fine_next _ _ _ _ F _ S) as (x' & y' & z' & F' & [E|W]).
    - apply comes_now. now left.
    - destruct (enough_or_not q) as [H|H].
      + apply comes_now. now right.
      + exact (IH _ _ _ (W H) q F').
  Qed.

  (* The claim is true: by the moves of the proof. *)
  Theorem claim_is_true : secures pays advised c (mine, root).
  Proof.
    split.
    - intros n s Q O. destruct (fine_along _ _ Q) as (x & y & z & F).
      inversion F as [m s' v O'|s' r e I P _ Ee L|]; subst; [congruence|].
      pose proof (trusted_alike _ _ I P) as A.
      pose proof (proj1 (going_alike _ _ _ _ _ _ A) O) as Or.
      destruct (checked_entry _ _ _ Ee P Or) as (a & u & N & _).
      destruct (alike_move _ _ _ _ _ _ _ _ A O (nth_error_In _ _ N)) as (t & M & Ek & Eg).
      exists (a, t). split; [exact M|]. exists e, r, (a, u). repeat (split; [assumption|]).
      unfold seen. simpl. now rewrite Ek, Eg.
    - intros n s Q O N. destruct (fine_along _ _ Q) as (x & y & z & F).
      inversion F as [m s' v O'| |s' r o b I P _ An L]; subst; [congruence|].
      pose proof (trusted_alike _ _ I P) as A.
      pose proof (proj1 (going_alike _ _ _ _ _ _ A) O) as Or. apply (checked_answer _ _ _ _ An P Or).
      destruct (moves r) as [|[a u] l] eqn:M; trivial. exfalso.
      destruct (alike_move _ _ _ _ _ _ a u A O) as (t & M' & _); [rewrite M; now left|].
      now rewrite N in M'.
    - intros n m s v Q O. destruct (fine_along _ _ Q) as (x & y & z & F).
      inversion F as [m' s' w O' L| |]; subst; congruence.
    - intros n q Q. destruct (fine_along _ _ Q) as (x & y & z & F). exact (fine_comes _ _ _ _ F).
  Qed.

  Corollary claim_is_got : gets pays c (mine, root).
  Proof. exists advised. exact claim_is_true. Qed.

  (* A play without end comes again and again to where that is worth enough: so where that is the same
     from some point on, it is at least c. *)
  Corollary endless_play_is_enough : forall f N, endless advised (mine, root) f ->
    (forall n, (N <= n)%nat -> has pays (f n) = has pays (f N)) -> c <= has pays (f N).
  Proof.
    intros f N F E. exact (endless_pays_at_last G pays _ _ _ f N claim_is_true F E).
  Qed.

  (* Where it is never worth enough, play ends. *)
  Corollary play_ends : forall f, (forall n, has pays (f n) < c) ->
    ~ endless advised (mine, root) f.
  Proof. intros f L. apply (wins_end G pays _ c); auto using claim_is_true. Qed.
End Merged.

(* Nothing merged, and nothing trusted. *)
Section Unmerged.
  Variable G : Game.
  Variable root : State G.
  Variable mine : bool.
  Variable c : Z.
  (* What play without end is worth. *)
  Variable pays : State G -> Z.
  Variable entry : State G -> option Entry.
  Variable most_left : nat.
  (* From the root (None) or an entry's position; position of the other side; its bound. *)
  Variable answered : option (State G) -> State G -> Z -> Prop.
  Variable done : option (State G) -> State G -> Z -> nat.

  Definition comes_to (o : option (State G)) (m : bool) (s : State G) (need : Z) : Prop :=
    match over s with
    | Some v => if m then need <= v else v <= - need
    | None =>
      if m
      then exists e, entry s = Some e /\ need <= at_least e /\
                     (pays s < c -> (rest e < left_of (State G) entry most_left o)%nat)
      else answered o s (- need)
    end.

  (* checked by: check/src/proofs/walk.rs, claim *)
  Hypothesis checked_root : comes_to None mine root c.
  (* checked by: check/src/proofs/walk.rs, claim *)
  Hypothesis checked_entry : forall s e, entry s = Some e -> over s = None ->
    exists a t, nth_error (moves s) (mv e) = Some (a, t) /\ comes_to (Some s) a t (at_least e).
  (* checked by: check/src/proofs/walk.rs, answer *)
  Hypothesis checked_answers : forall o s b a t, answered o s b -> over s = None ->
    In (a, t) (moves s) -> comes_to o (negb a) t (- b).
  (* checked by: check/src/proofs/walk.rs, answer *)
  Hypothesis checked_answer : forall o s b, answered o s b -> over s = None -> moves s <> [].
  (* checked by: check/src/proofs/walk.rs, answer *)
  Hypothesis checked_rows : forall o s b t, answered o s b -> over s = None ->
    In (true, t) (moves s) -> over t = None -> - pays t < c -> (done o t b < done o s b)%nat.

  Theorem plain_claim_is_true : gets pays c (mine, root).
  Proof.
    assert (C : forall o m s need, comes_to o m s need ->
      come_to G (State G) (fun s => s) nothing Some c pays false entry most_left answered o m s
        need).
    { intros o m s need C. exists s. split; trivial. unfold comes_to in C.
      unfold bound, nothing, has_to_end.
      destruct (over s) as [v|]; destruct m; simpl; rewrite Z.sub_0_r; exact C. }
    apply (claim_is_got G (State G) (fun s => s) nothing Some (fun _ => True)) with
      (counts := false) (entry := entry) (most_left := most_left) (answered := answered)
      (done := done); auto.
    - intros s r _ E. injection E as <-. split; trivial; [|tauto]. now destruct (over s).
    - intros s r _ E. injection E as <-. reflexivity.
    - intros k e r E F O. injection F as <-. destruct (checked_entry _ _ E O) as (a & t & N & H).
      eauto.
    - intros o k b r a u H F O M. injection F as <-. eauto.
    - intros o k b r H F O. injection F as <-. eauto.
    - intros o k b r u q H F O M F' O' Pos. injection F as <-. injection F' as <-.
      replace (bound G nothing false u (- b)) with b by (unfold bound, nothing; simpl; lia). eauto.
  Qed.
End Unmerged.

Print Assumptions claim_is_true.
Print Assumptions claim_is_got.
Print Assumptions endless_play_is_enough.
Print Assumptions play_ends.
Print Assumptions plain_claim_is_true.
