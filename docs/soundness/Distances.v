(* Tables of kind score+distance, for all games, also those that loop (nothing is banked).

   Claimed: every entry is what the reference solver finds: value, distance, and play without end.
   A side that is to win has a strategy that wins at least that much, and where it wins no more,
   within so many plies; a side that is to lose can hold the loss to that, and where it loses as
   much, for so many plies.

   Checked at every position: the entry is the result and 0 plies where the game is over, else the
   best of what its moves lead to, one ply further off; and no move changes what play without end is
   worth. The game may loop, and yet no other table passes.

   Why: call a worth settled after so many rounds of the reference solver. A win of the largest size
   in d plies is settled after d rounds, because it rests on entries with smaller distances, down to
   positions that are over. A smaller win or loss, or a draw on the board, may for some rounds be
   hidden behind a larger one that is not yet seen (a player who will lose more at last looks as if
   he held out), so it is settled one whole span of distances later for every unit by which it is
   smaller. Before it is settled, the solver's worth lies between the entry and a draw without end.
   An entry without end is never anything else. All of that goes from the positions after a move to
   the position before it, so it holds after any number of rounds; and as values and distances in a
   file are bounded, all is settled at last.

   In the first part play without end is worth nothing; if it is worth something, the same
   everywhere, all results count from that, and the rest stays as it is (the second part).

   Nothing is trusted here: the positions are those of the rules themselves. For entries of merged
   positions see Merging.v. *)

From Coq Require Import ZArith Lia List Bool.
From Foregone Require Import Game Plays Alike Rank.
Import ListNotations.
Open Scope Z_scope.

(* Where play without end is worth nothing. *)
Section Level.
  Variable G : Game.
  (* The positions that are checked, and what the table says of them. *)
  Variable P : State G -> Prop.
  Variable T : State G -> Worth.

  (* All that follow a checked position are checked. *)
  Hypothesis level_closed : forall s a t, P s -> over s = None -> In (a, t) (moves s) -> P t.
  (* Where the game is over, the entry is the result. *)
  Hypothesis level_over : forall s v, P s -> over s = Some v -> T s = Ends v 0.
  (* Else it is the best of what the moves lead to. *)
  Hypothesis level_best : forall s, P s -> over s = None -> best 0 (reached T s) = Some (T s).
  (* The file is finite. *)
  Variable limit longest : Z.
  Hypothesis level_finite : forall s v d, P s -> T s = Ends v d ->
    Z.abs v <= limit /\ Z.of_nat d <= longest.

  (* After how many rounds an entry is surely what the solver has: it is settled. *)
  Definition rounds (v : Z) (d : nat) : Z := (limit - Z.abs v) * (longest + 1) + Z.of_nat d.

  (* What the solver may have after n rounds (r), where the table has w. *)
  Definition nearly (n : nat) (w r : Worth) : Prop :=
    match w with
    | Ends v d => (rounds v d <= Z.of_nat n -> r = w) /\
                  (if 0 <? v then le 0 Endless r /\ le 0 r w
                   else le 0 w r /\ le 0 r Endless /\ (v < 0 -> r = Endless \/ value 0 r < 0))
    | Endless => r = Endless
    end.

  (* Entries, and what moves lead to, one ply further. *)
  Definition small (w : Worth) : Prop :=
    match w with Ends v d => Z.abs v <= limit /\ Z.of_nat d <= longest + 1 | Endless => True end.

  Lemma small_before : forall s a, P s -> small (before a (T s)).
  Proof.
    intros s a I. destruct (T s) as [v d|] eqn:E; simpl; trivial.
    destruct (level_finite _ _ _ I E). destruct a; simpl; lia.
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
    intros n [v d|]; simpl; trivial. split; trivial. pose proof (le_refl 0 (Ends v d)).
    unfold le in *. simpl. decide_all; auto.
  Qed.

  Lemma nearly_upper : forall n w r, nearly n w r -> le 0 w Endless -> le 0 r Endless.
  Proof.
    intros n [v d|] r; simpl; [|now intros ->]. intros [_ B] L. unfold le in *. simpl in L.
    destruct (0 <? v) eqn:E; [decide_all|]. tauto.
  Qed.

  Lemma nearly_below : forall n w r x, nearly n w r -> 0 < value 0 x -> le 0 w x -> le 0 r x.
  Proof.
    intros n w r [u e|] N Pos L; simpl in Pos; [|lia].
    assert (D : le 0 Endless (Ends u e)) by (unfold le; simpl; decide_all).
    destruct w as [v d|]; simpl in N; [|now subst]. destruct N as [_ B]. destruct (0 <? v).
    - now apply le_trans with (e := 0) (b := Ends v d).
    - now apply le_trans with Endless.
  Qed.

  (* It holds of the best, if it holds of all. The best may be another move for the solver than for
     the table; but what is better for the solver is not settled yet, so the best is not either. *)
  Lemma nearly_best : forall n (l : list (bool * State G)) (f g : bool * State G -> Worth) w,
    (forall m, In m l -> nearly n (f m) (g m) /\ small (f m)) -> best 0 (map f l) = Some w ->
    exists r, best 0 (map g l) = Some r /\ nearly n w r.
  Proof.
    intros n l f g w H E. apply best_is in E as [I L]. apply in_map_iff in I as (m & Em & M).
    destruct (best_of_some 0 (map g l)) as [r R]; [destruct l; [contradiction|discriminate]|].
    exists r. split; [exact R|]. apply best_is in R as [I' L'].
    apply in_map_iff in I' as (m' & Em' & M').
    assert (Lr : le 0 (g m) r) by (apply L'; now apply in_map).
    assert (Lw : le 0 (f m') w) by (apply L; now apply in_map).
    destruct (H m M) as [N S]. destruct (H m' M') as [N' S']. rewrite Em in *. rewrite Em' in *.
    destruct w as [v d|].
    - destruct (Z_lt_le_dec 0 v) as [Pos|Neg].
      + assert (Lr' : le 0 r (Ends v d)) by (eapply nearly_below; eauto). simpl in *.
        destruct N as [Eq B]. destruct (Z.ltb_spec 0 v); [|lia]. split; [|split; [|exact Lr']].
        * intros Ln. apply (le_antisym 0); trivial. now rewrite <- (Eq Ln).
        * now apply le_trans with (e := 0) (b := g m).
      + assert (Lr' : le 0 r Endless).
        { eapply nearly_upper; eauto. apply le_trans with (e := 0) (b := Ends v d); trivial. unfold le. simpl.
        decide_all. }
        simpl in *. destruct N as [Eq B]. destruct (Z.ltb_spec 0 v); [lia|].
        assert (Lr0 : le 0 (Ends v d) r) by (apply le_trans with (e := 0) (b := g m); tauto).
        split; [|split; [exact Lr0|split; [exact Lr'|]]].
        2:{ intros Loss. destruct (f m') as [v' d'|]; [|now left]. apply le_value in Lw.
        simpl in Lw, N'.
            destruct N' as [_ B']. destruct (Z.ltb_spec 0 v'); [lia|]. apply B'. lia. }
        intros Ln. apply (le_antisym 0); trivial.
        destruct (f m') as [v' d'|].
        * simpl in N'. destruct N' as [Eq' _]. rewrite Eq'; trivial.
          assert (v' = v /\ (d' <= d)%nat \/ v' < v) as [[-> D]|D] by (unfold le in Lw; simpl in Lw;
            decide_all).
          { unfold rounds in *. lia. }
          { assert (Q : limit - Z.abs v' <= limit - Z.abs v - 1) by lia. simpl in S'.
            assert (0 <= longest + 1) by lia. unfold rounds in *. nia. }
        * unfold le in Lw. simpl in Lw. decide_all.
    - simpl in N. rewrite N in Lr. simpl. apply (le_antisym 0); trivial. eapply nearly_upper; eauto.
  Qed.

  Lemma next_is_best : forall s, P s -> over s = None ->
    (exists a t, In (a, t) (moves s) /\ P t /\ before a (T t) = T s) /\
    (forall a t, In (a, t) (moves s) -> P t /\ le 0 (before a (T t)) (T s)).
  Proof.
    intros s I O. pose proof (level_best s I O) as E. apply best_is in E as [B L]. split.
    - apply in_reached in B as (a & t & M & E). exists a, t. eauto.
    - intros a t M. split; [eauto|]. apply L. apply in_reached. eauto.
  Qed.

  Lemma always_nearly : forall n s, P s -> nearly n (T s) (truth nothing n s).
  Proof.
    induction n as [|n IH]; intros s I; destruct (over s) as [v|] eqn:O;
      try (rewrite (truth_over _ _ _ _ _ O), (level_over s v I O); apply nearly_same).
    - destruct (next_is_best s I O) as [(a & t & M & It & E) _]. simpl truth. rewrite O.
      destruct (T s) as [v d|] eqn:Es; simpl; trivial.
      destruct (level_finite _ _ _ I Es) as [Lv Ld]. split.
      + intros L. destruct (T t) as [u e|]; simpl in E; [|discriminate]. injection E as _ <-.
        unfold rounds in L. assert (0 <= limit - Z.abs v) by lia. nia.
      + unfold le. simpl. decide_all; auto.
    - destruct (nearly_best (S n) (moves s) (fun m => before (fst m) (T (snd m)))
        (fun m => before (fst m) (truth nothing n (snd m))) (T s)) as (r & R & N).
      + intros [a t] M. simpl. pose proof (level_closed s a t I O M). split.
        * apply nearly_before. auto.
        * now apply small_before.
      + exact (level_best s I O).
      + now rewrite (truth_next _ nothing _ _ _ O R).
  Qed.

  (* Theorem A. The table is what the reference solver has after any number of rounds from this one
     on. *)
  Theorem level_table_is_true : forall n s, P s -> limit * (longest + 1) + longest <= Z.of_nat n ->
    truth nothing n s = T s.
  Proof.
    intros n s I L. pose proof (always_nearly n s I) as N.
    destruct (T s) as [v d|] eqn:E; simpl in N; trivial.
    destruct N as [N _]. apply N. destruct (level_finite _ _ _ I E). unfold rounds. nia.
  Qed.

  (* And also in the round in which it stops, because nothing changes any more. *)
  Theorem level_table_is_what_the_solver_finds : forall n, (forall s, P s -> truth nothing (S n) s = truth nothing n s) ->
    forall s, P s -> truth nothing n s = T s.
  Proof.
    intros n Stop. assert (Still : forall k s, P s -> truth nothing (k + n) s = truth nothing n s).
    { induction k as [|k IH]; intros s I; [reflexivity|]. rewrite <- (Stop s I). simpl.
      destruct (over s) as [v|] eqn:O; trivial.
      rewrite (map_ext_in _ (fun m => before (fst m) (truth nothing n (snd m))) (moves s)).
      - rewrite IH by exact I. reflexivity.
      - intros [a t] M. simpl. rewrite IH; eauto. }
    intros s I. rewrite <- (Still (Z.to_nat (limit * (longest + 1) + longest)) s I).
    apply level_table_is_true; [exact I|]. lia.
  Qed.

  (* The moves that the table calls best. *)
  Definition keeping : Strategy G := fun s m => before (fst m) (T (snd m)) = T s.

  (* While a side makes best moves, its win only grows, or keeps its size and comes nearer ply by
     ply; and its loss only shrinks, or keeps its size and comes no sooner. *)
  Lemma in_time : forall mine s v d, P s -> T s = Ends v d ->
    forall n m t, path keeping (mine, s) n (m, t) ->
    P t /\
    let c := signed mine v in
    (0 < c -> c < signed m (value 0 (T t)) \/
              exists e, T t = Ends (signed m c) e /\ (n + e <= d)%nat) /\
    (c < 0 -> c < signed m (value 0 (T t)) \/
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
        * rewrite <- (Eq eq_refl) in H. rewrite value_before_0 in H. now destruct a.
        * apply le_value in B. rewrite value_before_0 in B. destruct a; simpl in *; lia.
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
        * rewrite <- (Eq eq_refl) in H. rewrite value_before_0 in H. now destruct a.
        * apply le_value in B. rewrite value_before_0 in B. destruct a; simpl in *; lia.
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
  Theorem level_distances_are_kept : forall mine s v d, P s -> T s = Ends v d ->
    forall n m t u, path keeping (mine, s) n (m, t) -> over t = Some u ->
    let c := signed mine v in
    (0 < c -> c < signed m u \/ c = signed m u /\ (n <= d)%nat) /\
    (c < 0 -> c < signed m u \/ c = signed m u /\ (d <= n)%nat).
  Proof.
    intros mine s v d I E n m t u Q O. destruct (in_time _ _ _ _ I E _ _ _ Q) as (It & W & L).
    simpl in *. set (c := signed mine v) in *. rewrite (level_over t u It O) in W, L.
    simpl in W, L.
    split; intros S; [destruct (W S) as [H|(e & H & D)]|destruct (L S) as [H|(e & H & D)]]; auto;
      right;
      injection H as H <-; (split; [destruct m; simpl in *; lia|lia]).
  Qed.
End Level.

(* The game in which every result is less by what play without end is worth. *)
Definition less (G : Game) (pays : State G -> Z) : Game := {|
  State := State G;
  over := fun s => option_map (fun v => v - pays s) (over s);
  moves := @moves G
|}.

(* A worth, less by what play without end is worth. *)
Definition down (e : Z) (w : Worth) : Worth :=
  match w with Ends v d => Ends (v - e) d | Endless => Endless end.

Lemma leb_down : forall e a b, leb 0 (down e a) (down e b) = leb e a b.
Proof. intros e [v d|] [u f|]; simpl; decide_all. Qed.

Lemma best_down : forall e l, best 0 (map (down e) l) = option_map (down e) (best e l).
Proof.
  intros e [|w l]; [reflexivity|]. simpl. f_equal. revert w.
  induction l as [|x l IH]; intros w; [reflexivity|]. simpl. rewrite <- IH. f_equal.
  unfold better. rewrite leb_down. now destruct (leb e w x).
Qed.

Lemma before_down : forall a e w, before a (down e w) = down (signed a e) (before a w).
Proof. intros a e [v d|]; simpl; [|reflexivity]. f_equal. destruct a; simpl; lia. Qed.

Lemma down_is : forall e a b, down e a = down e b -> a = b.
Proof.
  intros e [v d|] [u f|] E; simpl in E; try discriminate; [|reflexivity].
  injection E as E ->. f_equal. lia.
Qed.

Section Distances.
  Variable G : Game.
  (* What play without end is worth at a position (rules/src/game.rs, Game::endless). *)
  Variable pays : State G -> Z.
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
  Hypothesis checked_best : forall s, P s -> over s = None ->
    best (pays s) (reached T s) = Some (T s).
  (* No move changes what play without end is worth. *)
  (* checked by: check/src/equation.rs, check *)
  Hypothesis checked_even : forall s a t, P s -> over s = None -> In (a, t) (moves s) ->
    signed a (pays t) = pays s.
  (* The file is finite. *)
  (* checked by: record/src/format/manifest.rs, check_layers *)
  Variable limit longest : Z.
  Hypothesis checked_finite : forall s v d, P s -> T s = Ends v d ->
    Z.abs v <= limit /\ Z.of_nat d <= longest.

  Lemma truth_is_less : forall n s, P s ->
    @truth (less G pays) nothing n s = down (pays s) (truth pays n s).
  Proof.
    induction n as [|n IH]; intros s I; simpl; destruct (over s) as [v|] eqn:O; simpl; trivial.
    rewrite (map_ext_in _ (fun m => down (pays s) (before (fst m) (truth pays n (snd m))))).
    - rewrite <- map_map. change (nothing s) with 0. rewrite best_down.
      destruct (best (pays s) (map (fun m => before (fst m) (truth pays n (snd m))) (moves s)));
        simpl; auto.
    - intros [a t] M. simpl. rewrite IH by eauto. rewrite before_down. f_equal. eauto.
  Qed.

  (* What follows from one position. *)
  Section From.
    Variable root : State G.
    Let Q (t : State G) : Prop := P t /\ Z.abs (pays t) = Z.abs (pays root).
    Let T' (t : State G) : Worth := down (pays t) (T t).
    Let limit' : Z := limit + Z.abs (pays root).

    Let over_less : forall t : State G, @over (less G pays) t = None -> @over G t = None.
    Proof. intros t. simpl. now destruct (@over G t). Qed.

    Let closed' : forall (s : State G) a (t : State G), Q s -> @over (less G pays) s = None ->
      In (a, t) (@moves (less G pays) s) -> Q t.
    Proof.
      intros s a t [I E] O M. apply over_less in O. split; [eauto|].
      pose proof (checked_even s a t I O M). destruct a; simpl in *; lia.
    Qed.

    Let over' : forall s v, Q s -> @over (less G pays) s = Some v -> T' s = Ends v 0.
    Proof.
      intros s v [I _] O. simpl in O. destruct (@over G s) as [u|] eqn:Ou; [|discriminate].
      injection O as <-. unfold T'. now rewrite (checked_over s u I Ou).
    Qed.

    Let best' : forall s, Q s -> @over (less G pays) s = None ->
      best 0 (@reached (less G pays) T' s) = Some (T' s).
    Proof.
      intros s [I _] O. apply over_less in O. unfold reached, T'. simpl.
      rewrite (map_ext_in _ (fun m => down (pays s) (before (fst m) (T (snd m))))).
      - rewrite <- map_map, best_down. change (map (fun m => before (fst m) (T (snd m))) (moves s))
          with (reached T s).
        now rewrite (checked_best s I O).
      - intros [a t] M. simpl. rewrite before_down. f_equal. eauto.
    Qed.

    Let finite' : forall s v d, Q s -> T' s = Ends v d ->
      Z.abs v <= limit' /\ Z.of_nat d <= longest.
    Proof.
      intros s v d [I A] E. unfold T' in E. destruct (T s) as [u f|] eqn:Et; [|discriminate].
      simpl in E. injection E as <- <-. destruct (checked_finite _ _ _ I Et). unfold limit'. lia.
    Qed.

    Lemma from_root : forall n, P root ->
      limit' * (longest + 1) + longest <= Z.of_nat n -> truth pays n root = T root.
    Proof.
      intros n I L. apply (down_is (pays root)). rewrite <- (truth_is_less n root I).
      exact (level_table_is_true (less G pays) Q T' closed' over' best' limit' longest finite' n root
        (conj I eq_refl) L).
    Qed.

    Lemma found_from_root : forall n, (forall s, P s -> truth pays (S n) s = truth pays n s) ->
      P root -> truth pays n root = T root.
    Proof.
      intros n Stop I. apply (down_is (pays root)). rewrite <- (truth_is_less n root I).
      apply (level_table_is_what_the_solver_finds (less G pays) Q T' closed' over' best' limit'
        longest finite' n); [|now split].
      intros s [Is _]. rewrite !truth_is_less by trivial. now rewrite Stop.
    Qed.

    Lemma path_less : forall mine n y, P root -> path (keeping G T) (mine, root) n y ->
      @path (less G pays) (keeping (less G pays) T') (mine, root) n y /\ Q (snd y) /\
      signed (fst y) (pays (snd y)) = signed mine (pays root).
    Proof.
      intros mine n y I Qy. induction Qy as [|n y z Qy (Ql & Iy & E) S].
      - split; [apply path_here|]. split; [now split|reflexivity].
      - destruct S as [m s a t O M D]. simpl in Iy, E.
        assert (O' : @over (less G pays) s = None) by (simpl; now rewrite O).
        destruct Iy as [Is Es]. pose proof (checked_even s a t Is O M) as Ev.
        split; [|split].
        + eapply path_on; [exact Ql|]. apply (step_to (less G pays)); trivial.
          intros Em. specialize (D Em). unfold keeping, T' in *. simpl in *.
          rewrite before_down, Ev. now rewrite D.
        + simpl. apply (closed' s a t); trivial. now split.
        + simpl. rewrite <- E, <- Ev, signed_turn. reflexivity.
    Qed.

    Lemma kept_from_root : forall mine v d, P root -> T root = Ends v d ->
      forall n m t u, path (keeping G T) (mine, root) n (m, t) -> over t = Some u ->
      let c := signed mine v in let e := signed mine (pays root) in
      (e < c -> c < signed m u \/ c = signed m u /\ (n <= d)%nat) /\
      (c < e -> c < signed m u \/ c = signed m u /\ (d <= n)%nat).
    Proof.
      intros mine v d I E n m t u Qt O. destruct (path_less mine n (m, t) I Qt) as (Ql & It & Ev).
      simpl in Ev. assert (Er : T' root = Ends (v - pays root) d) by (unfold T'; now rewrite E).
      assert (O' : @over (less G pays) t = Some (u - pays t)) by (simpl; now rewrite O).
      pose proof (level_distances_are_kept (less G pays) Q T' closed' over' best' mine root
        (v - pays root) d (conj I eq_refl) Er n m t (u - pays t) Ql O') as [W L].
      assert (Ec : signed mine (v - pays root) = signed mine v - signed mine (pays root))
        by (destruct mine; simpl; lia).
      assert (Eu : signed m (u - pays t) = signed m u - signed mine (pays root))
        by (destruct m; simpl in *; lia).
      rewrite Ec, Eu in *. simpl. split; intros H; [destruct W as [W|[W D]]|destruct L as [L|[L D]]];
        try lia.
    Qed.
  End From.

  (* Theorem A. The table is what the reference solver has after any number of rounds from this one
     on. *)
  Theorem table_is_true : forall n s, P s ->
    (limit + Z.abs (pays s)) * (longest + 1) + longest <= Z.of_nat n -> truth pays n s = T s.
  Proof. intros n s I L. now apply from_root. Qed.

  (* And also in the round in which it stops, because nothing changes any more. *)
  Theorem table_is_what_the_solver_finds : forall n,
    (forall s, P s -> truth pays (S n) s = truth pays n s) -> forall s, P s -> truth pays n s = T s.
  Proof. intros n Stop s I. now apply found_from_root. Qed.

  Lemma next_best : forall s, P s -> over s = None ->
    (exists a t, In (a, t) (moves s) /\ P t /\ before a (T t) = T s) /\
    (forall a t, In (a, t) (moves s) -> P t /\ le (pays s) (before a (T t)) (T s)).
  Proof.
    intros s I O. pose proof (checked_best s I O) as E. apply best_is in E as [B L]. split.
    - apply in_reached in B as (a & t & M & E). exists a, t. eauto.
    - intros a t M. split; [eauto|]. apply L. apply in_reached. eauto.
  Qed.

  Definition distance (s : State G) : nat := match T s with Ends _ d => d | Endless => O end.

  (* Distances are ranks, so values are what both sides can hold. *)
  Let layer (s : State G) : nat := O.
  Let V (s : State G) : Z := value (pays s) (T s).

  Lemma no_gain : forall s m, gain (@nothing G) s m = 0.
  Proof. intros s [[] t]; reflexivity. Qed.

  Lemma worth_of_move : forall s a t, P s -> over s = None -> In (a, t) (moves s) ->
    move_worth G nothing V s (a, t) = value (pays s) (before a (T t)).
  Proof.
    intros s a t I O M. unfold move_worth. rewrite no_gain.
    rewrite <- (checked_even s a t I O M), value_before. reflexivity.
  Qed.

  Lemma beyond_nothing : forall s, beyond G nothing pays s = pays s.
  Proof. intros s. unfold beyond, nothing. lia. Qed.

  Lemma holds_values : forall mine s, P s ->
    secures pays (holding G nothing pays V distance layer) (signed mine (V s)) (mine, s).
  Proof.
    intros mine s I. change (V s) with (nothing s + V s).
    assert (Bound : forall r, P r -> forall k, k = Z.abs (pays r) ->
      forall t, P t /\ Z.abs (pays t) = k -> - (Z.max 0 limit + k) <= V t <= Z.max 0 limit + k).
    { intros r _ k _ t [It Et]. unfold V. destruct (T t) as [v d|] eqn:E; simpl; [|lia].
      destruct (checked_finite _ _ _ It E). lia. }
    apply (holding_secures G nothing pays (fun t => P t /\ Z.abs (pays t) = Z.abs (pays s)) V
      distance layer) with (limit := Z.max 0 limit + Z.abs (pays s)); auto.
    - intros t a u [It Et] O M. split; [eauto|]. rewrite <- Et.
      rewrite <- (checked_even t a u It O M). destruct a; simpl; lia.
    - intros t v [It _] O. unfold V. now rewrite (checked_over t v It O).
    - intros t [a u] [It _] O M. rewrite worth_of_move by trivial. apply le_value.
      now apply next_best.
    - intros t [It _] O. destruct (next_best t It O) as [(a & u & M & _ & E) _]. exists (a, u).
      rewrite worth_of_move, beyond_nothing by trivial. rewrite E. split; [exact M|].
      split; [reflexivity|]. unfold V, distance. intros L. right. split; trivial.
      rewrite <- E in *. simpl. destruct (T u); simpl in *; lia.
    - intros t [a u] [It _] O M. rewrite worth_of_move, beyond_nothing by trivial. simpl.
      intros L E _. unfold V, distance in *.
      destruct (next_best t It O) as [_ N]. destruct (N a u M) as [_ N']. unfold le in N'.
      destruct (T u) as [w e|], (T t) as [v d|]; simpl in *; decide_all. destruct d; decide_all.
    - intros t m _ _ _ N. now rewrite no_gain in N.
    - intros t It. now apply (Bound s I (Z.abs (pays s)) eq_refl).
  Qed.

  (* Theorem B. The value of an entry is the value of its position. *)
  Theorem values_are_true : forall s, P s -> has_value pays s (value (pays s) (T s)).
  Proof. intros s I. split; eexists; [exact (holds_values true s I)|exact (holds_values false s I)].
  Qed.

  (* In other words: it is the most that the mover gets, and the other side gets the rest at most.
     Who gets more than by play without end gets it in finitely many plies (Plays.v, wins_end). *)
  Corollary values_are_most : forall s c, P s ->
    (gets pays c (true, s) <-> c <= value (pays s) (T s)) /\
    (gets pays c (false, s) <-> c <= - value (pays s) (T s)).
  Proof.
    intros s c I. apply (value_is_most_even G pays P checked_closed checked_even); trivial.
    now apply values_are_true.
  Qed.

  Corollary draws : forall s, P s ->
    (value (pays s) (T s) = 0 <-> ~ gets pays 1 (true, s) /\ ~ gets pays 1 (false, s)).
  Proof. intros s I. destruct (values_are_most s 1 I) as [-> ->]. lia. Qed.

  Theorem keeping_secures : forall mine s, P s ->
    secures pays (keeping G T) (signed mine (value (pays s) (T s))) (mine, s).
  Proof.
    intros mine s I.
    assert (There : forall n y, path (keeping G T) (mine, s) n y -> P (snd y)).
    { intros n y Q. induction Q as [|n y z Q IH S]; trivial. destruct S. simpl in *. eauto. }
    eapply (secures_narrower_along G pays (holding G nothing pays V distance layer)).
    - intros n t [a u] Q O M. unfold keeping. simpl. intros E.
      pose proof (There _ _ Q) as It. simpl in It. unfold holding.
      rewrite worth_of_move, beyond_nothing by trivial. rewrite E.
      split; trivial. unfold V, distance. intros L. right. split; trivial.
      rewrite <- E in *. simpl. destruct (T u); simpl in *; lia.
    - intros n t Q O. pose proof (There _ _ Q) as It. simpl in It.
      destruct (next_best t It O) as [(a & u & M & _ & E) _]. exists (a, u). auto.
    - exact (holds_values mine s I).
  Qed.

  (* So, where e is what play without end is worth to a side: who is to get more gets more, or as much
     within the distance; and who is to get less gets more than that, or as much, and not sooner. (Of
     results that are worth just e no side can decide alone how long they last: both wish them
     long.) *)
  Theorem distances_are_kept : forall mine s v d, P s -> T s = Ends v d ->
    forall n m t u, path (keeping G T) (mine, s) n (m, t) -> over t = Some u ->
    let c := signed mine v in let e := signed mine (pays s) in
    (e < c -> c < signed m u \/ c = signed m u /\ (n <= d)%nat) /\
    (c < e -> c < signed m u \/ c = signed m u /\ (d <= n)%nat).
  Proof. intros mine s v d I E n m t u Q O. eapply kept_from_root; eauto. Qed.
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
  @truth small_game nothing n s = small_table s.
Proof.
  assert (each : forall s, (s < 7)%nat -> In s [0; 1; 2; 3; 4; 5; 6]%nat) by (intros s L; simpl;
    lia).
  intros n s L Ln. apply (table_is_true small_game nothing (fun s => (s < 7)%nat)) with (limit := 1)
    (longest := 2); auto;
    clear n s L Ln.
  - intros s a t L O M. destruct (each s L) as [<-|[<-|[<-|[<-|[<-|[<-|[<-|[]]]]]]]]; simpl in *;
      repeat destruct M as [M|M]; try contradiction; try injection M as <- <-; lia.
  - intros s v L O. destruct (each s L) as [<-|[<-|[<-|[<-|[<-|[<-|[<-|[]]]]]]]]; simpl in *;
    congruence.
  - intros s L O. destruct (each s L) as [<-|[<-|[<-|[<-|[<-|[<-|[<-|[]]]]]]]]; try reflexivity;
    discriminate.
  - now intros s [] t.
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
