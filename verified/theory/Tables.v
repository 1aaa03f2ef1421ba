(* Tables: an executable check of a value and a distance for every position, and that what it accepts is true.

   The checks are those of docs/soundness/Distances.v, as a program, of positions as they are: the worth of a position
   is the best of what its moves lead to. That file says why this is enough, also where play can loop. *)

From Coq Require Import ZArith NArith Lia List Bool.
From Foregone Require Import Game Plays Distances.
From Verified Require Import Check.
Import ListNotations.
Open Scope Z_scope.

(* What a table says of a position: what its mover gets, and after how many plies; without a number, play does not end. *)
Record worth := { gain : Z; plies : option N }.

Definition before_move (again : bool) (w : worth) : worth :=
  match plies w with
  | Some d => {| gain := signed again (gain w); plies := Some (N.succ d) |}
  | None => w
  end.

(* Game.v, leb, with numbers that are compared quickly; e is what play without end is worth. *)
Definition at_most (e : Z) (a b : worth) : bool :=
  match plies a, plies b with
  | Some d, Some f =>
    match gain a ?= gain b with
    | Lt => true
    | Eq => if e <? gain a then (f <=? d)%N else (d <=? f)%N
    | Gt => false
    end
  | Some _, None => gain a <=? e
  | None, Some _ => e <? gain b
  | None, None => true
  end.

Definition plain (w : worth) : Worth :=
  match plies w with Some d => Ends (gain w) (N.to_nat d) | None => Endless end.

Lemma plain_before : forall a w, plain (before_move a w) = before a (plain w).
Proof. intros a [v [d|]]; unfold plain; simpl; trivial. now rewrite N2Nat.inj_succ. Qed.

Lemma plain_at_most : forall e a b, at_most e a b = leb e (plain a) (plain b).
Proof.
  intros e [v [d|]] [u [f|]]; unfold at_most, plain; simpl; trivial.
  assert (L : forall x y, (x <=? y)%N = (N.to_nat x <=? N.to_nat y)%nat).
  { intros x y. destruct (N.leb_spec x y), (Nat.leb_spec (N.to_nat x) (N.to_nat y)); trivial; lia. }
  destruct (Z.compare_spec v u); decide_all; rewrite ?L; decide_all.
Qed.

Section Table.
  Variable G : Game.
  Variable pays : State G -> Z.   (* what play without end is worth *)
  Variable book : Book (State G) worth.   (* of each position that is not over *)
  Variables limit longest : Z.   (* the largest value and the longest play *)

  Definition fits (s : State G) (w : worth) : bool :=
    match plies w with
    | Some d => (Z.abs (gain w) <=? limit) && (Z.of_N d <=? longest)
    | None => gain w =? pays s
    end.

  (* The worth of a position; None if the table has none. *)
  Definition look (s : State G) : option worth :=
    match over s with
    | Some v => let w := {| gain := v; plies := Some 0%N |} in if fits s w then Some w else None
    | None => find book s
    end.

  Definition follows (s : State G) (w : worth) : bool :=
    match over s with
    | Some _ => true   (* never looked up *)
    | None =>
      let all := map (fun m => (m, look (snd m))) (moves s) in
      fits s w &&
      forallb (fun m => match m with
        | ((a, t), Some u) => (signed a (pays t) =? pays s) && at_most (pays s) (before_move a u) w
        | (_, None) => false
        end) all &&
      existsb (fun m => match m with
        | ((a, t), Some u) => at_most (pays s) w (before_move a u)
        | (_, None) => false
        end) all
    end.

  (* All entries follow from those after them, and these positions have some. *)
  Definition table_check (roots : list (State G)) : bool :=
    every book follows && forallb (fun s => match look s with Some _ => true | None => false end) roots.

  (* What is claimed of a position. Each side has a strategy by which it gets its part of the value, in so many plies if
     that is more than play without end is worth to it, and no sooner if it is less. And value and plies are those of
     Game.v, where a position gets the best of what its moves lead to, round after round. *)
  Definition says (s : State G) (w : worth) : Prop :=
    has_value pays s (gain w) /\
    (exists k, forall n, (k <= n)%nat -> truth pays n s = plain w) /\
    forall d, plies w = Some d -> forall mine, exists advised,
      secures pays advised (signed mine (gain w)) (mine, s) /\
      forall n m t u, path advised (mine, s) n (m, t) -> over t = Some u ->
      let c := signed mine (gain w) in let e := signed mine (pays s) in
      (e < c -> c < signed m u \/ c = signed m u /\ (n <= N.to_nat d)%nat) /\
      (c < e -> c < signed m u \/ c = signed m u /\ (N.to_nat d <= n)%nat).

  Section Sound.
    Variable roots : list (State G).
    Hypothesis checked : table_check roots = true.

    Let P (s : State G) : Prop := look s <> None.
    Let T (s : State G) : Worth := match look s with Some w => plain w | None => Endless end.

    Let followed : forall s w, look s = Some w -> over s = None -> follows s w = true.
    Proof.
      intros s w E O. unfold table_check in checked. apply andb_prop in checked as [A _].
      unfold look in E. rewrite O in E. now apply (every_one book follows A).
    Qed.

    Let one_move : forall s w a t, look s = Some w -> over s = None -> In (a, t) (moves s) ->
      exists u, look t = Some u /\ signed a (pays t) = pays s /\ at_most (pays s) (before_move a u) w = true.
    Proof.
      intros s w a t E O I. pose proof (followed s w E O) as F. unfold follows in F. rewrite O in F.
      apply andb_prop in F as [F _]. apply andb_prop in F as [_ F]. rewrite forallb_forall in F.
      specialize (F ((a, t), look t)). simpl in F.
      assert (J : In ((a, t), look t) (map (fun m => (m, look (snd m))) (moves s))).
      { apply in_map_iff. now exists (a, t). }
      specialize (F J). destruct (look t) as [u|]; [|discriminate].
      apply andb_prop in F as [F L]. apply Z.eqb_eq in F. eauto.
    Qed.

    Let best_move : forall s w, look s = Some w -> over s = None ->
      exists a t u, In (a, t) (moves s) /\ look t = Some u /\ at_most (pays s) w (before_move a u) = true.
    Proof.
      intros s w E O. pose proof (followed s w E O) as F. unfold follows in F. rewrite O in F.
      apply andb_prop in F as [_ F]. apply existsb_exists in F as ([[a t] [u|]] & I & L); [|discriminate].
      apply in_map_iff in I as ([b r] & Q & I). injection Q as -> -> Q. simpl in Q. exists a, t, u. auto.
    Qed.

    Let closed : forall s a t, P s -> over s = None -> In (a, t) (moves s) -> P t.
    Proof.
      unfold P. intros s a t I O M. destruct (look s) as [w|] eqn:E; [|congruence].
      destruct (one_move s w a t E O M) as (u & -> & _). discriminate.
    Qed.

    Let finished : forall s v, P s -> over s = Some v -> T s = Ends v 0.
    Proof.
      unfold P, T, look. intros s v I O. rewrite O in *. simpl in *.
      destruct (fits s {| gain := v; plies := Some 0%N |}); [reflexivity|congruence].
    Qed.

    Let even : forall s a t, P s -> over s = None -> In (a, t) (moves s) -> signed a (pays t) = pays s.
    Proof.
      unfold P. intros s a t I O M. destruct (look s) as [w|] eqn:E; [|congruence].
      now destruct (one_move s w a t E O M) as (u & _ & S & _).
    Qed.

    Let is_best : forall s, P s -> over s = None -> best (pays s) (reached T s) = Some (T s).
    Proof.
      unfold P. intros s I O. destruct (look s) as [w|] eqn:E; [|congruence].
      assert (Each : forall a t u, look t = Some u -> before a (T t) = plain (before_move a u)).
      { intros a t u F. unfold T. now rewrite F, plain_before. }
      assert (Here : T s = plain w) by (unfold T; now rewrite E).
      rewrite Here. apply best_is. split.
      - destruct (best_move s w E O) as (a & t & u & M & F & L).
        apply in_reached. exists a, t. split; trivial. rewrite (Each _ _ _ F).
        destruct (one_move s w a t E O M) as (u' & F' & _ & L'). rewrite F in F'. injection F' as <-.
        rewrite plain_at_most in *. apply (le_antisym (pays s)); assumption.
      - intros x X. apply in_reached in X as (a & t & M & ->).
        destruct (one_move s w a t E O M) as (u & F & _ & L). rewrite (Each _ _ _ F).
        now rewrite plain_at_most in L.
    Qed.

    Let fitting : forall s w, look s = Some w -> fits s w = true.
    Proof.
      intros s w F. destruct (over s) as [r|] eqn:O.
      - unfold look in F. rewrite O in F. destruct (fits s {| gain := r; plies := Some 0%N |}) eqn:W; [|discriminate].
        now injection F as <-.
      - pose proof (followed s w F O) as A. unfold follows in A. rewrite O in A.
        now apply andb_prop in A as [[A _]%andb_prop _].
    Qed.

    Let finite : forall s v d, P s -> T s = Ends v d -> Z.abs v <= limit /\ Z.of_nat d <= longest.
    Proof.
      unfold P, T. intros s v d I E. destruct (look s) as [w|] eqn:F; [|congruence].
      pose proof (fitting s w F) as W. unfold fits, plain in *. destruct w as [z [n|]]; simpl in *; [|discriminate].
      injection E as <- <-. apply andb_prop in W as [W D]. apply Z.leb_le in W. apply Z.leb_le in D. lia.
    Qed.

    Theorem table_says : forall s w, look s = Some w -> says s w.
    Proof.
      intros s w E. assert (I : P s) by (unfold P; now rewrite E).
      assert (V : value (pays s) (T s) = gain w).
      { pose proof (fitting s w E) as F. unfold T. rewrite E. unfold fits, plain in *. destruct (plies w); trivial.
        simpl. symmetry. now apply Z.eqb_eq. }
      unfold says. rewrite <- V. split; [|split].
      - apply (values_are_true G pays P T closed finished is_best even limit longest finite s I).
      - exists (Z.to_nat ((limit + Z.abs (pays s)) * (longest + 1) + longest)). intros n L.
        rewrite (table_is_true G pays P T closed finished is_best even limit longest finite n s I) by lia.
        unfold T. now rewrite E.
      - intros d D mine. exists (keeping G T). split.
        + apply (keeping_secures G pays P T closed finished is_best even limit longest finite mine s I).
        + assert (Es : T s = Ends (gain w) (N.to_nat d)) by (unfold T; rewrite E; unfold plain; now rewrite D).
          intros n m t u Q O. rewrite V.
          exact (distances_are_kept G pays P T closed finished is_best even limit mine s (gain w)
            (N.to_nat d) I Es n m t u Q O).
    Qed.

    (* Wherever play comes to, the table has a worth. *)
    Theorem table_covers : forall advised n x y, look (snd x) <> None -> path advised x n y -> look (snd y) <> None.
    Proof.
      intros advised n x y I Q. induction Q as [|n y z Q IH S]; trivial. destruct S as [mine s a t O M _]. simpl in *.
      exact (closed s a t IH O M).
    Qed.

    Theorem roots_have : forall s, In s roots -> exists w, look s = Some w.
    Proof.
      intros s I. unfold table_check in checked. apply andb_prop in checked as [_ A].
      rewrite forallb_forall in A. specialize (A s I). destruct (look s) as [w|]; [eauto|discriminate].
    Qed.
  End Sound.
End Table.
