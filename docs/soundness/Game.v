(* Games, worths, and what is true of them.

   The files of this folder are compiled in this order, each with
       coqc -Q docs/soundness Foregone docs/soundness/FILE
   Game.v, Plays.v, Alike.v, Rank.v, Distances.v, Progress.v, Merging.v, Banked.v, Proofs.v, Plain.v, Images.v,
   InPlay.v

   They say why a file that the checker accepts is true. A hypothesis named checked_... is a check
   that the checker makes; the comment beside it names the function. A hypothesis named trusted_...
   is a promise of a game's rules that no checker sees in full: which positions are alike, how
   positions are numbered, and that play without end is worth the same along every loop. Nothing else
   is assumed: there are no axioms.

   This file has what all the others share: a game, a worth, the order on worths, and the definition
   of truth. That definition is the reference solver (solve/src/reference.rs, worths): at first
   every position that is not over is taken to go on without end; then, in every round, each is
   given the best of what its moves lead to. (So it is where play without end is worth the same
   everywhere, or where play cannot loop, and only of such games the theorems speak of truth. Others
   are solved one component after the other; what the theorems say of them is what the two sides can
   hold, Plays.v.) *)

From Coq Require Import ZArith Lia List Bool.
Import ListNotations.
Open Scope Z_scope.

(* Rules (rules/src/game.rs, Game). *)
Record Game := {
  State : Type;
  (* The result where the game is over, as the mover sees it. *)
  over : State -> option Z;
  (* What the legal moves lead to, in the order of the rules. The mark says whether the same side
     moves again. It is part of the move because it is found before a position is replaced by one
     that is like it: there the sides may be exchanged. *)
  moves : State -> list (bool * State)
}.
Arguments over {_} _.
Arguments moves {_} _.

(* What one side sees as z, as seen by the other side, or by the same one (Value::seen_from). *)
Definition signed (same : bool) (z : Z) : Z := if same then z else - z.

(* Worths: rules/src/game.rs, Worth. Without a distance there is one worth at a position: what play
   without end is worth there. In the code it has a value by itself, which the checker compares
   (check/src/equation.rs, check). *)
Inductive Worth := Ends (v : Z) (d : nat) | Endless.

(* Where play without end is worth e. *)
Definition value (e : Z) (w : Worth) : Z := match w with Ends v _ => v | Endless => e end.

(* The worth of a move, for the mover (Worth::backed_up). The code keeps distances in 32 bits; those in
   a file are far smaller (record/src/format/manifest.rs, MOST_PLIES), so one more always fits. *)
Definition before (again : bool) (w : Worth) : Worth :=
  match w with Ends v d => Ends (signed again v) (S d) | Endless => Endless end.

Ltac decide_all :=
  repeat match goal with
  | |- context [?a <? ?b] => destruct (Z.ltb_spec a b)
  | |- context [?a <=? ?b] => destruct (Z.leb_spec a b)
  | |- context [?a =? ?b] => destruct (Z.eqb_spec a b)
  | |- context [(?a <=? ?b)%nat] => destruct (Nat.leb_spec a b)
  | H : context [?a <? ?b] |- _ => destruct (Z.ltb_spec a b)
  | H : context [?a <=? ?b] |- _ => destruct (Z.leb_spec a b)
  | H : context [?a =? ?b] |- _ => destruct (Z.eqb_spec a b)
  | H : context [(?a <=? ?b)%nat] |- _ => destruct (Nat.leb_spec a b)
  end; simpl in *; try discriminate; try lia.

(* What the mover prefers where play without end is worth e: more; of what is more than e, the
   quicker; of other results, the slower, without end the slowest. *)
Section Order.
Variable e : Z.

Definition leb (a b : Worth) : bool :=
  match a, b with
  | Ends v d, Ends u f =>
    (v <? u) || ((v =? u) && (if e <? v then (f <=? d)%nat else (d <=? f)%nat))
  | Ends v _, Endless => v <=? e
  | Endless, Ends u _ => e <? u
  | Endless, Endless => true
  end.

Definition le (a b : Worth) : Prop := leb a b = true.

(* The code orders worths by one number (Worth::key). It is the same order while no distance is as
   large as the number that stands for "without end". *)
Definition worth_key (w : Worth) : Z :=
  match w with
  | Ends v d => v * 2 ^ 33 + (if e <? v then - Z.of_nat d else Z.of_nat d)
  | Endless => e * 2 ^ 33 + (2 ^ 32 - 1)
  end.

Definition fits (w : Worth) : Prop :=
  match w with Ends _ d => Z.of_nat d < 2 ^ 32 - 1 | Endless => True end.

Lemma order_is_that_of_the_code : forall a b, fits a -> fits b ->
  leb a b = (worth_key a <=? worth_key b).
Proof.
  intros [v d|] [u f|]; unfold fits, worth_key; intros A B; simpl leb;
    change (2 ^ 33) with 8589934592;
    change (2 ^ 32) with 4294967296 in *; decide_all.
Qed.

Lemma le_refl : forall a, le a a.
Proof. intros [v d|]; unfold le; simpl; trivial. decide_all. Qed.

Lemma le_trans : forall a b c, le a b -> le b c -> le a c.
Proof. intros [v d|] [u f|] [x g|]; unfold le; simpl; intros A B; decide_all. Qed.

Lemma le_antisym : forall a b, le a b -> le b a -> a = b.
Proof. intros [v d|] [u f|]; unfold le; simpl; intros A B; decide_all; try (f_equal; lia); trivial.
Qed.

Lemma le_total : forall a b, le a b \/ le b a.
Proof. intros [v d|] [u f|]; unfold le; simpl; decide_all; tauto. Qed.

Lemma le_value : forall a b, le a b -> value e a <= value e b.
Proof. intros [v d|] [u f|]; unfold le; simpl; intros A; decide_all. Qed.

Definition better (a b : Worth) : Worth := if leb a b then b else a.

(* The best of some worths; None if there are none, which the checker finds wrong. *)
Definition best (l : list Worth) : option Worth :=
  match l with [] => None | w :: l => Some (fold_left better l w) end.

Lemma best_of_more : forall l w,
  In (fold_left better l w) (w :: l) /\ forall x, In x (w :: l) -> le x (fold_left better l w).
Proof.
  induction l as [|y l IH]; intros w.
  - split; [now left|]. intros x [<-|[]]. apply le_refl.
  - simpl fold_left. destruct (IH (better w y)) as [I L]. split.
    + destruct I as [I|I]; [|now right; right]. rewrite <- I. unfold better.
      destruct (leb w y); [now right; left|now left].
    + assert (B : le (better w y) (fold_left better l (better w y))) by (apply L; now left).
      assert (le w (better w y) /\ le y (better w y)) as [Lw Ly].
      { unfold better. destruct (leb w y) eqn:E; [split; [exact E|apply le_refl]|].
        split; [apply le_refl|]. destruct (le_total w y) as [H|H]; auto. unfold le in H. congruence.
        }
      intros x [<-|[<-|I']].
      * now apply le_trans with (better w y).
      * now apply le_trans with (better w y).
      * apply L. now right.
Qed.

(* The best of a list is known by this alone: it is in the list, and nothing there is better. *)
Lemma best_is : forall l w, best l = Some w <-> In w l /\ forall x, In x l -> le x w.
Proof.
  intros [|y l] w; simpl best.
  - split; [discriminate|]. intros [[] _].
  - destruct (best_of_more l y) as [I L]. split.
    + intros E. injection E as <-. auto.
    + intros [I' L']. f_equal. apply le_antisym; auto.
Qed.

Lemma best_of_some : forall l, l <> [] -> exists w, best l = Some w.
Proof. intros [|w l] N; [congruence|]. simpl. eauto. Qed.

(* So order and number of times do not matter. *)
Lemma best_of_same : forall l k, (forall x, In x l <-> In x k) -> best l = best k.
Proof.
  intros l k S. destruct (best l) as [w|] eqn:E.
  - symmetry. apply best_is in E as [I L]. apply best_is. split; [now apply S|]. intros x X.
    apply L. now apply S.
  - destruct l as [|w l]; [|discriminate]. destruct k as [|w k]; trivial. destruct (proj2 (S w)).
    now left.
Qed.

End Order.

Lemma value_before : forall e a w, value (signed a e) (before a w) = signed a (value e w).
Proof. intros e [] [v d|]; reflexivity. Qed.

Lemma value_before_0 : forall a w, value 0 (before a w) = signed a (value 0 w).
Proof. intros [] [v d|]; reflexivity. Qed.

(* The largest of some numbers, for tables without distances. *)
Definition largest (l : list Z) : option Z :=
  match l with [] => None | z :: l => Some (fold_left Z.max l z) end.

Lemma largest_of_more : forall l z,
  In (fold_left Z.max l z) (z :: l) /\ forall x, In x (z :: l) -> x <= fold_left Z.max l z.
Proof.
  induction l as [|y l IH]; intros z.
  - split; [now left|]. intros x [<-|[]]. simpl. lia.
  - simpl fold_left. destruct (IH (Z.max z y)) as [I L]. split.
    + destruct I as [I|I]; [|now right; right]. rewrite <- I.
      destruct (Z.max_spec z y) as [[_ E]|[_ E]]; rewrite E; [now right; left|now left].
    + assert (B : Z.max z y <= fold_left Z.max l (Z.max z y)) by (apply L; now left).
      intros x [<-|[<-|I']]; try lia. apply L. now right.
Qed.

Lemma largest_is : forall l z, largest l = Some z <-> In z l /\ forall x, In x l -> x <= z.
Proof.
  intros [|y l] z; simpl largest.
  - split; [discriminate|]. intros [[] _].
  - destruct (largest_of_more l y) as [I L]. split.
    + intros E. injection E as <-. auto.
    + intros [I' L']. f_equal. apply Z.le_antisymm; auto.
Qed.

Section Truth.
  Variable G : Game.
  (* What play without end is worth at a position, as its mover sees it (rules/src/game.rs,
     Game::endless). *)
  Variable endless : State G -> Z.

  (* What the moves of a position lead to, as its mover sees it. *)
  Definition reached (T : State G -> Worth) (s : State G) : list Worth :=
    map (fun m => before (fst m) (T (snd m))) (moves s).

  (* After n rounds: the worth of a position in the game that is broken off after n plies
     (solve/src/reference.rs, worths; a position without moves keeps what it has). *)
  Fixpoint truth (n : nat) (s : State G) : Worth :=
    match over s with
    | Some v => Ends v 0
    | None =>
      match n with
      | O => Endless
      | S n => match best (endless s) (map (fun m => before (fst m) (truth n (snd m))) (moves s)) with
               | Some w => w
               | None => truth n s
               end
      end
    end.

  Lemma truth_over : forall n s v, over s = Some v -> truth n s = Ends v 0.
  Proof. intros [|n] s v E; simpl; now rewrite E. Qed.

  Lemma truth_next : forall n s w, over s = None -> best (endless s) (reached (truth n) s) = Some w ->
    truth (S n) s = w.
  Proof. intros n s w O E. simpl. rewrite O. unfold reached in E. now rewrite E. Qed.

  Lemma in_reached : forall T s w,
    In w (reached T s) <-> exists a t, In (a, t) (moves s) /\ w = before a (T t).
  Proof.
    intros T s w. unfold reached. rewrite in_map_iff. split.
    - intros ([a t] & E & I). exists a, t. auto.
    - intros (a & t & I & ->). now exists (a, t).
  Qed.
End Truth.
Arguments truth {G} _ _ _.
Arguments reached {G} _ _.

(* A way to show that something comes to an end: the first of three numbers falls, or it stays and
   the second falls, or both stay and the third falls. *)
Lemma falling : forall Q : nat -> nat -> nat -> Prop,
  (forall a b c,
      (forall a' b' c', (a' < a \/ a' = a /\ (b' < b \/ b' = b /\ c' < c))%nat -> Q a' b' c') ->
      Q a b c) ->
  forall a b c, Q a b c.
Proof.
  intros Q H a. induction a as [a IA] using (well_founded_induction lt_wf).
  intros b. induction b as [b IB] using (well_founded_induction lt_wf).
  intros c. induction c as [c IC] using (well_founded_induction lt_wf).
  apply H. intros a' b' c' [L|[-> [L|[-> L]]]]; auto.
Qed.

Print Assumptions order_is_that_of_the_code.
Print Assumptions best_is.
