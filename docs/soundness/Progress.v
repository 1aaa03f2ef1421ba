(* Tables without distances (kinds score and wdl), for games in which progress rises.

   Claimed: every entry is the value of its position (score), or its sign (wdl): what the reference
   solver finds, and what both sides can hold.

   Checked at every position: the entry is the result (or its sign) where the game is over, else the
   largest of what its moves lead to. And every move goes to a lower layer, or stays in the layer
   and raises a number of the position, its progress.

   Why: layers are numbers from 0 up, and progress is bounded, as the file is finite. So each move
   lowers one number that says how many plies there can be at most: play ends, and by going back
   from the ends of play every entry is right. Without such a number local equations say nothing in
   a loop: two positions that lead only to each other could be called a win and a loss.

   Nothing is trusted here: the positions are those of the rules themselves. For entries of merged
   positions see Merging.v, for points banked Banked.v. *)

From Coq Require Import ZArith Lia List Bool.
From Foregone Require Import Game Plays.
Import ListNotations.
Open Scope Z_scope.

Section Progress.
  Variable G : Game.
  (* What play without end would be worth: there is none. *)
  Variable pays : State G -> Z.
  (* The positions that are checked, and what the table says of them. *)
  Variable P : State G -> Prop.
  Variable V : State G -> Z.
  Variable layer progress : State G -> nat.
  Variable bound : nat.
  (* What is kept of a value: all of it, or its sign. Both have these two properties. *)
  Variable keep : Z -> Z.
  Hypothesis keep_order : forall a b, a <= b -> keep a <= keep b.
  Hypothesis keep_opposite : forall a, keep (- a) = - keep a.

  (* All that follow a checked position are checked. *)
  (* checked by: check/src/equation.rs, check *)
  Hypothesis checked_closed : forall s a t, P s -> over s = None -> In (a, t) (moves s) -> P t.
  (* Where the game is over, the entry is the result. *)
  (* checked by: check/src/equation.rs, check *)
  Hypothesis checked_over : forall s v, P s -> over s = Some v -> V s = keep v.
  (* Else it is the largest of what the moves lead to. *)
  (* checked by: check/src/equation.rs, check *)
  Hypothesis checked_best : forall s, P s -> over s = None ->
    largest (map (fun m => signed (fst m) (V (snd m))) (moves s)) = Some (V s).
  (* A move lowers the layer, or stays in it and raises the progress. *)
  (* checked by: check/src/equation.rs, check *)
  Hypothesis checked_progress : forall s a t, P s -> over s = None -> In (a, t) (moves s) ->
    (layer t < layer s \/ layer t = layer s /\ progress s < progress t)%nat.
  (* The file is finite. *)
  (* checked by: record/src/format/manifest.rs, check_layers *)
  Hypothesis checked_finite : forall s, P s -> (progress s < bound)%nat.

  (* How many plies there can be at most. *)
  Definition left (s : State G) : nat := (layer s * bound + (bound - progress s))%nat.

  Lemma left_falls : forall s a t, P s -> over s = None -> In (a, t) (moves s) ->
    (left t < left s)%nat.
  Proof.
    intros s a t I O M. pose proof (checked_finite _ I). pose proof (checked_finite t ltac:(eauto)).
    unfold left. destruct (checked_progress s a t I O M) as [L|[-> L]]; [|lia].
    assert ((layer t * bound + bound <= layer s * bound)%nat) by nia. lia.
  Qed.

  Lemma a_move : forall s, P s -> over s = None -> exists a t, In (a, t) (moves s).
  Proof.
    intros s I O. pose proof (checked_best s I O) as E.
    destruct (moves s) as [|[a t] l]; [discriminate|].
    exists a, t. now left.
  Qed.

  (* The reference solver is done with a position after so many rounds. *)
  Theorem truth_is_settled : forall n s, P s -> (left s <= n)%nat ->
    truth pays n s = truth pays (left s) s.
  Proof.
    assert (Still : forall n s, P s -> (left s <= n)%nat ->
      truth pays (S n) s = truth pays n s).
    { induction n as [|n IH]; intros s I L; destruct (over s) as [v|] eqn:O;
        try (now rewrite !(truth_over _ _ _ _ _ O)).
      - destruct (a_move s I O) as (a & t & M). pose proof (left_falls _ _ _ I O M). lia.
      - assert (E : map (fun m => before (fst m) (truth pays (S n) (snd m))) (moves s) =
                    map (fun m => before (fst m) (truth pays n (snd m))) (moves s)).
        { apply map_ext_in. intros [a t] M. f_equal. apply IH; [eauto|].
          pose proof (left_falls _ _ _ I O M). simpl. lia. }
        destruct (a_move s I O) as (a & t & M).
        destruct (best_of_some (pays s) (reached (truth pays n) s)) as [w B].
        { unfold reached. destruct (moves s); [contradiction|discriminate]. }
        rewrite (truth_next _ pays n s w O B). apply truth_next; trivial. unfold reached. now rewrite E.
        }
    intros n s I L. induction n as [|n IH].
    - now replace (left s) with O by lia.
    - destruct (Nat.eq_dec (left s) (S n)) as [->|N]; trivial.
      rewrite Still; [apply IH| |]; trivial; lia.
  Qed.

  (* It does not go on without end. *)
  Lemma truth_ends : forall n s, P s -> (left s <= n)%nat -> exists v d, truth pays n s = Ends v d.
  Proof.
    induction n as [|n IH]; intros s I L; destruct (over s) as [v|] eqn:O;
      try (rewrite (truth_over _ _ _ _ _ O); eauto).
    - destruct (a_move s I O) as (a & t & M). pose proof (left_falls _ _ _ I O M). lia.
    - destruct (a_move s I O) as (b & u & Mu).
      destruct (best_of_some (pays s) (reached (truth pays n) s)) as [w B].
      { unfold reached. destruct (moves s); [contradiction|discriminate]. }
      rewrite (truth_next _ _ _ _ _ O B). apply best_is in B as [B _].
      apply in_reached in B as (a & t & M & ->). pose proof (left_falls _ _ _ I O M).
      destruct (IH t) as (v & d & ->); [eauto|lia|]. simpl. eauto.
  Qed.

  Lemma any_value : forall e n s, P s -> (left s <= n)%nat ->
    value e (truth pays n s) = value 0 (truth pays n s).
  Proof. intros e n s I L. destruct (truth_ends n s I L) as (v & d & ->). reflexivity. Qed.

  Definition worth (s : State G) : Z := value 0 (truth pays (left s) s).

  Lemma worth_is_best : forall s, P s -> over s = None ->
    (exists a t, In (a, t) (moves s) /\ worth s = signed a (worth t)) /\
    (forall a t, In (a, t) (moves s) -> signed a (worth t) <= worth s).
  Proof.
    intros s I O. destruct (a_move s I O) as (b & u & Mu).
    pose proof (left_falls _ _ _ I O Mu) as Lu.
    assert (E : forall e a t, In (a, t) (moves s) ->
      value e (before a (truth pays (left s - 1) t)) = signed a (worth t)).
    { intros e a t M. unfold worth. pose proof (left_falls _ _ _ I O M).
      rewrite <- (truth_is_settled (left s - 1) t) by (eauto; lia).
      destruct (truth_ends (left s - 1) t) as (v & d & ->); [eauto|lia|]. reflexivity. }
    destruct (best_of_some (pays s) (reached (truth pays (left s - 1)) s)) as [w B].
    { unfold reached. destruct (moves s); [contradiction|discriminate]. }
    assert (W : worth s = value (pays s) w).
    { unfold worth. rewrite <- (any_value (pays s)) by trivial.
      replace (left s) with (S (left s - 1)) by lia.
      now rewrite (truth_next _ _ _ _ w O B). }
    apply best_is in B as [Iw Lw]. rewrite W. split.
    - apply in_reached in Iw as (a & t & M & ->). exists a, t. split; trivial.
      now rewrite (E (pays s) a t M).
    - intros a t M. rewrite <- (E (pays s) a t M). apply le_value. apply Lw. apply in_reached.
      eauto.
  Qed.

  Lemma keep_signed : forall a z, keep (signed a z) = signed a (keep z).
  Proof. intros [] z; simpl; auto. Qed.

  Lemma entry_is_kept : forall n s, P s -> (left s <= n)%nat -> V s = keep (worth s).
  Proof.
    induction n as [|n IH]; intros s I L; destruct (over s) as [v|] eqn:O;
      try (unfold worth; rewrite (truth_over _ _ _ _ _ O); now apply checked_over).
    - destruct (a_move s I O) as (a & t & M). pose proof (left_falls _ _ _ I O M). lia.
    - pose proof (checked_best s I O) as B.
      assert (R : forall a t, In (a, t) (moves s) -> signed a (V t) = keep (signed a (worth t))).
      { intros a t M. rewrite keep_signed, (IH t); [reflexivity|eauto|].
        pose proof (left_falls _ _ _ I O M). lia. }
      enough (Some (V s) = Some (keep (worth s))) by congruence. rewrite <- B. apply largest_is.
      destruct (worth_is_best s I O) as [(a & t & M & E) Lw]. split.
      + rewrite E, <- (R a t M). apply in_map_iff. now exists (a, t).
      + intros x X. apply in_map_iff in X as ([b u] & <- & M'). simpl. rewrite (R b u M'). auto.
  Qed.

  (* The entry is what is kept of the value that the reference solver finds, in every round from
     that one on. *)
  Theorem entries_are_true : forall n s, P s -> (left s <= n)%nat ->
    V s = keep (value (pays s) (truth pays n s)).
  Proof.
    intros n s I L. rewrite any_value, (truth_is_settled n s I L) by trivial.
    now apply (entry_is_kept (left s)).
  Qed.

  (* And that value is what both sides can hold: by the moves that are worth as much. *)
  Definition best_moves : Strategy G := fun s m => signed (fst m) (worth (snd m)) = worth s.

  Definition sure (c : Z) (x : Place G) : Prop := P (snd x) /\ c <= signed (fst x) (worth (snd x)).

  Lemma sure_still : forall c x y, step best_moves x y -> sure c x ->
    sure c y /\ (left (snd y) < left (snd x))%nat.
  Proof.
    intros c x y S [I L]. destruct S as [mine s a t O M D]. unfold sure. simpl in *.
    split; [split; [eauto|]|eauto using left_falls]. rewrite signed_turn. destruct mine.
    - specialize (D eq_refl). unfold best_moves in D. simpl in *. lia.
    - destruct (worth_is_best s I O) as [_ B]. specialize (B a t M). simpl in *. lia.
  Qed.

  Theorem values_are_true : forall s, P s -> has_value pays s (worth s).
  Proof.
    assert (H : forall mine s, P s -> secures pays best_moves (signed mine (worth s)) (mine, s)).
    { intros mine s I. set (c := signed mine (worth s)).
      assert (A : forall n y, path best_moves (mine, s) n y -> sure c y).
      { intros n y Q. induction Q as [|n y z Q IH St].
        - split; [exact I|unfold c; simpl; lia].
        - now apply (sure_still c y z). }
      split.
      - intros n t Q O. destruct (A n _ Q) as [It _].
        destruct (worth_is_best t It O) as [(a & u & M & E) _].
        exists (a, u). split; trivial. now symmetry.
      - intros n t Q O N. destruct (A n _ Q) as [It _].
        destruct (worth_is_best t It O) as [(a & u & M & _) _]. simpl in M. now rewrite N in M.
      - intros n m t v Q O. destruct (A n _ Q) as [_ L]. unfold worth in L. simpl in L.
        now rewrite (truth_over _ _ _ _ _ O) in L.
      - intros n y Q. specialize (A n y Q). clear Q. remember (left (snd y)) as k eqn:K.
        revert y K A.
        induction k as [k IH] using (well_founded_induction lt_wf). intros y -> A.
        apply comes_later. intros z St. destruct (sure_still _ _ _ St A) as [B F]. eauto. }
    intros s I. split; exists best_moves; [exact (H true s I)|exact (H false s I)].
  Qed.

  (* An entry is what is kept of the value of its position. *)
  Theorem entries_are_values : forall s, P s -> exists v, has_value pays s v /\ V s = keep v.
  Proof.
    intros s I. exists (worth s). split; [now apply values_are_true|].
    now apply (entry_is_kept (left s)).
  Qed.

  (* There is no other value. *)
  Theorem values_are_most : forall s v c, P s -> has_value pays s v ->
    (gets pays c (true, s) <-> c <= v) /\ (gets pays c (false, s) <-> c <= - v).
  Proof.
    assert (Low : forall s a t, P s -> over s = None -> In (a, t) (moves s) ->
      (left t <= left s)%nat).
    { intros s a t I O M. pose proof (left_falls s a t I O M). lia. }
    assert (Pay : forall s a t, P s -> over s = None -> In (a, t) (moves s) ->
      signed a (pays t) <> pays s -> (left t < left s)%nat) by eauto using left_falls.
    intros s v c I H. split.
    - now apply (value_is_most G pays P left checked_closed Low Pay).
    - now apply (rest_is_most G pays P left checked_closed Low Pay).
  Qed.
End Progress.

(* Kind score: all of the value is kept. *)
Definition whole (v : Z) : Z := v.

Corollary score_is_true :
  forall (G : Game) pays (P : State G -> Prop) (V : State G -> Z) layer progress bound,
  (forall s a t, P s -> over s = None -> In (a, t) (moves s) -> P t) ->
  (forall s v, P s -> over s = Some v -> V s = v) ->
  (forall s, P s -> over s = None ->
    largest (map (fun m => signed (fst m) (V (snd m))) (moves s)) = Some (V s)) ->
  (forall s a t, P s -> over s = None -> In (a, t) (moves s) ->
    (layer t < layer s \/ layer t = layer s /\ progress s < progress t)%nat) ->
  (forall s, P s -> (progress s < bound)%nat) ->
  forall s, P s -> has_value pays s (V s) /\
    forall n, (left G layer progress bound s <= n)%nat -> value (pays s) (truth pays n s) = V s.
Proof.
  intros G pays P V layer progress bound C O B Pr F s I. split.
  - destruct (entries_are_values G pays P V layer progress bound whole) with (s := s) as (v & H & E);
    auto. now rewrite E.
  - intros n L. symmetry. apply (entries_are_true G pays P V layer progress bound whole); auto.
Qed.

(* Kind wdl: its sign is kept. *)
Lemma sign_order : forall a b, a <= b -> Z.sgn a <= Z.sgn b.
Proof. intros a b L. destruct (Z.sgn_spec a), (Z.sgn_spec b); lia. Qed.

Lemma sign_opposite : forall a, Z.sgn (- a) = - Z.sgn a.
Proof. intros []; reflexivity. Qed.

(* What the sign of a value says. *)
Lemma sign_says : forall (G : Game) pays (s : State G) u v,
  (forall c, (gets pays c (true, s) <-> c <= u) /\ (gets pays c (false, s) <-> c <= - u)) ->
  v = Z.sgn u ->
  (v = 1 <-> gets pays 1 (true, s)) /\
  (v = -1 <-> gets pays 1 (false, s)) /\
  (v = 0 <-> gets pays 0 (true, s) /\ gets pays 0 (false, s)).
Proof.
  intros G pays s u v H ->. destruct (H 1) as [-> ->]. destruct (H 0) as [-> ->].
  destruct (Z.sgn_spec u); lia.
Qed.

Corollary wdl_is_true :
  forall (G : Game) pays (P : State G -> Prop) (V : State G -> Z) layer progress bound,
  (forall s a t, P s -> over s = None -> In (a, t) (moves s) -> P t) ->
  (forall s v, P s -> over s = Some v -> V s = Z.sgn v) ->
  (forall s, P s -> over s = None ->
    largest (map (fun m => signed (fst m) (V (snd m))) (moves s)) = Some (V s)) ->
  (forall s a t, P s -> over s = None -> In (a, t) (moves s) ->
    (layer t < layer s \/ layer t = layer s /\ progress s < progress t)%nat) ->
  (forall s, P s -> (progress s < bound)%nat) ->
  forall s, P s ->
    (V s = 1 <-> gets pays 1 (true, s)) /\
    (V s = -1 <-> gets pays 1 (false, s)) /\
    (V s = 0 <-> gets pays 0 (true, s) /\ gets pays 0 (false, s)) /\
    forall n, (left G layer progress bound s <= n)%nat ->
      V s = Z.sgn (value (pays s) (truth pays n s)).
Proof.
  intros G pays P V layer progress bound C O B Pr F s I.
  destruct (entries_are_values G pays P V layer progress bound Z.sgn sign_order sign_opposite)
    with (s := s) as (u & H & E); auto.
  assert (Most : forall c,
    (gets pays c (true, s) <-> c <= u) /\ (gets pays c (false, s) <-> c <= - u)).
  { intros c. apply (values_are_most G pays P layer progress bound) with (s := s); auto. }
  destruct (sign_says G pays s u (V s) Most E) as (W & L & D). repeat (split; [assumption|]).
  intros n Ln. apply (entries_are_true G pays P V layer progress bound Z.sgn);
    auto using sign_order, sign_opposite.
Qed.

(* Why progress is checked: two positions that lead only to each other may be called a win and a
   loss. The entries agree with the rules, and play never ends. *)
Definition there_and_back : Game := {|
  State := bool;
  over := fun _ => None;
  moves := fun s => [(false, negb s)]
|}.

Lemma loops_need_more :
  let V (s : State there_and_back) := if s then 1 else -1 in
  (forall s, largest (map (fun m => signed (fst m) (V (snd m))) (moves s)) = Some (V s)) /\
  (forall n s, @truth there_and_back nothing n s = Endless).
Proof.
  split; [now intros []|]. induction n as [|n IH]; intros s; simpl; trivial. now rewrite IH.
Qed.

Print Assumptions truth_is_settled.
Print Assumptions entries_are_true.
Print Assumptions values_are_true.
Print Assumptions score_is_true.
Print Assumptions wdl_is_true.
Print Assumptions sign_says.
Print Assumptions loops_need_more.
