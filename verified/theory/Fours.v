(* The checkers of Connect Four: by binary numbers, for all sizes and without axioms, and by primitive integers, for
   boards that fit into 63 bits. Both speak of the rules in ConnectFour.v. *)

From Coq Require Import ZArith NArith PeanoNat Bool List.
From Foregone Require Import Game Plays.
From Verified Require Import Check Books Statement ConnectFour Words Ints.
From Verified Require Sets.
Import ListNotations.
Open Scope nat_scope.

Section Fours.
  Variables columns rows : nat.
  Let game := connect_four columns rows.

  (* Runs in the readable game to the root, and from there in another form. *)
  Let root (numbers : list nat) : option (bool * State game) := after game numbers true (start columns).

  Lemma root_proper : forall numbers f (s : State game) t, proper columns rows s -> after game numbers f s = Some t ->
    proper columns rows (snd t).
  Proof.
    induction numbers as [|n numbers IH]; intros f s t P A; cbn [after] in A; [now injection A as <-|].
    destruct (@over game s); [discriminate|].
    destruct (nth_error (@moves game s) n) as [[a u]|] eqn:E; [|discriminate].
    exact (IH _ _ _ (proper_next _ _ _ _ _ P (nth_error_In _ _ E)) A).
  Qed.

  Definition run_words (numbers : list nat) (player : bool) (c : Z) (book : trie2) (most : N) : bool :=
    (0 <? rows) &&
    match root numbers with
    | Some (f, t) => check (word_game columns rows) nothing (numbered _) (trie_book book) c most 1 (Bool.eqb f player) (words rows t)
    | None => false
    end.

  Theorem run_words_sound : forall numbers player c book most, run_words numbers player c book most = true ->
    gets_after game nothing numbers true (start columns) player c.
  Proof.
    intros numbers player c book most H. unfold run_words in H. apply andb_prop in H as [R H].
    apply Nat.ltb_lt in R. destruct (root numbers) as [[f t]|] eqn:A; [|discriminate]. exists f, t. split; trivial.
    apply gets_by_words; trivial.
    - exact (root_proper _ _ _ _ (proper_start _ _) A).
    - exact (check_sound _ _ _ (fun _ _ => eq_refl) _ _ _ _ _ _ H).
  Qed.

  Definition run_ints (numbers : list nat) (player : bool) (c : Z) (book : tree (Uint63.int * Uint63.int) entry) (most : N)
    : bool :=
    (columns * S rows <=? 63) && (0 <? rows) && (0 <? columns) &&
    match root numbers with
    | Some (f, t) => check (int_game columns rows) nothing (numbered _) (tree_book Sets.Words.compare Sets.Words.compare_eq book) c most 1
                       (Bool.eqb f player) (ints (words rows t))
    | None => false
    end.

  Theorem run_ints_sound : forall numbers player c book most, run_ints numbers player c book most = true ->
    gets_after game nothing numbers true (start columns) player c.
  Proof.
    intros numbers player c book most H. unfold run_ints in H. rewrite !andb_true_iff in H.
    destruct H as (((R & R1) & C1) & H). apply Nat.leb_le in R. apply Nat.ltb_lt in R1, C1.
    destruct (root numbers) as [[f t]|] eqn:A; [|discriminate]. exists f, t. split; trivial.
    apply gets_by_ints; trivial.
    - exact (root_proper _ _ _ _ (proper_start _ _) A).
    - exact (check_sound _ _ _ (fun _ _ => eq_refl) _ _ _ _ _ _ H).
  Qed.
End Fours.
