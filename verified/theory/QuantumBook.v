(* The checker of quantum tic-tac-toe: of its positions there is only an order to prove. *)

From Coq Require Import ZArith NArith PeanoNat Bool List.
From Foregone Require Import Game Plays.
From Verified Require Import Check Books Statement Quantum.

Definition mark_order (a b : mark) : comparison :=
  match a, b with
  | Classical a, Classical b => Nat.compare a b
  | Classical _, Spooky _ _ => Lt
  | Spooky _ _, Classical _ => Gt
  | Spooky a b, Spooky c d => or_else (Nat.compare a c) (Nat.compare b d)
  end.
Definition quantum_order (a b : superposition) : comparison :=
  or_else (by_all mark_order (marks a) (marks b)) (Bool.compare (collapsing a) (collapsing b)).

Lemma mark_order_eq : forall a b, mark_order a b = Eq -> a = b.
Proof.
  intros [a b|a] [c d|c] H; try discriminate; simpl in H.
  - apply or_else_eq in H as [E F]. now rewrite (proj1 (Nat.compare_eq_iff _ _) E), (proj1 (Nat.compare_eq_iff _ _) F).
  - now rewrite (proj1 (Nat.compare_eq_iff _ _) H).
Qed.
Lemma quantum_order_eq : forall a b, quantum_order a b = Eq -> a = b.
Proof.
  intros [l a] [m b] H. apply or_else_eq in H as [E F]. simpl in E, F.
  rewrite (by_all_eq _ _ mark_order_eq _ _ E). now destruct a, b.
Qed.

Definition run_quantum (numbers : list nat) (player : bool) (c : Z) (book : tree superposition entry) (most : N) (fuel : nat)
  : bool :=
  proves quantum_tic_tac_toe (fun _ => 0%Z) (numbered _) numbers true start player c (tree_book quantum_order quantum_order_eq book)
    most fuel.

Theorem run_quantum_sound : forall numbers player c book most fuel, run_quantum numbers player c book most fuel = true ->
  gets_after quantum_tic_tac_toe (fun _ => 0%Z) numbers true start player c.
Proof. intros numbers player c book most fuel. now apply proves_sound. Qed.
