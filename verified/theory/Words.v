(* Connect Four by words: two binary numbers instead of a board, the mover's discs and the other's.
   A column has one bit more than rows, always 0. Here it is proved that this is the same game. *)

From Coq Require Import ZArith NArith PeanoNat Lia List Bool.
From Foregone Require Import Game Plays.
From Verified Require Import Image ConnectFour.
Import ListNotations.
Open Scope nat_scope.

Section Words.
  Variables columns rows : nat.

  Definition place (x y : nat) : N := N.of_nat (x * S rows + y).
  Definition places : list (list N) :=
    map (fun x => map (place x) (seq 0 rows)) (seq 0 columns).

  (* Whether four bits are set, each k places after the one before. *)
  Definition four_by (w k : N) : bool :=
    let m := N.land w (N.shiftr w k) in negb (N.land m (N.shiftr m (2 * k)) =? 0)%N.

  Definition steps : list N := map N.of_nat [1; S rows; S (S rows); rows].

  Definition word_game : Game :=
    let ps := places in
    let ks := steps in
    let tops := map (fun x => place x (Nat.pred rows)) (seq 0 columns) in
    {| State := N * N;
       over s :=
         if existsb (four_by (snd s)) ks then Some (-1)%Z
         else let all := N.lor (fst s) (snd s) in
              if forallb (N.testbit all) tops then Some 0%Z else None;
       moves s :=
         let all := N.lor (fst s) (snd s) in
         flat_map (fun column =>
           match find (fun i => negb (N.testbit all i)) column with
           | Some i => [(false, (snd s, N.setbit (fst s) i))]
           | None => []
           end) ps |}.

  (* The word of a player's discs. *)
  Fixpoint column_word (p : player) (c : list player) : N :=
    match c with
    | [] => 0
    | q :: c => if same p q then N.succ_double (column_word p c) else N.double (column_word p c)
    end.
  Fixpoint word (p : player) (b : board) : N :=
    match b with
    | [] => 0
    | c :: b => N.lor (column_word p c) (N.shiftl (word p b) (N.of_nat (S rows)))
    end.
  Definition words (s : position) : N * N := (word (mover s) (discs s), word (other (mover s)) (discs s)).

  Definition fits (b : board) : Prop := Forall (fun c => length c <= rows) b.
  Definition proper (s : position) : Prop := fits (discs s) /\ length (discs s) = columns.

  Lemma column_bit : forall p c y, N.testbit (column_word p c) (N.of_nat y) =
    match nth_error c y with Some q => same p q | None => false end.
  Proof.
    induction c as [|q c IH]; intros y; [destruct y; apply N.bits_0|].
    cbn [column_word]. destruct y as [|y]; cbn [nth_error].
    - change (N.of_nat 0) with 0%N. destruct (same p q); now destruct (column_word p c).
    - rewrite Nat2N.inj_succ, <- IH. destruct (same p q).
      + rewrite N.succ_double_spec. apply N.testbit_odd_succ. lia.
      + rewrite N.double_spec. apply N.testbit_even_succ. lia.
  Qed.

  Lemma word_bit : forall p b x y, fits b -> y <= rows ->
    N.testbit (word p b) (place x y) = has b p (x, y).
  Proof.
    intros p b x y F L. unfold has. simpl fst. simpl snd. revert x. induction F as [|c b C F IH]; intros x.
    { destruct x, y; reflexivity. }
    cbn [word]. rewrite N.lor_spec. destruct x as [|x].
    - unfold place. rewrite N.shiftl_spec_low by lia. rewrite orb_false_r. apply column_bit.
    - rewrite N.shiftl_spec_high' by (unfold place; lia).
      replace (place (S x) y - N.of_nat (S rows))%N with (place x y) by (unfold place; lia).
      rewrite IH. unfold place. rewrite column_bit.
      replace (nth_error c (S x * S rows + y)) with (@None player); trivial.
      symmetry. apply nth_error_None. lia.
  Qed.

  Lemma has_inside : forall b p x y, fits b -> has b p (x, y) = true -> x < length b /\ y < rows.
  Proof.
    intros b p x y F H. unfold has in H. simpl in H.
    destruct (nth_error (nth x b []) y) eqn:E; [|discriminate].
    assert (y < length (nth x b [])) by (apply nth_error_Some; congruence).
    destruct (Nat.lt_ge_cases x (length b)) as [L|L].
    - split; trivial. apply (Nat.lt_le_trans _ _ _ H0).
      unfold fits in F. rewrite Forall_forall in F. apply F. now apply nth_In.
    - rewrite nth_overflow in H0 by trivial. simpl in H0. lia.
  Qed.

  Lemma place_of : forall i, exists x y, y <= rows /\ i = x * S rows + y.
  Proof.
    intros i. exists (i / S rows), (i mod S rows).
    pose proof (Nat.mod_upper_bound i (S rows)). pose proof (Nat.div_mod_eq i (S rows)). lia.
  Qed.

  Lemma four_by_bits : forall w k, four_by w (N.of_nat k) = true <->
    exists i, N.testbit w (N.of_nat i) = true /\ N.testbit w (N.of_nat (i + k)) = true /\
      N.testbit w (N.of_nat (i + 2 * k)) = true /\ N.testbit w (N.of_nat (i + 3 * k)) = true.
  Proof.
    intros w k. unfold four_by. set (m := N.land w (N.shiftr w (N.of_nat k))).
    assert (B : forall i, N.testbit (N.land m (N.shiftr m (2 * N.of_nat k))) (N.of_nat i) =
      N.testbit w (N.of_nat i) && N.testbit w (N.of_nat (i + k)) &&
      (N.testbit w (N.of_nat (i + 2 * k)) && N.testbit w (N.of_nat (i + 3 * k)))).
    { intros i. unfold m. rewrite !N.land_spec, !N.shiftr_spec', !N.land_spec, !N.shiftr_spec'.
      repeat f_equal; lia. }
    split.
    - intros H. apply negb_true_iff, N.eqb_neq in H. pose proof (N.bit_log2 _ H) as L.
      rewrite <- (N2Nat.id (N.log2 _)), B in L. repeat rewrite andb_true_iff in L. firstorder.
    - intros (i & H1 & H2 & H3 & H4). apply negb_true_iff, N.eqb_neq. intros Z.
      specialize (B i). rewrite Z, N.bits_0, H1, H2, H3, H4 in B. discriminate.
  Qed.

  Lemma bit_has : forall p b i x y, fits b -> y <= rows -> i = x * S rows + y ->
    N.testbit (word p b) (N.of_nat i) = has b p (x, y).
  Proof. intros p b i x y F L ->. now apply word_bit. Qed.

  Lemma same_four : forall b p, fits b -> length b = columns ->
    existsb (four_by (word p b)) steps = has_four columns rows b p.
  Proof.
    intros b p F Len. apply eq_true_iff_eq. unfold has_four. rewrite !existsb_exists. split.
    - intros (k & I & H).
      assert (exists n, k = N.of_nat n /\ In n [1; S rows; S (S rows); rows]) as (n & -> & I').
      { unfold steps in I. apply in_map_iff in I as (n & <- & I). eauto. }
      apply four_by_bits in H as (i & H1 & H2 & H3 & H4).
      destruct (place_of i) as (x & y & L & ->).
      rewrite (bit_has p b _ x y) in H1 by trivial.
      destruct (has_inside _ _ _ _ F H1) as [Lx Ly].
      assert (Sq : forall z, z < rows -> In (x, z) (squares columns rows)).
      { intros z Lz. apply in_prod; apply in_seq; lia. }
      destruct I' as [<-|[<-|[<-|[<-|[]]]]].
      + rewrite (bit_has p b _ x (1 + y)) in H2 by (trivial; lia).
        destruct (has_inside _ _ _ _ F H2) as [_ L2].
        rewrite (bit_has p b _ x (2 + y)) in H3 by (trivial; lia).
        destruct (has_inside _ _ _ _ F H3) as [_ L3].
        rewrite (bit_has p b _ x (3 + y)) in H4 by (trivial; lia).
        exists (x, y). split; auto. cbn [fst snd fours existsb forallb].
        rewrite H1, H2, H3, H4. reflexivity.
      + rewrite (bit_has p b _ (1 + x) y) in H2 by (trivial; lia).
        rewrite (bit_has p b _ (2 + x) y) in H3 by (trivial; lia).
        rewrite (bit_has p b _ (3 + x) y) in H4 by (trivial; lia).
        exists (x, y). split; auto. cbn [fst snd fours existsb forallb].
        rewrite H1, H2, H3, H4. simpl. now rewrite orb_true_r.
      + rewrite (bit_has p b _ (1 + x) (1 + y)) in H2 by (trivial; lia).
        destruct (has_inside _ _ _ _ F H2) as [_ L2].
        rewrite (bit_has p b _ (2 + x) (2 + y)) in H3 by (trivial; lia).
        destruct (has_inside _ _ _ _ F H3) as [_ L3].
        rewrite (bit_has p b _ (3 + x) (3 + y)) in H4 by (trivial; lia).
        exists (x, y). split; auto. cbn [fst snd fours existsb forallb].
        rewrite H1, H2, H3, H4. simpl. now rewrite !orb_true_r.
      + (* Down: below the lowest square is the empty bit of the column. *)
        assert (D : forall x y i, has b p (x, y) = true -> y < rows ->
          N.testbit (word p b) (N.of_nat i) = true -> i = x * S rows + y + rows ->
          exists z, y = S z /\ has b p (S x, z) = true).
        { clear - F. intros x y i H Ly B E. destruct y as [|z].
          - rewrite (bit_has p b _ x rows) in B by (trivial; lia).
            apply has_inside in B; trivial. lia.
          - exists z. split; trivial. rewrite (bit_has p b _ (S x) z) in B; trivial; lia. }
        destruct (D x y _ H1 Ly H2 eq_refl) as (y1 & -> & G2).
        destruct (D (S x) y1 _ G2 ltac:(lia) H3 ltac:(lia)) as (y2 & -> & G3).
        destruct (D (S (S x)) y2 _ G3 ltac:(lia) H4 ltac:(lia)) as (y3 & -> & G4).
        exists (x, y3). split; [apply Sq; lia|]. cbn [fst snd fours existsb forallb].
        simpl plus. rewrite H1, G2, G3, G4. simpl. now rewrite !orb_true_r.
    - intros ([x y] & I & H). apply existsb_exists in H as (l & I' & H).
      rewrite forallb_forall in H. cbn [fst snd fours] in I'.
      assert (Top : forall x y, has b p (x, y) = true -> y <= rows).
      { intros u v A. apply has_inside in A; trivial. lia. }
      destruct I' as [<-|[<-|[<-|[<-|[]]]]].
      + exists (N.of_nat 1). split; [now left|]. apply four_by_bits. exists (x * S rows + y).
        rewrite (bit_has p b _ x y), (bit_has p b _ x (1 + y)), (bit_has p b _ x (2 + y)),
          (bit_has p b _ x (3 + y)); eauto 15 using Top with datatypes; lia.
      + exists (N.of_nat (S rows)). split; [right; now left|]. apply four_by_bits.
        exists (x * S rows + y).
        rewrite (bit_has p b _ x y), (bit_has p b _ (1 + x) y), (bit_has p b _ (2 + x) y),
          (bit_has p b _ (3 + x) y); eauto 15 using Top with datatypes; lia.
      + exists (N.of_nat (S (S rows))). split; [right; right; now left|]. apply four_by_bits.
        exists (x * S rows + y).
        rewrite (bit_has p b _ x y), (bit_has p b _ (1 + x) (1 + y)), (bit_has p b _ (2 + x) (2 + y)),
          (bit_has p b _ (3 + x) (3 + y)); eauto 15 using Top with datatypes; lia.
      + exists (N.of_nat rows). split; [right; right; right; now left|]. apply four_by_bits.
        exists (x * S rows + (3 + y)).
        rewrite (bit_has p b _ x (3 + y)), (bit_has p b _ (1 + x) (2 + y)),
          (bit_has p b _ (2 + x) (1 + y)), (bit_has p b _ (3 + x) y);
          eauto 15 using Top with datatypes; lia.
  Qed.

  Lemma same_tests : forall p q, same p q = true <-> p = q.
  Proof. intros [] []; simpl; split; congruence. Qed.

  (* Whether there is any disc on a square. *)
  Lemma taken : forall b x y, fits b -> y <= rows -> forall p,
    N.testbit (N.lor (word p b) (word (other p) b)) (place x y) = (y <? length (nth x b [])).
  Proof.
    intros b x y F L p. rewrite N.lor_spec, !word_bit by trivial. unfold has. simpl fst. simpl snd.
    destruct (nth_error (nth x b []) y) as [q|] eqn:E.
    - assert (y < length (nth x b [])) by (apply nth_error_Some; congruence).
      rewrite (proj2 (Nat.ltb_lt _ _)) by trivial. now destruct p, q.
    - apply nth_error_None in E. symmetry. now apply Nat.ltb_ge.
  Qed.

  Lemma find_map : forall A B (g : A -> B) f l,
    find f (map g l) = option_map g (find (fun a => f (g a)) l).
  Proof. induction l as [|a l IH]; simpl; trivial. now destruct (f (g a)). Qed.

  Lemma find_free : forall h n s, s <= h ->
    find (fun y => negb (y <? h)) (seq s n) = if h <? s + n then Some h else None.
  Proof.
    induction n as [|n IH]; intros s L.
    - simpl. destruct (Nat.ltb_spec h (s + 0)); trivial; lia.
    - simpl. destruct (Nat.ltb_spec s h) as [M|M]; simpl.
      + rewrite IH by lia. now replace (S s + n) with (s + S n) by lia.
      + destruct (Nat.ltb_spec h (s + S n)); [f_equal|]; lia.
  Qed.

  Lemma find_same : forall A (f g : A -> bool) l, (forall a, In a l -> f a = g a) -> find f l = find g l.
  Proof.
    induction l as [|a l IH]; intros E; simpl; trivial. rewrite (E a), IH; auto; [|now left].
    intros b I. apply E. now right.
  Qed.

  (* Dropping a disc, in words. *)
  Lemma drop_is : forall p b x, match drop rows p x b with
    | Some b' => x < length b /\ length (nth x b []) < rows /\ length b' = length b /\
        (fits b -> fits b') /\ forall q x' y, has b' q (x', y) =
          has b q (x', y) || (same q p && (x' =? x) && (y =? length (nth x b [])))
    | None => x < length b -> rows <= length (nth x b [])
    end.
  Proof.
    induction b as [|c b IH]; intros x; simpl drop; [simpl; lia|]. destruct x as [|x].
    - destruct (Nat.ltb_spec (length c) rows) as [L|L]; [|auto]. simpl length. simpl nth.
      split; [lia|]. split; [trivial|]. split; [trivial|]. split.
      { intros F. inversion F; subst. constructor; trivial. rewrite app_length. simpl. lia. }
      intros q [|x'] y; unfold has; simpl fst; simpl snd.
      + simpl nth. destruct (Nat.lt_ge_cases y (length c)) as [M|M].
        * rewrite nth_error_app1 by trivial. destruct (Nat.eqb_spec y (length c)); [lia|].
          now rewrite andb_false_r, orb_false_r.
        * rewrite nth_error_app2 by trivial. rewrite (proj2 (nth_error_None c y)) by trivial.
          destruct (Nat.eqb_spec y (length c)) as [->|N].
          -- rewrite Nat.sub_diag. simpl. now rewrite !andb_true_r.
          -- rewrite andb_false_r. destruct (y - length c) as [|z] eqn:E; [lia|]. now destruct z.
      + simpl nth. simpl Nat.eqb. now rewrite andb_false_r, orb_false_r.
    - specialize (IH x). revert IH. destruct (drop rows p x b) as [b'|]; intros IH; simpl option_map;
        [|simpl; intros; apply IH; lia].
      destruct IH as (I1 & I2 & I3 & I4 & I5). simpl length. simpl nth. split; [lia|].
      split; [trivial|]. split; [lia|].
      split; [intros F; inversion F; subst; constructor; [assumption|now apply I4]|].
      intros q [|x'] y; unfold has in *; simpl fst in *; simpl snd in *; simpl nth; simpl Nat.eqb.
      + now rewrite andb_false_r, orb_false_r.
      + apply (I5 q x' y).
  Qed.

  Lemma word_dropped : forall p b x b', fits b -> drop rows p x b = Some b' ->
    word p b' = N.setbit (word p b) (place x (length (nth x b []))) /\
    word (other p) b' = word (other p) b.
  Proof.
    intros p b x b' F D. pose proof (drop_is p b x) as I. rewrite D in I.
    destruct I as (_ & L & _ & F' & H). specialize (F' F).
    split; apply N.bits_inj; intros i; rewrite <- (N2Nat.id i);
      destruct (place_of (N.to_nat i)) as (x' & y & Ly & ->).
    - rewrite (bit_has p b' _ x' y) by trivial. rewrite N.setbit_eqb, (bit_has p b _ x' y) by trivial.
      rewrite H, orb_comm. f_equal. rewrite (proj2 (same_tests p p) eq_refl). simpl. unfold place.
      apply eq_true_iff_eq. rewrite andb_true_iff, !Nat.eqb_eq, N.eqb_eq. split.
      + intros [-> ->]. reflexivity.
      + intros E. apply Nat2N.inj in E. assert (x = x') by nia. subst. lia.
    - rewrite !(bit_has (other p) _ _ x' y) by trivial. rewrite H. destruct p; simpl;
        now rewrite orb_false_r.
  Qed.

  Lemma flat_map_same : forall A B (f g : A -> list B) l, (forall a, In a l -> f a = g a) ->
    flat_map f l = flat_map g l.
  Proof.
    induction l as [|a l IH]; intros E; simpl; trivial. rewrite (E a), IH; auto; [|now left].
    intros b I. apply E. now right.
  Qed.

  Lemma map_flat_map : forall A B C (g : B -> C) (f : A -> list B) l,
    map g (flat_map f l) = flat_map (fun a => map g (f a)) l.
  Proof. induction l as [|a l IH]; simpl; trivial. now rewrite map_app, IH. Qed.

  Lemma flat_map_map : forall A B C (g : A -> B) (f : B -> list C) l,
    flat_map f (map g l) = flat_map (fun a => f (g a)) l.
  Proof. induction l as [|a l IH]; simpl; trivial. now rewrite IH. Qed.

  Lemma words_moves : forall s, proper s ->
    @moves word_game (words s) =
    map (fun m => (fst m, words (snd m))) (@moves (connect_four columns rows) s).
  Proof.
    intros [b p] [F L]. simpl in F, L. unfold words. simpl. unfold places.
    rewrite map_flat_map, flat_map_map. apply flat_map_same. intros x I. apply in_seq in I.
    rewrite find_map.
    rewrite (find_same _ _ (fun y => negb (y <? length (nth x b [])))).
    2: { intros y J. apply in_seq in J. f_equal. apply taken; trivial; lia. }
    rewrite find_free by lia. pose proof (drop_is p b x) as D.
    destruct (drop rows p x b) as [b'|] eqn:E.
    - destruct D as (_ & D & _). rewrite (proj2 (Nat.ltb_lt _ _)) by trivial. simpl.
      destruct (word_dropped p b x b' F E) as [V W]. destruct p; simpl in *; now rewrite V, W.
    - rewrite (proj2 (Nat.ltb_ge _ _)) by lia. reflexivity.
  Qed.

  Lemma words_over : forall s, 0 < rows -> proper s ->
    @over word_game (words s) = @over (connect_four columns rows) s.
  Proof.
    intros [b p] R [F L]. simpl in F, L. unfold words. simpl.
    pose proof (same_four b (other p) F L) as E. unfold steps in E. simpl in E. rewrite E. clear E.
    destruct (has_four columns rows b (other p)); trivial.
    enough (forallb (N.testbit (N.lor (word p b) (word (other p) b)))
      (map (fun x => place x (Nat.pred rows)) (seq 0 columns)) = forallb (fun c => rows <=? length c) b)
      as ->; trivial.
    apply eq_true_iff_eq. rewrite !forallb_forall. split.
    - intros H c I. destruct (In_nth _ _ [] I) as (x & Lx & <-). specialize (H (place x (Nat.pred rows))).
      rewrite taken in H by (trivial; lia). apply Nat.leb_le.
      assert (T : (Nat.pred rows <? length (nth x b [])) = true).
      { apply H. apply in_map_iff. exists x. split; trivial. apply in_seq. lia. }
      apply Nat.ltb_lt in T. lia.
    - intros H i I. apply in_map_iff in I as (x & <- & I). apply in_seq in I.
      rewrite taken by (trivial; lia). apply Nat.ltb_lt.
      assert (T : (rows <=? length (nth x b [])) = true) by (apply H, nth_In; lia).
      apply Nat.leb_le in T. lia.
  Qed.

  Lemma proper_next : forall s a t, proper s -> In (a, t) (@moves (connect_four columns rows) s) ->
    proper t.
  Proof.
    intros [b p] a t [F L] I. simpl in *. apply in_flat_map in I as (x & _ & I).
    pose proof (drop_is p b x) as D.
    destruct (drop rows p x b) as [b'|]; [|destruct I]. destruct I as [I|[]]. injection I as <- <-.
    destruct D as (_ & _ & L' & F' & _). split; simpl; [auto|lia].
  Qed.

  Lemma proper_start : proper (start columns).
  Proof.
    split; simpl; [|apply repeat_length]. apply Forall_forall. intros c I. apply repeat_spec in I.
    subst. simpl. lia.
  Qed.

  (* What a side gets in the game of words, it gets in Connect Four. *)
  Theorem gets_by_words : forall c m s, 0 < rows -> proper s ->
    gets (G := word_game) nothing c (m, words s) ->
    gets (G := connect_four columns rows) nothing c (m, s).
  Proof.
    intros c m s R P. apply gets_in_image with (P := proper) (pays := @nothing word_game)
      (x := (m, s)) (f := words : State (connect_four columns rows) -> State word_game); trivial.
    - intros s' a t P' _. now apply proper_next.
    - intros s'. now apply words_over.
    - intros s' P' _ a q. rewrite words_moves by trivial. rewrite in_map_iff. split.
      + intros ([a' t] & E & I). injection E as <- <-. eauto.
      + intros (t & I & <-). now exists (a, t).
  Qed.
End Words.
