(* What a tape shows of Connect Four: by binary numbers, and by primitive integers. *)

From Coq Require Import ZArith NArith Uint63 List Bool PeanoNat.
From Foregone Require Import Game Plays.
From Verified Require Import Check Books ConnectFour Words Ints Tape.
From Verified Require Sets.
Open Scope nat_scope.

Section Tapes.
  Variables columns rows : nat.

  Definition check_words (parts : list tape) (player : bool) (c : Z) (most : N) : bool :=
    let root := words rows (start columns) in
    let book := book_of (G := word_game columns rows) find2 put2 1 parts player root Empty in
    (0 <? rows) && check (word_game columns rows) nothing (numbered _) (trie_book book) c most 1 player root.

  Lemma check_words_sound : forall parts player c most, check_words parts player c most = true ->
    gets (G := connect_four columns rows) nothing c (player, start columns).
  Proof.
    intros * H. apply andb_prop in H as [R H]. apply Nat.ltb_lt in R.
    apply gets_by_words; trivial; [apply proper_start|]. eapply check_sound; [reflexivity|eassumption].
  Qed.

  (* An order that looks random keeps a tree flat that is made by insertion. *)
  Definition scatter (a : int * int) : int :=
    (fst a * 2654435769123456789 + snd a * 3202034522624059733)%uint63.
  Definition scattered (a b : int * int) : comparison :=
    match (scatter a ?= scatter b)%uint63 with Eq => Sets.Words.compare a b | c => c end.
  Lemma scattered_eq : forall a b, scattered a b = Eq -> a = b.
  Proof. intros a b. unfold scattered. destruct (_ ?= _)%uint63; [apply Sets.Words.compare_eq|discriminate..]. Qed.

  Definition check_ints (parts : list tape) (player : bool) (c : Z) (most : N) : bool :=
    let root := ints (words rows (start columns)) in
    let book := book_of (G := int_game columns rows) (tree_find scattered) (insert scattered) 1 parts player root Leaf in
    (columns * S rows <=? 63) && (0 <? rows) && (0 <? columns) &&
    check (int_game columns rows) nothing (numbered _) (tree_book scattered scattered_eq book) c most 1 player root.

  Lemma check_ints_sound : forall parts player c most, check_ints parts player c most = true ->
    gets (G := connect_four columns rows) nothing c (player, start columns).
  Proof.
    intros * H. unfold check_ints in H. rewrite !andb_true_iff in H. destruct H as (((R & R1) & C1) & H).
    apply Nat.leb_le in R. apply Nat.ltb_lt in R1, C1.
    apply gets_by_ints; trivial; [apply proper_start|]. eapply check_sound; [reflexivity|eassumption].
  Qed.
End Tapes.
