(* The words of Words.v as primitive integers of 63 bits. What this adds to trust are the integers:
   `Print Assumptions` lists the operations and what Coq's library says of them. *)

From Coq Require Import ZArith NArith PeanoNat Lia List Bool Uint63.
From Foregone Require Import Game Plays.
From Verified Require Import Image ConnectFour Words.
Import ListNotations.
Open Scope nat_scope.

Definition int_of (n : N) : int := of_Z (Z.of_N n).
Definition isset (w b : int) : bool := negb (w land b =? 0)%uint63.

Section Ints.
  Variables columns rows : nat.

  Definition four_by_int (w : int) (k : int * int) : bool :=
    let m := (w land (w >> fst k))%uint63 in negb (m land (m >> snd k) =? 0)%uint63.

  Definition int_game : Game :=
    let ps := map (map (fun i => int_of (2 ^ i))) (places columns rows) in
    let ks := map (fun k => (int_of k, int_of (2 * k))) (steps rows) in
    let tops := map (fun x => int_of (2 ^ place rows x (Nat.pred rows))) (seq 0 columns) in
    {| State := int * int;
       over s :=
         if existsb (four_by_int (snd s)) ks then Some (-1)%Z
         else let all := (fst s lor snd s)%uint63 in
              if forallb (isset all) tops then Some 0%Z else None;
       moves s :=
         let all := (fst s lor snd s)%uint63 in
         flat_map (fun column =>
           match find (fun b => negb (isset all b)) column with
           | Some b => [(false, (snd s, fst s lor b)%uint63)]
           | None => []
           end) ps |}.

  Definition ints (s : N * N) : int * int := (int_of (fst s), int_of (snd s)).

  Definition small (a : N) : Prop := forall i, (63 <= i)%N -> N.testbit a i = false.

  Lemma small_less : forall a, small a -> (0 <= Z.of_N a < wB)%Z.
  Proof.
    intros a S. split; [lia|]. replace a with (a mod 2 ^ 63)%N.
    - pose proof (N.mod_lt a (2 ^ 63)) as L. change wB with (Z.of_N (2 ^ 63)). lia.
    - apply N.bits_inj. intros i. destruct (N.lt_ge_cases i 63).
      + now apply N.mod_pow2_bits_low.
      + rewrite N.mod_pow2_bits_high by trivial. now rewrite S.
  Qed.

  Lemma less_small : forall a, (a < 2 ^ 63)%N -> small a.
  Proof.
    intros a L i H. destruct (N.eq_dec a 0) as [->|N]; [apply N.bits_0|].
    apply N.bits_above_log2. apply N.log2_lt_pow2 in L; lia.
  Qed.

  Lemma int_of_small : forall a, small a -> (φ (int_of a))%uint63 = Z.of_N a.
  Proof.
    intros a S. unfold int_of. rewrite of_Z_spec. now apply Z.mod_small, small_less.
  Qed.

  Lemma small_land : forall a b, small a -> small (N.land a b).
  Proof. intros a b A i L. now rewrite N.land_spec, A. Qed.
  Lemma small_lor : forall a b, small a -> small b -> small (N.lor a b).
  Proof. intros a b A B i L. now rewrite N.lor_spec, A, B. Qed.
  Lemma small_shiftr : forall a k, small a -> small (N.shiftr a k).
  Proof. intros a k A i L. rewrite N.shiftr_spec'. apply A. lia. Qed.

  Lemma int_land : forall a b, small a -> small b ->
    (int_of a land int_of b)%uint63 = int_of (N.land a b).
  Proof.
    intros a b A B. apply to_Z_inj. rewrite land_spec', !int_of_small; auto using small_land.
    destruct a, b; reflexivity.
  Qed.
  Lemma int_lor : forall a b, small a -> small b ->
    (int_of a lor int_of b)%uint63 = int_of (N.lor a b).
  Proof.
    intros a b A B. apply to_Z_inj. rewrite lor_spec', !int_of_small; auto using small_lor.
    destruct a, b; reflexivity.
  Qed.
  Lemma int_shiftr : forall a k, small a -> small k ->
    (int_of a >> int_of k)%uint63 = int_of (N.shiftr a k).
  Proof.
    intros a k A K. apply to_Z_inj. rewrite lsr_spec, !int_of_small; auto using small_shiftr.
    rewrite N.shiftr_div_pow2, N2Z.inj_div, N2Z.inj_pow. reflexivity.
  Qed.
  Lemma int_zero : forall a, small a -> (int_of a =? 0)%uint63 = (a =? 0)%N.
  Proof.
    intros a A. apply eq_true_iff_eq. rewrite Uint63.eqb_spec, N.eqb_eq. split; [|now intros ->].
    intros E. apply (f_equal to_Z) in E. rewrite int_of_small, to_Z_0 in E by trivial. lia.
  Qed.

  Lemma same_four_by : forall w k, small w -> small k -> small (2 * k) ->
    four_by_int (int_of w) (int_of k, int_of (2 * k)) = four_by w k.
  Proof.
    intros w k W K K2. unfold four_by_int, four_by. cbn [fst snd].
    rewrite int_shiftr, int_land, int_shiftr, int_land, int_zero;
      auto using small_shiftr, small_land.
  Qed.

  Lemma same_isset : forall a i, small a -> (i < 63)%N -> isset (int_of a) (int_of (2 ^ i)) = N.testbit a i.
  Proof.
    intros a i A L. assert (small (2 ^ i)) by (apply less_small, N.pow_lt_mono_r; lia).
    unfold isset. rewrite int_land, int_zero; auto using small_land.
    destruct (N.testbit a i) eqn:T.
    - apply negb_true_iff, N.eqb_neq. intros Z. apply (f_equal (fun x => N.testbit x i)) in Z.
      rewrite N.land_spec, T, N.pow2_bits_true, N.bits_0 in Z. discriminate.
    - apply negb_false_iff, N.eqb_eq. apply N.bits_inj_0. intros j. rewrite N.land_spec, N.pow2_bits_eqb.
      destruct (N.eqb_spec i j) as [<-|]; [now rewrite T|]. apply andb_false_r.
  Qed.

  Hypothesis room : columns * S rows <= 63.
  Hypothesis some_rows : 0 < rows.
  Hypothesis some_columns : 0 < columns.

  Lemma place_small : forall x y, x < columns -> y < rows -> (place rows x y < 63)%N.
  Proof. intros x y X Y. unfold place. nia. Qed.

  Lemma word_small : forall p b, fits rows b -> length b = columns -> small (word rows p b).
  Proof.
    intros p b F L i H. rewrite <- (N2Nat.id i). destruct (place_of rows (N.to_nat i)) as (x & y & Y & E).
    rewrite (bit_has rows p b _ x y F Y E). unfold has. cbn [fst snd]. rewrite nth_overflow.
    - now destruct y.
    - assert (63 <= x * S rows + y) by lia. nia.
  Qed.

  Let image (s : position) : int * int := ints (words rows s).

  Lemma image_over : forall s, proper columns rows s ->
    @over int_game (image s) = @over (connect_four columns rows) s.
  Proof.
    intros [b p] P. rewrite <- words_over with (rows := rows) by trivial. destruct P as [F L].
    simpl in F, L. unfold image, ints, words. cbn [fst snd mover discs over int_game word_game].
    assert (forall p, small (word rows p b)) by (intros; now apply word_small).
    replace (existsb (four_by_int (int_of (word rows (other p) b)))
      (map (fun k => (int_of k, int_of (2 * k))) (steps rows)))
      with (existsb (four_by (word rows (other p) b)) (steps rows)).
    2: { unfold steps. cbn [map existsb].
         assert (rows <= 62) by nia.
         rewrite !same_four_by; trivial; apply less_small; change (2 ^ 63)%N with 9223372036854775808%N; lia. }
    destruct (existsb _ _); trivial. rewrite int_lor by trivial.
    enough (forallb (isset (int_of (N.lor (word rows p b) (word rows (other p) b))))
      (map (fun x => int_of (2 ^ place rows x (Nat.pred rows))) (seq 0 columns)) =
      forallb (N.testbit (N.lor (word rows p b) (word rows (other p) b)))
      (map (fun x => place rows x (Nat.pred rows)) (seq 0 columns))) as ->; trivial.
    assert (G : forall l, (forall x, In x l -> x < columns) ->
      forallb (isset (int_of (N.lor (word rows p b) (word rows (other p) b))))
        (map (fun x => int_of (2 ^ place rows x (Nat.pred rows))) l) =
      forallb (N.testbit (N.lor (word rows p b) (word rows (other p) b)))
        (map (fun x => place rows x (Nat.pred rows)) l)).
    { induction l as [|x l IH]; intros I; trivial. simpl. f_equal.
      - apply same_isset; auto using small_lor. apply place_small; [apply I; now left|lia].
      - apply IH. intros z J. apply I. now right. }
    apply G. intros x I. apply in_seq in I. lia.
  Qed.

  Lemma image_moves : forall s, proper columns rows s ->
    @moves int_game (image s) = map (fun m => (fst m, image (snd m))) (@moves (connect_four columns rows) s).
  Proof.
    intros s P. unfold image.
    transitivity (map (fun m => (fst m, ints (snd m))) (@moves (word_game columns rows) (words rows s))).
    2: { rewrite words_moves by trivial. now rewrite map_map. }
    destruct s as [b p], P as [F L]. simpl in F, L.
    unfold ints at 1, words. cbn [fst snd mover discs moves int_game word_game].
    assert (forall p, small (word rows p b)) by (intros; now apply word_small).
    rewrite int_lor by trivial. unfold places. rewrite map_map, !flat_map_map, map_flat_map.
    apply flat_map_same. intros x I. apply in_seq in I. rewrite map_map, !find_map.
    set (all := N.lor _ _). assert (small all) by now apply small_lor.
    rewrite (find_same _ _ (fun y => negb (N.testbit all (place rows x y)))).
    2: { intros y J. apply in_seq in J. f_equal. apply same_isset; trivial. apply place_small; lia. }
    destruct (find _ _) as [y|] eqn:E; trivial. apply find_some in E as [J _]. apply in_seq in J.
    simpl. unfold ints. cbn [fst snd]. rewrite N.setbit_spec', int_lor; trivial.
    apply less_small, N.pow_lt_mono_r; [lia|]. apply place_small; lia.
  Qed.

  Theorem gets_by_ints : forall c m s, proper columns rows s ->
    gets (G := int_game) nothing c (m, image s) ->
    gets (G := connect_four columns rows) nothing c (m, s).
  Proof.
    intros c m s P. apply gets_in_image with (P := proper columns rows) (pays := @nothing int_game)
      (x := (m, s)) (f := image : State (connect_four columns rows) -> State int_game); trivial.
    - intros s' a t P' _. now apply proper_next.
    - exact image_over.
    - intros s' P' _ a q. rewrite image_moves by trivial. rewrite in_map_iff. split.
      + intros ([a' t] & E & I). injection E as <- <-. eauto.
      + intros (t & I & <-). now exists (a, t).
  Qed.
End Ints.
