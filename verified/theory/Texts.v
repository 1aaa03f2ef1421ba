(* One checker for every game that is written as text: there is nothing to prove of any of them. *)

From Coq Require Import ZArith NArith List Bool.
From Foregone Require Import Game Plays.
From Verified Require Import Check Books Statement Tables Sets Tree.
Import ListNotations.

Module Texts (S : Sets).
  Module T := Tree S.
  Import T.

  (* Positions in an order, to be found in a book. *)
  Definition order (a b : position) : comparison :=
    or_else (by_all S.compare (sets a) (sets b))
      (or_else (by_all (by_all Z.compare) (counts a) (counts b))
        (or_else (by_all Z.compare (numbers a) (numbers b))
          (if Bool.eqb (turn a) (turn b)
           then match result a, result b with
                | None, None => Eq
                | Some x, Some y => Z.compare x y
                | None, Some _ => Lt
                | Some _, None => Gt
                end
           else if turn a then Lt else Gt))).

  Lemma order_eq : forall a b, order a b = Eq -> a = b.
  Proof.
    intros a b H. apply or_else_eq in H as [Hs H]. apply or_else_eq in H as [Hc H]. apply or_else_eq in H as [Hn H].
    apply (by_all_eq _ _ S.compare_eq) in Hs. apply (by_all_eq _ _ Z.compare_eq) in Hn.
    apply (by_all_eq _ _ (by_all_eq _ _ Z.compare_eq)) in Hc.
    destruct (Bool.eqb (turn a) (turn b)) eqn:Ht; [apply eqb_prop in Ht|now destruct (turn a)].
    assert (Hr : result a = result b).
    { destruct (result a), (result b); try discriminate; trivial. now rewrite (Z.compare_eq _ _ H). }
    destruct a, b. simpl in *. congruence.
  Qed.

  (* What play without end is worth, for the mover: a number of the position. Foregone takes rules only if it is the same
     along every loop; Plays.v says what `gets` means if it is not. *)
  Definition endless_pays (rs : rules) (endless : number) (p : position) : Z :=
    for_first (turn p) (clamp (number_of (board rs) (fresh rs p) endless)).

  Definition run_text (rs : rules) (endless : number) (start : position) (numbers : list nat) (player : bool) (c : Z)
      (book : tree position entry) (most : N) (fuel : nat) : bool :=
    proves (game_of rs) (endless_pays rs endless) (move_of rs) numbers (turn start) start player c
      (tree_book order order_eq book) most fuel.

  Theorem run_text_sound : forall rs endless start numbers player c book most fuel,
    run_text rs endless start numbers player c book most fuel = true ->
    gets_after (game_of rs) (endless_pays rs endless) numbers (turn start) start player c.
  Proof. intros. eapply proves_sound; [exact (move_of_is rs)|eassumption]. Qed.

  (* What a table says of the start, if all of its entries follow. *)
  Definition run_table (rs : rules) (endless : number) (start : position) (book : tree position worth)
      (limit longest : Z) : option worth :=
    let G := game_of rs in
    let book : Book (State G) worth := tree_book order order_eq book in
    if table_check G (endless_pays rs endless) book limit longest [start]
    then look G (endless_pays rs endless) book limit longest start else None.

  (* Then it says the truth of the start, and of every position with an entry; and whatever both sides do, play comes to
     no position without one. *)
  Theorem run_table_sound : forall rs endless start book limit longest w,
    run_table rs endless start book limit longest = Some w ->
    let G := game_of rs in
    let book : Book (State G) worth := tree_book order order_eq book in
    let look := look G (endless_pays rs endless) book limit longest in
    says G (endless_pays rs endless) start w /\
    (forall s u, look s = Some u -> says G (endless_pays rs endless) s u) /\
    forall (advised : Strategy G) mine n (y : Place G), path advised (mine, start) n y -> look (snd y) <> None.
  Proof.
    intros rs endless start book limit longest w H. unfold run_table in H.
    destruct (table_check _ _ _ _ _ _) eqn:C in H; [|discriminate].
    split; [|split].
    - eapply table_says; eassumption || exact H.
    - intros s u. eapply table_says. eassumption.
    - intros advised mine n y Q.
      apply (table_covers _ _ _ _ _ _ C advised n (mine, start) y); [|exact Q]. simpl. rewrite H. discriminate.
  Qed.
End Texts.

