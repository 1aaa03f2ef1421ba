(* Tables of kind score+distance, for all games, also those that loop (nothing is banked).

   Claimed: every entry is what the reference solver finds: value, distance, and draws without end.
   A side that is to win has a strategy that wins at least that much, and where it wins no more,
   within so many plies; a side that is to lose can hold the loss to that, and where it loses as
   much, for so many plies.

   Checked at every position: the entry is the result and 0 plies where the game is over, else the
   best of what its moves lead to, one ply further off. The game may loop, and yet no other table
   passes.

   Why: call a worth settled after so many rounds of the reference solver. A win of the largest size
   in d plies is settled after d rounds, because it rests on entries with smaller distances, down to
   positions that are over. A smaller win or loss, or a draw on the board, may for some rounds be
   hidden behind a larger one that is not yet seen (a player who will lose more at last looks as if
   he held out), so it is settled one whole span of distances later for every unit by which it is
   smaller. Before it is settled, the solver's worth lies between the entry and a draw without end.
   An entry without end is never anything else. All of that goes from the positions after a move to
   the position before it, so it holds after any number of rounds; and as values and distances in a
   file are bounded, all is settled at last.

   Nothing is trusted here: the positions are those of the rules themselves. For entries of merged
   positions see Merging.v. *)

From Coq Require Import ZArith Lia List Bool.
From Foregone Require Import Game Plays Alike Rank.
Import ListNotations.
Open Scope Z_scope.

Section Distances.
  Variable G : Game.
  (* The positions that are checked, and what the table says of them. *)
  Variable P : State G -> Prop.
  Variable T : State G -> Worth.

  (* All that follow a checked position are checked. *)
  (* checked by: check/src/equation.rs, check *)
  Hypothesis checked_closed : forall s a t, P s -> over s = None -> In (a, t) (moves s) -> P t.
  (* Where the game is over, the entry is the result. *)
  (* checked by: check/src/equation.rs, check *)
  Hypothesis checked_over : forall s v, P s -> over s = Some v -> T s = Ends v 0.
  (* Else it is the best of what the moves lead to. *)
  (* checked by: check/src/equation.rs, check *)
  Hypothesis checked_best : forall s, P s -> over s = None -> best (reached T s) = Some (T s).
  (* The file is finite. *)
  (* checked by: record/src/format/manifest.rs, check_layers *)
  Variable limit longest : Z.
  Hypothesis checked_finite : forall s v d, P s -> T s = Ends v d ->
    Z.abs v <= limit /\ Z.of_nat d <= longest.

  (* After how many rounds an entry is surely what the solver has: it is settled. *)
  Definition rounds (v : Z) (d : nat) : Z := (limit - Z.abs v) * (longest + 1) + Z.of_nat d.

  (* What the solver may have after n rounds (r), where the table has w. *)
  Definition nearly (n : nat) (w r : Worth) : Prop :=
    match w with
    | Ends v d => (rounds v d <= Z.of_nat n -> r = w) /\
                  (if 0 <? v then le Endless r /\ le r w
                   else le w r /\ le r Endless /\ (v < 0 -> r = Endless \/ value r < 0))
    | Endless => r = Endless
    end.

  (* Entries, and what moves lead to, one ply further. *)
  Definition small (w : Worth) : Prop :=
    match w with Ends v d => Z.abs v <= limit /\ Z.of_nat d <= longest + 1 | Endless => True end.

  Lemma small_before : forall s a, P s -> small (before a (T s)).
  Proof.
    intros s a I. destruct (T s) as [v d|] eqn:E; simpl; trivial.
    destruct (checked_finite _ _ _ I E). destruct a; simpl; lia.
  Qed.

  Lemma nearly_before : forall n a w r, nearly n w r -> nearly (S n) (before a w) (before a r).
  Proof.
    intros n a [v d|] r; simpl; [|now intros ->]. intros [E B]. split.
    - intros L. rewrite E; [reflexivity|]. unfold rounds in *.
      replace (Z.abs (signed a v)) with (Z.abs v) in L by (destruct a; simpl; lia). lia.
    - clear E. destruct (Z.ltb_spec 0 v) as [Pos|Neg]; [|destruct B as (B & B' & N)];
        (destruct r as [u e|]; [|try specialize (N ltac:(lia))]); destruct a;
        unfold le in *; simpl in *; decide_all; try tauto; repeat split; trivial; intros; try lia;
          auto;
        try (destruct N as [N|N]; [lia|discriminate N|]); decide_all.
  Qed.

  Lemma nearly_same : forall n w, nearly n w w.
  Proof.
    intros n [v d|]; simpl; trivial. split; trivial. pose proof (le_refl (Ends v d)).
    unfold le in *. simpl. decide_all; auto.
  Qed.

  Lemma nearly_upper : forall n w r, nearly n w r -> le w Endless -> le r Endless.
  Proof.
    intros n [v d|] r; simpl; [|now intros ->]. intros [_ B] L. unfold le in *. simpl in L.
    destruct (0 <? v) eqn:E; [decide_all|]. tauto.
  Qed.

  Lemma nearly_below : forall n w r x, nearly n w r -> 0 < value x -> le w x -> le r x.
  Proof.
    intros n w r [u e|] N Pos L; simpl in Pos; [|lia].
    assert (D : le Endless (Ends u e)) by (unfold le; simpl; decide_all).
    destruct w as [v d|]; simpl in N; [|now subst]. destruct N as [_ B]. destruct (0 <? v).
    - now apply le_trans with (Ends v d).
    - now apply le_trans with Endless.
  Qed.

  (* It holds of the best, if it holds of all. The best may be another move for the solver than for
     the table; but what is better for the solver is not settled yet, so the best is not either. *)
  Lemma nearly_best : forall n (l : list (bool * State G)) (f g : bool * State G -> Worth) w,
    (forall m, In m l -> nearly n (f m) (g m) /\ small (f m)) -> best (map f l) = Some w ->
    exists r, best (map g l) = Some r /\ nearly n w r.
  Proof.
    intros n l f g w H E. apply best_is in E as [I L]. apply in_map_iff in I as (m & Em & M).
    destruct (best_of_some (map g l)) as [r R]; [destruct l; [contradiction|discriminate]|].
    exists r. split; [exact R|]. apply best_is in R as [I' L'].
    apply in_map_iff in I' as (m' & Em' & M').
    assert (Lr : le (g m) r) by (apply L'; now apply in_map).
    assert (Lw : le (f m') w) by (apply L; now apply in_map).
    destruct (H m M) as [N S]. destruct (H m' M') as [N' S']. rewrite Em in *. rewrite Em' in *.
    destruct w as [v d|].
    - destruct (Z_lt_le_dec 0 v) as [Pos|Neg].
      + assert (Lr' : le r (Ends v d)) by (eapply nearly_below; eauto). simpl in *.
        destruct N as [Eq B]. destruct (Z.ltb_spec 0 v); [|lia]. split; [|split; [|exact Lr']].
        * intros Ln. apply le_antisym; trivial. now rewrite <- (Eq Ln).
        * now apply le_trans with (g m).
      + assert (Lr' : le r Endless).
        { eapply nearly_upper; eauto. apply le_trans with (Ends v d); trivial. unfold le. simpl.
        decide_all. }
        simpl in *. destruct N as [Eq B]. destruct (Z.ltb_spec 0 v); [lia|].
        assert (Lr0 : le (Ends v d) r) by (apply le_trans with (g m); tauto).
        split; [|split; [exact Lr0|split; [exact Lr'|]]].
        2:{ intros Loss. destruct (f m') as [v' d'|]; [|now left]. apply le_value in Lw.
        simpl in Lw, N'.
            destruct N' as [_ B']. destruct (Z.ltb_spec 0 v'); [lia|]. apply B'. lia. }
        intros Ln. apply le_antisym; trivial.
        destruct (f m') as [v' d'|].
        * simpl in N'. destruct N' as [Eq' _]. rewrite Eq'; trivial.
          assert (v' = v /\ (d' <= d)%nat \/ v' < v) as [[-> D]|D] by (unfold le in Lw; simpl in Lw;
            decide_all).
          { unfold rounds in *. lia. }
          { assert (Q : limit - Z.abs v' <= limit - Z.abs v - 1) by lia. simpl in S'.
            assert (0 <= longest + 1) by lia. unfold rounds in *. nia. }
        * unfold le in Lw. simpl in Lw. decide_all.
    - simpl in N. rewrite N in Lr. simpl. apply le_antisym; trivial. eapply nearly_upper; eauto.
  Qed.

  Lemma next_is_best : forall s, P s -> over s = None ->
    (exists a t, In (a, t) (moves s) /\ P t /\ before a (T t) = T s) /\
    (forall a t, In (a, t) (moves s) -> P t /\ le (before a (T t)) (T s)).
  Proof.
    intros s I O. pose proof (checked_best s I O) as E. apply best_is in E as [B L]. split.
    - apply in_reached in B as (a & t & M & E). exists a, t. eauto.
    - intros a t M. split; [eauto|]. apply L. apply in_reached. eauto.
  Qed.

  Lemma always_nearly : forall n s, P s -> nearly n (T s) (truth n s).
  Proof.
    induction n as [|n IH]; intros s I; destruct (over s) as [v|] eqn:O;
      try (rewrite (truth_over _ _ _ _ O), (checked_over s v I O); apply nearly_same).
    - destruct (next_is_best s I O) as [(a & t & M & It & E) _]. simpl truth. rewrite O.
      destruct (T s) as [v d|] eqn:Es; simpl; trivial.
      destruct (checked_finite _ _ _ I Es) as [Lv Ld]. split.
      + intros L. destruct (T t) as [u e|]; simpl in E; [|discriminate]. injection E as _ <-.
        unfold rounds in L. assert (0 <= limit - Z.abs v) by lia. nia.
      + unfold le. simpl. decide_all; auto.
    - destruct (nearly_best (S n) (moves s) (fun m => before (fst m) (T (snd m)))
        (fun m => before (fst m) (truth n (snd m))) (T s)) as (r & R & N).
      + intros [a t] M. simpl. pose proof (checked_closed s a t I O M). split.
        * apply nearly_before. auto.
        * now apply small_before.
      + exact (checked_best s I O).
      + now rewrite (truth_next _ _ _ _ O R).
  Qed.

  (* Theorem A. The table is what the reference solver has after any number of rounds from this one
     on. *)
  Theorem table_is_true : forall n s, P s -> limit * (longest + 1) + longest <= Z.of_nat n ->
    truth n s = T s.
  Proof.
    intros n s I L. pose proof (always_nearly n s I) as N.
    destruct (T s) as [v d|] eqn:E; simpl in N; trivial.
    destruct N as [N _]. apply N. destruct (checked_finite _ _ _ I E). unfold rounds. nia.
  Qed.

  (* And also in the round in which it stops, because nothing changes any more. *)
  Theorem table_is_what_the_solver_finds : forall n, (forall s, P s -> truth (S n) s = truth n s) ->
    forall s, P s -> truth n s = T s.
  Proof.
    intros n Stop. assert (Still : forall k s, P s -> truth (k + n) s = truth n s).
    { induction k as [|k IH]; intros s I; [reflexivity|]. rewrite <- (Stop s I). simpl.
      destruct (over s) as [v|] eqn:O; trivial.
      rewrite (map_ext_in _ (fun m => before (fst m) (truth n (snd m))) (moves s)).
      - rewrite IH by exact I. reflexivity.
      - intros [a t] M. simpl. rewrite IH; eauto. }
    intros s I. rewrite <- (Still (Z.to_nat (limit * (longest + 1) + longest)) s I).
    apply table_is_true; [exact I|]. lia.
  Qed.

  Definition distance (s : State G) : nat := match T s with Ends _ d => d | Endless => O end.

  (* Distances are ranks, so values are what both sides can hold. *)
  Let layer (s : State G) : nat := O.
  Let V (s : State G) : Z := value (T s).

  Lemma no_gain : forall s m, gain (@nothing G) s m = 0.
  Proof. intros s [[] t]; reflexivity. Qed.

  Lemma worth_of_move : forall s m, move_worth G nothing V s m = value (before (fst m) (T (snd m))).
  Proof. intros s m. unfold move_worth. rewrite no_gain, value_before. reflexivity. Qed.

  Lemma holds_values : forall mine s, P s ->
    secures nothing (holding G nothing V distance layer) (signed mine (V s)) (mine, s).
  Proof.
    intros mine s I. change (V s) with (nothing s + V s).
    apply (holding_secures G nothing P V distance layer) with (limit := Z.max 0 limit); auto.
    - intros t v It O. unfold V. now rewrite (checked_over t v It O).
    - intros t [a u] It O M. rewrite worth_of_move. apply le_value. now apply next_is_best.
    - intros t It O. destruct (next_is_best t It O) as [(a & u & M & _ & E) _]. exists (a, u).
      rewrite worth_of_move. simpl. rewrite E. split; [exact M|]. split; [reflexivity|].
      unfold V, distance. intros L. right. split; trivial. rewrite <- E in *.
      destruct (T u); simpl in *; lia.
    - intros t [a u] It O M L. rewrite worth_of_move. simpl. intros E _. unfold V, distance in *.
      destruct (next_is_best t It O) as [_ N]. destruct (N a u M) as [_ N']. unfold le in N'.
      destruct (T u) as [w e|], (T t) as [v d|]; simpl in *; decide_all. destruct d; decide_all.
    - intros t m _ _ _ N. now rewrite no_gain in N.
    - intros t It. unfold V. destruct (T t) as [v d|] eqn:E; simpl; [|lia].
      destruct (checked_finite _ _ _ It E). lia.
  Qed.

  (* Theorem B. The value of an entry is the value of its position. *)
  Theorem values_are_true : forall s, P s -> has_value nothing s (value (T s)).
  Proof. intros s I. split; eexists; [exact (holds_values true s I)|exact (holds_values false s I)].
  Qed.

  (* In other words: it is the most that the mover gets, and the other side gets the rest at most.
     Who gets more than 0 gets it in finitely many plies (Plays.v, wins_end). *)
  Corollary values_are_most : forall s c, P s ->
    (gets nothing c (true, s) <-> c <= value (T s)) /\
    (gets nothing c (false, s) <-> c <= - value (T s)).
  Proof. intros s c I. apply value_is_most_plain. now apply values_are_true. Qed.

  Corollary draws : forall s, P s ->
    (value (T s) = 0 <-> ~ gets nothing 1 (true, s) /\ ~ gets nothing 1 (false, s)).
  Proof. intros s I. destruct (values_are_most s 1 I) as [-> ->]. lia. Qed.

  (* The moves that the table calls best. *)
  Definition keeping : Strategy G := fun s m => before (fst m) (T (snd m)) = T s.

  Theorem keeping_secures : forall mine s, P s ->
    secures nothing keeping (signed mine (value (T s))) (mine, s).
  Proof.
    intros mine s I. eapply secures_narrower; [| |exact (holds_values mine s I)].
    - intros t [a u]. unfold keeping, holding. rewrite worth_of_move. simpl. intros E. rewrite E.
      split; trivial. unfold V, distance. intros L. right. split; trivial.
      rewrite <- E in *. destruct (T u); simpl in *; lia.
    - intros n t Q O. assert (It : P t).
      { clear O. remember (true, t) as y eqn:Ey. assert (H : P (snd y)); [|now subst].
        clear Ey. induction Q as [|n y z Q IH S]; trivial. destruct S. simpl in *. eauto. }
      destruct (next_is_best t It O) as [(a & u & M & _ & E) _]. exists (a, u). auto.
  Qed.

  (* While a side makes best moves, its win only grows, or keeps its size and comes nearer ply by
     ply; and its loss only shrinks, or keeps its size and comes no sooner. *)
  Lemma in_time : forall mine s v d, P s -> T s = Ends v d ->
    forall n m t, path keeping (mine, s) n (m, t) ->
    P t /\
    let c := signed mine v in
    (0 < c -> c < signed m (value (T t)) \/
              exists e, T t = Ends (signed m c) e /\ (n + e <= d)%nat) /\
    (c < 0 -> c < signed m (value (T t)) \/
              exists e, T t = Ends (signed m c) e /\ (d <= n + e)%nat).
  Proof.
    intros mine s v d I E n m t Q. remember (m, t) as y eqn:Ey. revert m t Ey.
    induction Q as [|n y z Q IH S]; intros m t Ey.
    - injection Ey as <- <-. split; [exact I|]. simpl. rewrite E.
      split; intros L; right; exists d; (split; [destruct mine; f_equal; simpl; lia|lia]).
    - destruct S as [m0 t0 a t1 O M D]. injection Ey as <- <-.
      destruct (IH m0 t0 eq_refl) as (I0 & Hw & Hl). destruct (next_is_best t0 I0 O) as [_ N].
      destruct (N a t1 M) as [I1 B]. split; [exact I1|]. simpl. set (c := signed mine v) in *.
      simpl in Hw, Hl.
      assert (Eq : m0 = true -> before a (T t1) = T t0) by (intros Em; exact (D Em)).
      clear - Hw Hl B Eq. unfold le in B.
      split; intros L; [destruct (Hw L) as [H|(e & H & Le)]|destruct (Hl L) as [H|(e & H & Le)]];
        clear Hw Hl.
      + left. destruct m0.
        * rewrite <- (Eq eq_refl) in H. rewrite value_before in H. now destruct a.
        * apply le_value in B. rewrite value_before in B. destruct a; simpl in *; lia.
      + destruct m0.
        * right. rewrite <- (Eq eq_refl) in H. destruct (T t1) as [u f|]; [|discriminate].
          simpl in H. injection H as H <-. exists f. split; [|lia]. f_equal.
          destruct a; simpl in *; lia.
        * rewrite H in B. destruct (T t1) as [u f|]; simpl in B.
          { destruct (Z.eq_dec (signed a u) (- c)) as [E|E].
            - right. exists f. split; [f_equal; destruct a; simpl in *; lia|].
              destruct e as [|e]; simpl in *; decide_all.
            - left. simpl. destruct a; simpl in *; decide_all. }
          { decide_all. }
      + left. destruct m0.
        * rewrite <- (Eq eq_refl) in H. rewrite value_before in H. now destruct a.
        * apply le_value in B. rewrite value_before in B. destruct a; simpl in *; lia.
      + destruct m0.
        * right. rewrite <- (Eq eq_refl) in H. destruct (T t1) as [u f|]; [|discriminate].
          simpl in H. injection H as H <-. exists f. split; [|lia]. f_equal.
          destruct a; simpl in *; lia.
        * rewrite H in B. destruct (T t1) as [u f|]; simpl in B.
          { destruct (Z.eq_dec (signed a u) (- c)) as [E|E].
            - right. exists f. split; [f_equal; destruct a; simpl in *; lia|].
              destruct e as [|e]; simpl in *; decide_all.
            - left. simpl. destruct a; simpl in *; decide_all. }
          { left. destruct a; simpl in *; lia. }
  Qed.

  (* So the winner wins more, or as much within the distance; and the loser loses less, or as much,
     and not sooner. (Of draws no side can decide alone how long they last: both wish them long.) *)
  Theorem distances_are_kept : forall mine s v d, P s -> T s = Ends v d ->
    forall n m t u, path keeping (mine, s) n (m, t) -> over t = Some u ->
    let c := signed mine v in
    (0 < c -> c < signed m u \/ c = signed m u /\ (n <= d)%nat) /\
    (c < 0 -> c < signed m u \/ c = signed m u /\ (d <= n)%nat).
  Proof.
    intros mine s v d I E n m t u Q O. destruct (in_time _ _ _ _ I E _ _ _ Q) as (It & W & L).
    simpl in *. set (c := signed mine v) in *. rewrite (checked_over t u It O) in W, L.
    simpl in W, L.
    split; intros S; [destruct (W S) as [H|(e & H & D)]|destruct (L S) as [H|(e & H & D)]]; auto;
      right;
      injection H as H <-; (split; [destruct m; simpl in *; lia|lia]).
  Qed.
End Distances.

(* An example, to see that the checks can be passed: a win in a loop, a draw on the board by an
   extra turn, and a draw without end that either side could cut short. *)
Definition small_game : Game := {|
  State := nat;
  over := fun s => match s with 2%nat => Some 0 | 4%nat => Some 1 | _ => None end;
  moves := fun s => match s with
    | 0%nat => [(false, 1%nat); (false, 3%nat)]
    | 1%nat => [(false, 0%nat); (true, 2%nat)]
    | 3%nat => [(false, 4%nat)]
    | 5%nat => [(false, 6%nat)]
    | 6%nat => [(false, 5%nat); (false, 2%nat)]
    | _ => []
    end
|}.

Definition small_table (s : State small_game) : Worth :=
  match s with
  | 0%nat => Ends 1 2
  | 1%nat => Ends 0 1
  | 2%nat => Ends 0 0
  | 3%nat => Ends (-1) 1
  | 4%nat => Ends 1 0
  | _ => Endless
  end.

Lemma small_table_is_true : forall n s, (s < 7)%nat -> 5 <= Z.of_nat n ->
  @truth small_game n s = small_table s.
Proof.
  assert (each : forall s, (s < 7)%nat -> In s [0; 1; 2; 3; 4; 5; 6]%nat) by (intros s L; simpl;
    lia).
  intros n s L Ln. apply (table_is_true small_game (fun s => (s < 7)%nat)) with (limit := 1)
    (longest := 2); auto;
    clear n s L Ln.
  - intros s a t L O M. destruct (each s L) as [<-|[<-|[<-|[<-|[<-|[<-|[<-|[]]]]]]]]; simpl in *;
      repeat destruct M as [M|M]; try contradiction; try injection M as <- <-; lia.
  - intros s v L O. destruct (each s L) as [<-|[<-|[<-|[<-|[<-|[<-|[<-|[]]]]]]]]; simpl in *;
    congruence.
  - intros s L O. destruct (each s L) as [<-|[<-|[<-|[<-|[<-|[<-|[<-|[]]]]]]]]; try reflexivity;
    discriminate.
  - intros s v d L E. destruct (each s L) as [<-|[<-|[<-|[<-|[<-|[<-|[<-|[]]]]]]]]; simpl in E;
    try discriminate;
      injection E as <- <-; simpl; lia.
Qed.

Print Assumptions table_is_true.
Print Assumptions table_is_what_the_solver_finds.
Print Assumptions values_are_true.
Print Assumptions values_are_most.
Print Assumptions draws.
Print Assumptions keeping_secures.
Print Assumptions distances_are_kept.
Print Assumptions small_table_is_true.
