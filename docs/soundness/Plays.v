(* Plays and strategies: what it means that a side gets at least so much.

   Claimed: definitions only, and that they make sense. A side gets at least c from a position if it
   has a strategy such that, whatever the other side does, both always have a move to make (play does
   not stop where the rules say no result), every play that ends is worth at least c to it, and so is
   every play that does not end. What play without
   end pays depends on the positions among which it goes on: it is the same all along every loop. In
   most games it pays 0 everywhere.

   A strategy is a set of advised moves: the side may make any of them. That a play without end pays
   at least c is said without looking at its far end: from wherever it is, it comes again to a
   position where it pays at least c (or it ends). As what it pays changes only finitely often that
   says the same, and where it pays less than c everywhere it says that every play ends. Both are
   shown below, and also that the two sides cannot get more than there is: so if each can hold its part of
   a value, it is the value. *)

From Coq Require Import ZArith Lia List Bool.
From Foregone Require Import Game.
Import ListNotations.
Open Scope Z_scope.

Section Plays.
  Variable G : Game.
  (* What play without end is worth, if it goes on among positions like this one, as its mover sees it
     (rules/src/game.rs, Game::endless). *)
  Variable pays : State G -> Z.

  (* A position on the way, and whether the side that we speak of is to move there. *)
  Definition Place : Type := bool * State G.

  (* Whether it is that side's turn after a move. *)
  Definition turn (mine again : bool) : bool := if again then mine else negb mine.

  Lemma signed_turn : forall m a z, signed (turn m a) z = signed m (signed a z).
  Proof. intros [] [] z; simpl; lia. Qed.

  (* A strategy: from which position it advises which move. *)
  Definition Strategy : Type := State G -> bool * State G -> Prop.

  Inductive step (advised : Strategy) : Place -> Place -> Prop :=
  | step_to : forall mine s a t, over s = None -> In (a, t) (moves s) ->
      (mine = true -> advised s (a, t)) -> step advised (mine, s) (turn mine a, t).

  (* Where so many plies may lead. *)
  Inductive path (advised : Strategy) (x : Place) : nat -> Place -> Prop :=
  | path_here : path advised x 0 x
  | path_on : forall n y z, path advised x n y -> step advised y z -> path advised x (S n) z.

  Definition ended (x : Place) : Prop := exists v, over (snd x) = Some v.

  (* What that side has if play goes on there for ever. *)
  Definition has (x : Place) : Z := signed (fst x) (pays (snd x)).

  (* Play comes to its end, or to a position where going on pays at least c. *)
  Inductive comes (advised : Strategy) (c : Z) (x : Place) : Prop :=
  | comes_now : ended x \/ c <= has x -> comes advised c x
  | comes_later : (forall y, step advised x y -> comes advised c y) -> comes advised c x.

  Record secures (advised : Strategy) (c : Z) (x : Place) : Prop := {
    has_a_move : forall n s, path advised x n (true, s) -> over s = None ->
      exists m, In m (moves s) /\ advised s m;
    the_other_has_a_move : forall n s, path advised x n (false, s) -> over s = None -> moves s <> [];
    ends_well : forall n mine s v, path advised x n (mine, s) -> over s = Some v ->
      c <= signed mine v;
    goes_on_well : forall n y, path advised x n y -> comes advised c y
  }.

  (* The side gets at least c. *)
  Definition gets (c : Z) (x : Place) : Prop := exists advised, secures advised c x.

  (* The value of a position: the mover gets it, and the other side gets what is left. *)
  Definition has_value (s : State G) (v : Z) : Prop := gets v (true, s) /\ gets (- v) (false, s).

  Lemma comes_less : forall advised c d x, d <= c -> comes advised c x -> comes advised d x.
  Proof.
    intros advised c d x L C. induction C as [x [E|B]|x _ IH].
    - apply comes_now. now left.
    - apply comes_now. right. lia.
    - now apply comes_later.
  Qed.

  Lemma gets_less : forall c d x, d <= c -> gets c x -> gets d x.
  Proof.
    intros c d x L [advised [M O E C]]. exists advised. split; eauto using comes_less.
    intros n mine s v P Q. specialize (E n mine s v P Q). lia.
  Qed.

  (* Plays without end. *)
  Definition endless (advised : Strategy) (x : Place) (f : nat -> Place) : Prop :=
    f O = x /\ forall n, step advised (f n) (f (S n)).

  Lemma endless_path : forall advised x f, endless advised x f -> forall n, path advised x n (f n).
  Proof.
    intros advised x f [<- S]. induction n as [|n IH]; [apply path_here|]. eapply path_on; eauto.
  Qed.

  Lemma step_not_over : forall advised x y, step advised x y -> ~ ended x.
  Proof. intros advised x y S [v E]. destruct S. simpl in E. congruence. Qed.

  (* Again and again it pays at least c. *)
  Theorem endless_pays : forall advised c x f, secures advised c x -> endless advised x f ->
    forall n, exists m, (n <= m)%nat /\ c <= has (f m).
  Proof.
    intros advised c x f A F n. pose proof (goes_on_well _ _ _ A _ _ (endless_path _ _ _ F n)) as C.
    destruct F as [_ F]. remember (f n) as y eqn:E. revert n E.
    induction C as [y [B|B]|y _ IH]; intros n ->.
    - destruct (step_not_over _ _ _ (F n) B).
    - exists n. auto.
    - destruct (IH (f (S n)) (F n) (S n) eq_refl) as (m & L & H). exists m. split; [lia|exact H].
  Qed.

  (* So where that does not change any more, it is at least c. *)
  Corollary endless_pays_at_last : forall advised c x f N, secures advised c x ->
    endless advised x f -> (forall n, (N <= n)%nat -> has (f n) = has (f N)) -> c <= has (f N).
  Proof.
    intros advised c x f N A F E. destruct (endless_pays _ _ _ _ A F N) as (m & L & H).
    now rewrite <- (E m L).
  Qed.

  (* Where play without end always pays less, who gets c gets it in finitely many plies. *)
  Corollary wins_end : forall advised c x f, (forall n, has (f n) < c) -> secures advised c x ->
    ~ endless advised x f.
  Proof.
    intros advised c x f L A F. destruct (endless_pays _ _ _ _ A F 0) as (m & _ & B).
    specialize (L m). lia.
  Qed.

  Section Layers.
    (* What play without end pays changes finitely often: only where play goes to a lower layer, and it
       never goes to a higher one. (As it is the same along every loop, and there are finitely many
       positions, there are such layers: those that lead to each other are one.) *)
    Variable P : State G -> Prop.
    Variable layer : State G -> nat.
    Hypothesis closed : forall s a t, P s -> over s = None -> In (a, t) (moves s) -> P t.
    Hypothesis layers_fall : forall s a t, P s -> over s = None -> In (a, t) (moves s) ->
      (layer t <= layer s)%nat.
    Hypothesis pays_lower : forall s a t, P s -> over s = None -> In (a, t) (moves s) ->
      signed a (pays t) <> pays s -> (layer t < layer s)%nat.

    Lemma step_layers : forall advised x y, step advised x y -> P (snd x) ->
      P (snd y) /\ (layer (snd y) <= layer (snd x))%nat /\
      (has y = has x \/ (layer (snd y) < layer (snd x))%nat).
    Proof.
      intros advised x y S I. destruct S as [mine s a t O M _]. unfold has. simpl in *.
      split; [eauto|].
      split; [eauto|]. rewrite signed_turn.
      destruct (Z.eq_dec (signed a (pays t)) (pays s)) as [->|N]; eauto.
    Qed.

    Lemma path_layers : forall advised x n y, path advised x n y -> P (snd x) ->
      P (snd y) /\ (layer (snd y) <= layer (snd x))%nat /\
      (has y = has x \/ (layer (snd y) < layer (snd x))%nat).
    Proof.
      intros advised x n y Q I. induction Q as [|n y z Q IH S]; [auto|].
      destruct IH as (Py & L & H).
      destruct (step_layers _ _ _ S Py) as (Pz & L' & H'). split; [exact Pz|]. split; [lia|].
      destruct H as [H|H], H' as [H'|H']; try (right; lia). left. congruence.
    Qed.

    (* It is not so that a play goes on without what it pays coming to rest. (That there is a place
       where it does could only be said by looking along the whole of an endless play.) *)
    Lemma pay_comes_to_rest : forall advised x f, endless advised x f -> P (snd x) ->
      ~ ~ exists N, forall n, (N <= n)%nat -> has (f n) = has (f N).
    Proof.
      intros advised x f F I. pose proof (endless_path _ _ _ F) as Q. destruct F as [_ F].
      assert (R : forall k N, (layer (snd (f N)) <= k)%nat ->
        ~ ~ exists N, forall n, (N <= n)%nat -> has (f n) = has (f N)).
      { induction k as [k IH] using (well_founded_induction lt_wf). intros N L No.
        apply No. exists N. intros n Ln.
        destruct (Z.eq_dec (has (f n)) (has (f N))) as [E|E]; trivial. exfalso.
        assert (H : forall d, has (f (N + d)%nat) = has (f N) \/
          (layer (snd (f (N + d)%nat)) < layer (snd (f N)))%nat).
        { assert (LE : forall d, (layer (snd (f (N + d)%nat)) <= layer (snd (f N)))%nat).
          { induction d as [|d IHd]; [now rewrite Nat.add_0_r|]. rewrite Nat.add_succ_r.
            destruct (path_layers _ _ _ _ (Q (N + d)%nat) I) as (P1 & _ & _).
            destruct (step_layers _ _ _ (F (N + d)%nat) P1) as (_ & L1 & _). lia. }
          induction d as [|d IHd]; [rewrite Nat.add_0_r; auto|]. specialize (LE d).
          rewrite Nat.add_succ_r.
          destruct (path_layers _ _ _ _ (Q (N + d)%nat) I) as (P1 & _ & _).
          destruct (step_layers _ _ _ (F (N + d)%nat) P1) as (_ & L1 & H).
          destruct IHd as [IHd|IHd]; [|right; lia].
          destruct H as [H|H]; [left; congruence|right; lia]. }
        replace n with (N + (n - N))%nat in E by lia.
        destruct (H (n - N)%nat) as [C|C]; [congruence|].
        apply (IH (layer (snd (f (N + (n - N))%nat))) ltac:(lia) (N + (n - N))%nat); auto. }
      now apply (R (layer (snd (f O))) O).
    Qed.

    Definition other (x : Place) : Place := (negb (fst x), snd x).

    Lemma has_other : forall x, has (other x) = - has x.
    Proof. intros [[] s]; unfold has; simpl; lia. Qed.

    (* Both sides play by their strategies. *)
    Definition both (ours theirs : Strategy) (x y : Place) : Prop :=
      step ours x y /\ step theirs (other x) (other y).

    Lemma both_move : forall ours theirs c d x, secures ours c x -> secures theirs d (other x) ->
      ~ ended x -> exists y, both ours theirs x y.
    Proof.
      intros ours theirs c d [mine s] A B N. assert (O : over s = None).
      { destruct (over s) as [v|] eqn:E; trivial. destruct N. now exists v. }
      destruct mine.
      - destruct (has_a_move _ _ _ A 0 s (path_here _ _) O) as ([a t] & I & D).
        exists (turn true a, t).
        split; [now constructor|]. unfold other. simpl.
        replace (negb (turn true a)) with (turn false a) by now destruct a.
        constructor; auto. discriminate.
      - destruct (has_a_move _ _ _ B 0 s (path_here _ _) O) as ([a t] & I & D).
        exists (turn false a, t).
        split; [constructor; auto; discriminate|]. unfold other. simpl.
        replace (negb (turn false a)) with (turn true a) by now destruct a.
        now constructor.
    Qed.

    Lemma path_before : forall advised x y, step advised x y ->
      forall n z, path advised y n z -> path advised x (S n) z.
    Proof.
      intros advised x y S n z Q. induction Q as [|n z z' Q IH S'].
      - exact (path_on _ _ _ _ _ (path_here _ _) S).
      - exact (path_on _ _ _ _ _ IH S').
    Qed.

    Lemma secures_next : forall advised c x y, step advised x y -> secures advised c x ->
      secures advised c y.
    Proof.
      intros advised c x y S [M O E C]. split; eauto using path_before.
    Qed.

    (* If the two sides were to get more than there is, they would come from each position to one of
       a lower layer, for ever. *)
    Theorem not_more_than_all : forall c d x, P (snd x) -> gets c x -> gets d (other x) ->
      c + d <= 0.
    Proof.
      intros c d x I [ours A] [theirs B]. destruct (Z_le_gt_dec (c + d) 0) as [L|L]; trivial.
      exfalso.
      assert (E : forall x, ended x -> secures ours c x -> secures theirs d (other x) -> False).
      { intros [mine s] [v O] A' B'. simpl in O.
        pose proof (ends_well _ _ _ A' 0 mine s v (path_here _ _) O).
        pose proof (ends_well _ _ _ B' 0 (negb mine) s v (path_here _ _) O).
        destruct mine; simpl in *; lia. }
      (* To a position that pays at least c, and from there to one that pays less. *)
      assert (first : forall x, comes ours c x -> P (snd x) -> secures ours c x ->
        secures theirs d (other x) ->
        exists y, P (snd y) /\ secures ours c y /\ secures theirs d (other y) /\ c <= has y /\
                  (layer (snd y) <= layer (snd x))%nat).
      { clear x I A B. intros x C. induction C as [x [Ex|H]|x _ IH]; intros I A B.
        - destruct (E x); auto.
        - exists x. auto.
        - destruct (over (snd x)) as [v|] eqn:O; [destruct (E x); auto; now exists v|].
          destruct (both_move _ _ _ _ x A B) as (y & S1 & S2); [intros [v F]; congruence|].
          destruct (step_layers _ _ _ S1 I) as (Py & Ly & _).
          destruct (IH y S1 Py) as (z & Pz & Az & Bz & Hz & Lz); eauto using secures_next.
          exists z. repeat (split; [assumption|]). lia. }
      assert (second : forall x, comes theirs d x -> P (snd x) -> secures theirs d x ->
        secures ours c (other x) -> exists y, P (snd y) /\ secures theirs d y /\
          secures ours c (other y) /\
          d <= has y /\ (has y = has x \/ layer (snd y) < layer (snd x))%nat /\
          (layer (snd y) <= layer (snd x))%nat).
      { clear x I A B first. intros x C. induction C as [x [Ex|H]|x _ IH]; intros I B A.
        - destruct (E (other x)); auto. destruct x as [[] s]; exact B.
        - exists x. repeat (split; [assumption || auto|]). lia.
        - destruct (over (snd x)) as [v|] eqn:O.
          { destruct (E (other x)); auto; [now exists v|]. destruct x as [[] s]; exact B. }
          destruct (both_move _ _ _ _ x B A) as (y & S1 & S2); [intros [v F]; congruence|].
          destruct (step_layers _ _ _ S1 I) as (Py & Ly & Hy).
          destruct (IH y S1 Py) as (z & Pz & Bz & Az & Hz & H & Lz); eauto using secures_next.
          exists z. repeat (split; [assumption|]). split; [|lia].
          destruct H as [H|H], Hy as [Hy|Hy]; try (right; lia). left. congruence. }
      remember (layer (snd x)) as k eqn:K. revert x K I A B.
      induction k as [k IH] using (well_founded_induction lt_wf). intros x K I A B.
      destruct (first x) as (y & Py & Ay & By & Hy & Ly); auto;
        [exact (goes_on_well _ _ _ A 0 x (path_here _ _))|].
      destruct (second (other y)) as (z & Pz & Bz & Az & Hz & H & Lz); auto.
      { exact (goes_on_well _ _ _ By 0 _ (path_here _ _)). }
      { destruct y as [[] s]; exact Ay. }
      destruct H as [H|H].
      - rewrite has_other in H. lia.
      - change (snd (other y)) with (snd y) in H.
        apply (IH (layer (snd z))) with (x := other z); auto; [simpl; lia|].
        destruct z as [[] s]; exact Bz.
    Qed.

    (* So a position has one value, and it is the most that its mover gets. *)
    Corollary value_is_most : forall s v c, P s -> has_value s v -> (gets c (true, s) <-> c <= v).
    Proof.
      intros s v c I [A B]. split.
      - intros H. assert (c + - v <= 0); [|lia]. now apply (not_more_than_all c (- v) (true, s)).
      - intros L. now apply gets_less with v.
    Qed.

    Corollary rest_is_most : forall s v c, P s -> has_value s v -> (gets c (false, s) <-> c <= - v).
    Proof.
      intros s v c I [A B]. split.
      - intros H. assert (c + v <= 0); [|lia]. now apply (not_more_than_all c v (false, s)).
      - intros L. now apply gets_less with (- v).
    Qed.

    Corollary one_value : forall s v u, P s -> has_value s v -> has_value s u -> v = u.
    Proof.
      intros s v u I A B. pose proof (proj1 (value_is_most s v u I A) (proj1 B)).
      pose proof (proj1 (value_is_most s u v I B) (proj1 A)). lia.
    Qed.
  End Layers.
End Plays.

Arguments step {G} _ _ _.
Arguments path {G} _ _ _ _.
Arguments has {G} _ _.
Arguments endless {G} _ _ _.
Arguments secures {G} _ _ _ _.
Arguments gets {G} _ _ _.
Arguments has_value {G} _ _ _.

(* Where play without end is worth nothing. *)
Definition nothing {G : Game} (s : State G) : Z := 0.

(* Where it is worth the same before and after every move, a position has one value. *)
Corollary value_is_most_even : forall (G : Game) (pays : State G -> Z) (P : State G -> Prop),
  (forall s a t, P s -> over s = None -> In (a, t) (moves s) -> P t) ->
  (forall s a t, P s -> over s = None -> In (a, t) (moves s) -> signed a (pays t) = pays s) ->
  forall s v c, P s -> has_value pays s v ->
  (gets pays c (true, s) <-> c <= v) /\ (gets pays c (false, s) <-> c <= - v).
Proof.
  intros G pays P C E s v c I H. split.
  - apply value_is_most with (P := P) (layer := fun _ => O); auto.
    intros s1 a t I1 O M N. now destruct (N (E s1 a t I1 O M)).
  - apply rest_is_most with (P := P) (layer := fun _ => O); auto.
    intros s1 a t I1 O M N. now destruct (N (E s1 a t I1 O M)).
Qed.

(* Where play cannot go on for ever, it does not matter what that would pay. *)
Lemma secures_ending : forall (G : Game) (pays other : State G -> Z) advised c x,
  (forall n y, path advised x n y -> Acc (fun b a => step advised a b) y) ->
  secures pays advised c x -> secures other advised c x.
Proof.
  intros G pays other advised c x A [M O E _]. split; auto.
  intros n y Q. specialize (A n y Q). clear Q. induction A as [y _ IH].
  apply comes_later. exact IH.
Qed.

(* A strategy that advises less, where it leads to, is as good, while it still advises something. *)
Lemma secures_narrower_along : forall (G : Game) (pays : State G -> Z) (wide narrow : Strategy G) c x,
  (forall n s m, path narrow x n (true, s) -> over s = None -> In m (moves s) -> narrow s m ->
    wide s m) ->
  (forall n s, path narrow x n (true, s) -> over s = None ->
    exists m, In m (moves s) /\ narrow s m) ->
  secures pays wide c x -> secures pays narrow c x.
Proof.
  intros G pays wide narrow c x W M [_ N E C].
  assert (T : forall n y z, path narrow x n y -> step narrow y z -> step wide y z).
  { intros n y z Q S. destruct S as [mine s a t O I D]. constructor; auto.
    intros ->. eapply W; eauto. }
  assert (Q : forall n y, path narrow x n y -> path wide x n y).
  { intros n y Q. induction Q; [apply path_here|]. eapply path_on; eauto. }
  split; eauto. intros n y R. specialize (C n y (Q n y R)). revert n R.
  induction C as [y H|y _ IH]; intros n R; [now apply comes_now|]. apply comes_later.
  intros z St. apply (IH z (T n y z R St) (S n)). eapply path_on; eauto.
Qed.

Print Assumptions endless_pays.
Print Assumptions wins_end.
Print Assumptions pay_comes_to_rest.
Print Assumptions value_is_most.
Print Assumptions one_value.
Print Assumptions value_is_most_even.
Print Assumptions secures_ending.
