(* Sets of cells, and what they have to do: Tree.v gives rules their meaning by any of them. *)

From Coq Require Import ZArith NArith PeanoNat Lia List Bool Uint63.
Import ListNotations.
Open Scope nat_scope.

Module Type Sets.
  Parameter t : Type.
  Parameter nothing : t.
  Parameters union both without : t -> t -> t.
  Parameter one : nat -> t.
  Parameter has : t -> nat -> bool.
  Parameter cells : nat -> t -> list nat.            (* those below a number, in order *)
  Parameter of_bits : N -> t.
  Parameter compare : t -> t -> comparison.
  Parameter compare_eq : forall a b, compare a b = Eq -> a = b.
End Sets.

(* What they are. A set has room for some cells; there is no room for others. *)
Module Type Laws (S : Sets).
  Parameter room : nat -> Prop.
  Parameter has_nothing : forall c, S.has S.nothing c = false.
  Parameter has_union : forall a b c, S.has (S.union a b) c = S.has a c || S.has b c.
  Parameter has_both : forall a b c, S.has (S.both a b) c = S.has a c && S.has b c.
  Parameter has_without : forall a b c, S.has (S.without a b) c = S.has a c && negb (S.has b c).
  Parameter has_one : forall c d, room c -> room d -> S.has (S.one c) d = (c =? d).
  Parameter has_bits : forall n c, room c -> S.has (S.of_bits n) c = N.testbit n (N.of_nat c).
  Parameter all_cells : forall n s, (forall c, c < n -> room c) -> S.cells n s = filter (S.has s) (seq 0 n).
  Parameter compare_alike : forall a b, (forall c, room c -> S.has a c = S.has b c) -> S.compare a b = Eq.
End Laws.

(* A number whose bits are the cells. *)
Module Numbers <: Sets.
  Definition t := N.
  Definition nothing := 0%N.
  Definition union := N.lor.
  Definition both := N.land.
  Definition without := N.ldiff.
  Fixpoint power (c : nat) : positive := match c with O => xH | S c => xO (power c) end.
  Definition one (c : nat) : N := Npos (power c).
  Fixpoint has_bit (p : positive) (c : nat) : bool :=
    match p, c with
    | xO _, O => false
    | _, O => true
    | xH, S _ => false
    | xO p, S c | xI p, S c => has_bit p c
    end.
  Definition has (s : N) (c : nat) : bool := match s with N0 => false | Npos p => has_bit p c end.
  Fixpoint cells_from (at_ count : nat) (p : positive) : list nat :=
    match count with
    | O => []
    | S count => match p with
                 | xH => [at_]
                 | xO p => cells_from (S at_) count p
                 | xI p => at_ :: cells_from (S at_) count p
                 end
    end.
  Definition cells (count : nat) (s : N) : list nat := match s with N0 => [] | Npos p => cells_from 0 count p end.
  Definition of_bits (n : N) : N := n.
  Definition compare := N.compare.
  Definition compare_eq := N.compare_eq.
End Numbers.

(* The cells of a set one after the other, from a number on. *)
Lemma first_cell : forall (has : nat -> bool) count at_,
  map (Nat.add at_) (filter has (seq 0 (S count))) =
  (if has 0 then [at_] else []) ++ map (Nat.add (S at_)) (filter (fun c => has (S c)) (seq 0 count)).
Proof.
  intros has count at_. simpl seq. rewrite <- seq_shift. simpl filter.
  assert (F : forall l, map (Nat.add at_) (filter has (map S l)) = map (Nat.add (S at_)) (filter (fun c => has (S c)) l)).
  { induction l as [|c l IH]; trivial. simpl. destruct (has (S c)); simpl; rewrite IH; trivial. f_equal. lia. }
  destruct (has 0); simpl map; rewrite F; trivial. now rewrite Nat.add_0_r.
Qed.
Lemma cells_beyond : forall has k count,
  filter has (seq k count) = map (Nat.add k) (filter (fun c => has (k + c)) (seq 0 count)).
Proof.
  intros has k. induction count as [|count IH]; trivial. rewrite !seq_S, !filter_app, map_app, IH. f_equal. simpl.
  now destruct (has (k + count)).
Qed.
Lemma no_cell : forall (has : nat -> bool) l, (forall c, has c = false) -> filter has l = [].
Proof. intros has l H. induction l as [|c l IH]; trivial. simpl. now rewrite H. Qed.

Module Numbers_laws <: Laws Numbers.
  Import Numbers.
  Definition room (_ : nat) := True.
  Lemma has_testbit : forall c s, has s c = N.testbit s (N.of_nat c).
  Proof.
    induction c as [|c IH]; intros s; [now destruct s as [|[p|p|]]|].
    rewrite Nat2N.inj_succ, N.testbit_succ_r_div2, <- IH by apply N.le_0_l. now destruct s as [|[p|p|]].
  Qed.
  Lemma has_nothing : forall c, has nothing c = false.
  Proof. trivial. Qed.
  Lemma has_union : forall a b c, has (union a b) c = has a c || has b c.
  Proof. intros. rewrite !has_testbit. apply N.lor_spec. Qed.
  Lemma has_both : forall a b c, has (both a b) c = has a c && has b c.
  Proof. intros. rewrite !has_testbit. apply N.land_spec. Qed.
  Lemma has_without : forall a b c, has (without a b) c = has a c && negb (has b c).
  Proof. intros. rewrite !has_testbit. apply N.ldiff_spec. Qed.
  Lemma has_one : forall c d, room c -> room d -> has (one c) d = (c =? d).
  Proof. intros c d _ _. revert d. induction c as [|c IH]; intros [|d]; trivial. exact (IH d). Qed.
  Lemma has_bits : forall n c, room c -> has (of_bits n) c = N.testbit n (N.of_nat c).
  Proof. intros. apply has_testbit. Qed.
  Lemma cells_from_all : forall count at_ p,
    cells_from at_ count p = map (Nat.add at_) (filter (has_bit p) (seq 0 count)).
  Proof.
    induction count as [|count IH]; intros at_ p; trivial. rewrite first_cell.
    destruct p as [p|p|]; simpl cells_from; rewrite ?IH; trivial. now rewrite no_cell.
  Qed.
  Lemma all_cells : forall n s, (forall c, c < n -> room c) -> cells n s = filter (has s) (seq 0 n).
  Proof.
    intros n [|p] _; simpl cells; [now rewrite no_cell|]. rewrite cells_from_all. apply map_id.
  Qed.
  Lemma compare_alike : forall a b, (forall c, room c -> has a c = has b c) -> compare a b = Eq.
  Proof.
    intros a b H. apply N.compare_eq_iff, N.bits_inj. intros n. specialize (H (N.to_nat n) I).
    now rewrite !has_testbit, N2Nat.id in H.
  Qed.
End Numbers_laws.

(* A primitive integer: room for 63 cells. *)
Module Word <: Sets.
  Definition t := int.
  Definition nothing := 0%uint63.
  Definition union (a b : int) : int := (a lor b)%uint63.
  Definition both (a b : int) : int := (a land b)%uint63.
  Definition without (a b : int) : int := (a lxor (a land b))%uint63.
  Definition odd (i : int) : bool := (i land 1 =? 1)%uint63.
  Fixpoint shift (c : nat) (i : int) : int := match c with O => i | S c => shift c (i << 1)%uint63 end.
  Definition one (c : nat) : int := shift c 1%uint63.
  Fixpoint has (s : int) (c : nat) : bool := match c with O => odd s | S c => has (s >> 1)%uint63 c end.
  Fixpoint cells_from (at_ count : nat) (i : int) : list nat :=
    match count with
    | O => []
    | S count =>
      if (i =? 0)%uint63 then []
      else let more := cells_from (S at_) count (i >> 1)%uint63 in if odd i then at_ :: more else more
    end.
  Definition cells (count : nat) (s : int) : list nat := cells_from 0 count s.
  Definition of_bits (n : N) : int := of_Z (Z.of_N n).
  Definition compare (a b : int) : comparison := (a ?= b)%uint63.
  Lemma compare_eq : forall a b, compare a b = Eq -> a = b.
  Proof. intros a b H. unfold compare in H. rewrite compare_spec in H. now apply to_Z_inj, Z.compare_eq. Qed.
End Word.

Module Word_laws <: Laws Word.
  Import Word.
  Definition room (c : nat) := c < 63.
  Lemma odd_testbit : forall i, odd i = Z.testbit (to_Z i) 0.
  Proof.
    intros i. unfold odd. apply eq_true_iff_eq. rewrite eqb_spec, Z.bit0_odd.
    assert (E : to_Z (i land 1) = Z.b2z (Z.odd (to_Z i))).
    { rewrite land_spec'. change (to_Z 1) with (Z.ones 1). rewrite Z.land_ones, Z.pow_1_r, Zmod_odd by lia.
      now destruct (Z.odd _). }
    destruct (Z.odd (to_Z i)); split; trivial; try discriminate; intros H.
    - now apply to_Z_inj.
    - rewrite H in E. discriminate.
  Qed.
  Lemma has_testbit : forall c s, has s c = Z.testbit (to_Z s) (Z.of_nat c).
  Proof.
    induction c as [|c IH]; intros s; [apply odd_testbit|]. simpl has. rewrite IH, lsr_spec.
    change (2 ^ to_Z 1)%Z with 2%Z. rewrite <- Z.div2_div, Z.div2_spec, Z.shiftr_spec by lia. f_equal. lia.
  Qed.
  Lemma has_nothing : forall c, has nothing c = false.
  Proof. intros. rewrite has_testbit. apply Z.testbit_0_l. Qed.
  Lemma has_union : forall a b c, has (union a b) c = has a c || has b c.
  Proof. intros. rewrite !has_testbit. unfold union. rewrite lor_spec'. apply Z.lor_spec. Qed.
  Lemma has_both : forall a b c, has (both a b) c = has a c && has b c.
  Proof. intros. rewrite !has_testbit. unfold both. rewrite land_spec'. apply Z.land_spec. Qed.
  Lemma has_without : forall a b c, has (without a b) c = has a c && negb (has b c).
  Proof.
    intros. rewrite !has_testbit. unfold without. rewrite lxor_spec', land_spec', Z.lxor_spec, Z.land_spec.
    now destruct (Z.testbit _ _), (Z.testbit _ _).
  Qed.
  Lemma has_one : forall c d, room c -> room d -> has (one c) d = (c =? d).
  Proof.
    assert (A : forallb (fun c => forallb (fun d => Bool.eqb (has (one c) d) (c =? d)) (seq 0 63)) (seq 0 63) = true).
    { vm_compute. reflexivity. }
    rewrite forallb_forall in A. intros c d C D. unfold room in *.
    assert (B := A c). rewrite forallb_forall, in_seq in B. specialize (B ltac:(lia) d). rewrite in_seq in B.
    apply eqb_prop, B. lia.
  Qed.
  Lemma testbit_high : forall i z, (63 <= z)%Z -> Z.testbit (to_Z i) z = false.
  Proof.
    intros i z H. rewrite <- (Z.mod_small (to_Z i) wB) by apply to_Z_bounded. change wB with (2 ^ 63)%Z.
    now apply Z.mod_pow2_bits_high.
  Qed.
  Lemma has_bits : forall n c, room c -> has (of_bits n) c = N.testbit n (N.of_nat c).
  Proof.
    intros n c C. unfold room in C. rewrite has_testbit. unfold of_bits. rewrite of_Z_spec. change wB with (2 ^ 63)%Z.
    rewrite Z.mod_pow2_bits_low by lia. rewrite <- nat_N_Z. apply N2Z.inj_testbit.
  Qed.
  Lemma cells_from_all : forall count at_ i,
    cells_from at_ count i = map (Nat.add at_) (filter (has i) (seq 0 count)).
  Proof.
    induction count as [|count IH]; intros at_ i; trivial. rewrite first_cell. simpl cells_from.
    destruct (i =? 0)%uint63 eqn:E.
    - apply eqb_spec in E as ->. rewrite no_cell; trivial. intros c. exact (has_nothing (S c)).
    - rewrite IH. change (has i 0) with (odd i). destruct (odd i); trivial.
  Qed.
  Lemma all_cells : forall n s, (forall c, c < n -> room c) -> cells n s = filter (has s) (seq 0 n).
  Proof. intros. unfold cells. rewrite cells_from_all. apply map_id. Qed.
  Lemma compare_alike : forall a b, (forall c, room c -> has a c = has b c) -> compare a b = Eq.
  Proof.
    intros a b H. unfold compare. rewrite compare_spec. apply Z.compare_eq_iff, Z.bits_inj. intros n.
    destruct (Z.lt_ge_cases n 0) as [L|L]; [now rewrite !Z.testbit_neg_r|].
    destruct (Z.lt_ge_cases n 63) as [M|M]; [|now rewrite !testbit_high].
    specialize (H (Z.to_nat n) ltac:(unfold room; lia)). now rewrite !has_testbit, Z2Nat.id in H.
  Qed.
End Word_laws.

(* Two of them: room for 126 cells. *)
Module Words <: Sets.
  Definition t := (int * int)%type.
  Definition nothing : t := (0, 0)%uint63.
  Definition union (a b : t) : t := (Word.union (fst a) (fst b), Word.union (snd a) (snd b)).
  Definition both (a b : t) : t := (Word.both (fst a) (fst b), Word.both (snd a) (snd b)).
  Definition without (a b : t) : t := (Word.without (fst a) (fst b), Word.without (snd a) (snd b)).
  Fixpoint beyond (k c : nat) : option nat :=
    match k, c with O, c => Some c | S _, O => None | S k, S c => beyond k c end.
  Definition one (c : nat) : t :=
    match beyond 63 c with None => (Word.one c, 0%uint63) | Some c => (0%uint63, Word.one c) end.
  Definition has (s : t) (c : nat) : bool :=
    match beyond 63 c with None => Word.has (fst s) c | Some c => Word.has (snd s) c end.
  Definition cells (count : nat) (s : t) : list nat :=
    match beyond 63 count with
    | None => Word.cells_from 0 count (fst s)
    | Some more => Word.cells_from 0 63 (fst s) ++ Word.cells_from 63 more (snd s)
    end.
  Definition of_bits (n : N) : t := (Word.of_bits n, Word.of_bits (N.shiftr n 63)).
  Definition compare (a b : t) : comparison :=
    match Word.compare (fst a) (fst b) with Eq => Word.compare (snd a) (snd b) | c => c end.
  Lemma compare_eq : forall a b, compare a b = Eq -> a = b.
  Proof.
    intros [a b] [c d]. unfold compare. cbn [fst snd]. destruct (Word.compare a c) eqn:E; try discriminate.
    intros H. now rewrite (Word.compare_eq _ _ E), (Word.compare_eq _ _ H).
  Qed.
End Words.

Module Words_laws <: Laws Words.
  Import Words.
  Definition room (c : nat) := c < 126.
  Lemma beyond_spec : forall k c, beyond k c = if c <? k then None else Some (c - k).
  Proof.
    induction k as [|k IH]; intros c; [simpl; f_equal; lia|]. destruct c as [|c]; trivial. simpl beyond. rewrite IH.
    now destruct (Nat.ltb_spec c k), (Nat.ltb_spec (S c) (S k)); try lia.
  Qed.
  Lemma has_split : forall s c, has s c = if c <? 63 then Word.has (fst s) c else Word.has (snd s) (c - 63).
  Proof. intros. unfold has. rewrite beyond_spec. now destruct (c <? 63). Qed.
  Lemma has_nothing : forall c, has nothing c = false.
  Proof. intros. rewrite has_split. simpl. destruct (c <? 63); apply Word_laws.has_nothing. Qed.
  Lemma has_union : forall a b c, has (union a b) c = has a c || has b c.
  Proof. intros. rewrite !has_split. destruct (c <? 63); apply Word_laws.has_union. Qed.
  Lemma has_both : forall a b c, has (both a b) c = has a c && has b c.
  Proof. intros. rewrite !has_split. destruct (c <? 63); apply Word_laws.has_both. Qed.
  Lemma has_without : forall a b c, has (without a b) c = has a c && negb (has b c).
  Proof. intros. rewrite !has_split. destruct (c <? 63); apply Word_laws.has_without. Qed.
  Lemma has_one : forall c d, room c -> room d -> has (one c) d = (c =? d).
  Proof.
    intros c d C D. unfold room in *. rewrite has_split. unfold one. rewrite beyond_spec.
    change 0%uint63 with Word.nothing. destruct (Nat.ltb_spec c 63), (Nat.ltb_spec d 63); cbn [fst snd].
    - now apply Word_laws.has_one.
    - rewrite Word_laws.has_nothing. symmetry. apply Nat.eqb_neq. lia.
    - rewrite Word_laws.has_nothing. symmetry. apply Nat.eqb_neq. lia.
    - rewrite Word_laws.has_one by (unfold Word_laws.room; lia).
      destruct (Nat.eqb_spec (c - 63) (d - 63)), (Nat.eqb_spec c d); trivial; lia.
  Qed.
  Lemma has_bits : forall n c, room c -> has (of_bits n) c = N.testbit n (N.of_nat c).
  Proof.
    intros n c C. unfold room in C. rewrite has_split. unfold of_bits. cbn [fst snd].
    destruct (Nat.ltb_spec c 63); rewrite Word_laws.has_bits by (unfold Word_laws.room; lia); trivial.
    rewrite N.shiftr_spec by lia. f_equal. lia.
  Qed.
  Lemma all_cells : forall n s, (forall c, c < n -> room c) -> cells n s = filter (has s) (seq 0 n).
  Proof.
    intros n s _. unfold cells. rewrite beyond_spec.
    assert (Low : forall count, count <= 63 -> Word.cells_from 0 count (fst s) = filter (has s) (seq 0 count)).
    { intros count L. rewrite Word_laws.cells_from_all. change (Nat.add 0) with (fun c : nat => c). rewrite map_id.
      apply filter_ext_in. intros c I. apply in_seq in I. rewrite has_split. now destruct (Nat.ltb_spec c 63); [|lia]. }
    destruct (Nat.ltb_spec n 63) as [L|L]; [now apply Low; lia|].
    rewrite Low, Word_laws.cells_from_all by trivial. replace n with (63 + (n - 63)) at 2 by lia.
    rewrite seq_app, filter_app. f_equal. rewrite (cells_beyond (has s)).
    apply (f_equal (map (Nat.add 63))), filter_ext. intros c. rewrite has_split.
    destruct (Nat.ltb_spec (0 + 63 + c) 63); [lia|]. f_equal. lia.
  Qed.
  Lemma compare_alike : forall a b, (forall c, room c -> has a c = has b c) -> compare a b = Eq.
  Proof.
    intros a b H. unfold compare.
    rewrite (Word_laws.compare_alike (fst a) (fst b)), (Word_laws.compare_alike (snd a) (snd b)); trivial.
    - intros c C. specialize (H (c + 63)). unfold room, Word_laws.room in *. rewrite !has_split in H.
      destruct (Nat.ltb_spec (c + 63) 63); [lia|]. rewrite Nat.add_sub in H. apply H. lia.
    - intros c C. specialize (H c). unfold room, Word_laws.room in *. rewrite !has_split in H.
      destruct (Nat.ltb_spec c 63); [|lia]. apply H. lia.
  Qed.
End Words_laws.
