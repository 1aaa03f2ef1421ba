(* An executable proof checker, and that what it accepts is true.

   The checks are those of docs/soundness/Proofs.v (second part: each position is its own key), as a
   program: `check ... = true -> gets pays c (mine, root)` for every game, every book of entries, and
   however the book was made. The claim of an entry is always c here: with nothing merged and nothing
   banked, entries that claim more can as well claim c. *)

From Coq Require Import ZArith Lia List Bool.
From Foregone Require Import Game Plays Proofs.
Import ListNotations.
Open Scope Z_scope.

(* What a proof says of a position of its side: the number of the move, and a rank that falls. *)
Record entry := { move_no : nat; rank : N }.

(* A book of entries: one can be found, and a test can be made of all. *)
Record Book (S E : Type) := {
  find : S -> option E;
  every : (S -> E -> bool) -> bool;
  every_one : forall f, every f = true -> forall s e, find s = Some e -> f s e = true
}.
Arguments find {S E} _ _.
Arguments every {S E} _ _.
Arguments every_one {S E} _ _ _ _ _ _.

(* A move by its number; some games have it without all moves behind it. *)
Definition numbered (G : Game) (s : State G) (n : nat) : option (bool * State G) := nth_error (moves s) n.

Section Check.
  Variable G : Game.
  Variable pays : State G -> Z.   (* what play without end is worth *)
  Variable move : State G -> nat -> option (bool * State G).
  Hypothesis move_is : forall s n, move s n = numbered G s n.
  Variable book : Book (State G) entry.
  Variable c : Z.                 (* the claim: the side gets at least c *)

  (* The checker comes to a position; `go` looks at answers of the other side. A position of the side has an entry, whose
     rank is lower if play has to end. Whether the game is over is asked only without one: with one, entry_ok asks it. *)
  Definition arrive (go : State G -> bool) (left : N) (m : bool * State G) : bool :=
    match (if fst m then find book (snd m) else None) with
    | Some e => (c <=? pays (snd m)) || (rank e <? left)%N
    | None => match over (snd m) with
              | Some v => c <=? signed (fst m) v
              | None => if fst m then false else go (snd m)
              end
    end.

  (* All answers of the other side, at most so many in a row. *)
  Fixpoint answers (fuel : nat) (left : N) (s : State G) : bool :=
    match fuel with
    | O => false
    | S n => match moves s with
             | [] => false   (* rules that do not say how such play ends *)
             | l => forallb (fun m => arrive (answers n left) left (negb (fst m), snd m)) l
             end
    end.

  Definition entry_ok (fuel : nat) (s : State G) (e : entry) : bool :=
    match over s with
    | Some _ => false
    | None => match move s (move_no e) with
              | Some m => arrive (answers fuel (rank e)) (rank e) m
              | None => false
              end
    end.

  (* `most` is larger than the rank of the first position, `fuel` is the longest row of moves of the other side. *)
  Definition check (most : N) (fuel : nat) (mine : bool) (root : State G) : bool :=
    arrive (answers fuel most) most (mine, root) && every book (entry_ok fuel).

  (* From here on: why. *)
  Lemma answers_all : forall n left s, answers (S n) left s = true <->
    moves s <> [] /\ forall m, In m (moves s) -> arrive (answers n left) left (negb (fst m), snd m) = true.
  Proof.
    intros n left s. simpl. rewrite <- forallb_forall. now destruct (moves s).
  Qed.

  Lemma answers_more : forall n left s, answers n left s = true -> answers (S n) left s = true.
  Proof.
    induction n as [|n IH]; intros left s H; [discriminate|].
    rewrite answers_all in *. destruct H as [N H]. split; trivial. intros m I. specialize (H m I). unfold arrive in *.
    destruct (over (snd (negb (fst m), snd m))); trivial.
    destruct (fst (negb (fst m), snd m)); trivial. now apply IH.
  Qed.

  (* How many in a row it takes, if at most n. *)
  Fixpoint least (n : nat) (left : N) (s : State G) : nat :=
    match n with O => O | S m => if answers m left s then least m left s else n end.

  Lemma least_enough : forall n left s, answers n left s = true ->
    answers (least n left s) left s = true.
  Proof.
    induction n as [|n IH]; intros left s H; [discriminate|]. simpl least.
    destruct (answers n left s) eqn:E; auto.
  Qed.

  Lemma least_least : forall n k left s, answers k left s = true -> (least n left s <= k)%nat.
  Proof.
    induction n as [|n IH]; intros k left s H; [simpl; lia|]. simpl least.
    destruct (answers n left s) eqn:E; [auto|].
    destruct (Nat.le_gt_cases (S n) k) as [L|L]; trivial. exfalso.
    assert (M : forall d, answers (k + d) left s = true).
    { induction d; [now rewrite Nat.add_0_r|]. rewrite Nat.add_succ_r. now apply answers_more. }
    specialize (M (n - k)%nat). replace (k + (n - k))%nat with n in M by lia. congruence.
  Qed.

  Section Sound.
    Variables (most : N) (fuel : nat) (mine : bool) (root : State G).
    Hypothesis checked : check most fuel mine root = true.

    Let entries (s : State G) : option Entry :=
      option_map (fun e => {| at_least := c; mv := move_no e; rest := N.to_nat (rank e) |})
        (find book s).
    Let left_at (o : option (State G)) : N :=
      match o with
      | None => most
      | Some k => match find book k with Some e => rank e | None => 0%N end
      end.
    Let answered (o : option (State G)) (s : State G) (b : Z) : Prop :=
      b = - c /\ answers fuel (left_at o) s = true.
    Let done (o : option (State G)) (s : State G) (b : Z) : nat := least fuel (left_at o) s.

    Lemma open_entry : forall s e, find book s = Some e -> over s = None.
    Proof.
      intros s e F. apply andb_prop in checked as [_ A]. pose proof (every_one book _ A s e F) as H.
      unfold entry_ok in H. now destruct (over s).
    Qed.

    Lemma arrived : forall o n m t, (n <= fuel)%nat ->
      arrive (answers n (left_at o)) (left_at o) (m, t) = true ->
      comes_to G c pays entries (N.to_nat most) answered o m t c.
    Proof.
      intros o n m t L A. unfold arrive in A. simpl in A. unfold comes_to.
      destruct (over t) as [v|] eqn:O.
      - destruct m; [|simpl in A; apply Z.leb_le in A; lia].
        destruct (find book t) as [e|] eqn:F; [now rewrite (open_entry _ _ F) in O|]. simpl in A. apply Z.leb_le in A. lia.
      - destruct m.
        + unfold entries at 1. destruct (find book t) as [e|] eqn:F; [|discriminate].
          eexists. split; [reflexivity|]. split; [simpl; lia|]. intros P. simpl.
          replace (left_of _ _ _ o) with (N.to_nat (left_at o)).
          2: { destruct o as [k|]; simpl; trivial. unfold entries. now destruct (find book k). }
          apply orb_prop in A as [A|A]; [lia|]. apply N.ltb_lt in A. lia.
        + split; trivial. clear O.
          assert (M : forall d, answers (n + d) (left_at o) t = true).
          { induction d; [now rewrite Nat.add_0_r|]. rewrite Nat.add_succ_r. now apply answers_more. }
          specialize (M (fuel - n)%nat). now replace (n + (fuel - n))%nat with fuel in M by lia.
    Qed.

    Theorem check_sound : gets pays c (mine, root).
    Proof.
      destruct (andb_prop _ _ checked) as [R A].
      apply plain_claim_is_true with (entry := entries) (most_left := N.to_nat most)
        (answered := answered) (done := done).
      - exact (arrived None fuel mine root (le_n _) R).
      - intros s e E O. unfold entries in E. destruct (find book s) as [x|] eqn:F; [|discriminate].
        simpl in E. injection E as <-. pose proof (every_one book _ A s x F) as H.
        unfold entry_ok in H. rewrite O in H. simpl.
        rewrite move_is in H. unfold numbered in H. destruct (nth_error (moves s) (move_no x)) as [[a t]|]; [|discriminate].
        exists a, t. split; trivial. apply (arrived (Some s) fuel); trivial.
        unfold left_at. now rewrite F.
      - intros o s b a t [-> H] O I. rewrite Z.opp_involutive.
        assert (H' : exists n, (n <= fuel)%nat /\ answers (S n) (left_at o) s = true).
        { clear - H. destruct fuel as [|n]; [discriminate|]. exists n. auto. }
        destruct H' as (n & L & H'). apply answers_all in H' as [_ H'].
        exact (arrived o n _ _ L (H' _ I)).
      - intros o s b [-> H] _. destruct fuel as [|n]; [discriminate|]. now apply answers_all in H as [N _].
      - intros o s b t [-> H] O I Ot _. unfold done. pose proof (least_enough _ _ _ H) as E.
        destruct (least fuel (left_at o) s) as [|k]; [discriminate|].
        apply answers_all in E as [_ E]. specialize (E _ I). unfold arrive in E. simpl in E.
        rewrite Ot in E. apply Nat.lt_succ_r. now apply least_least.
    Qed.
  End Sound.
End Check.
