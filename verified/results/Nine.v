(* Tic-tac-toe and three men's morris: their rules, as one reads them. They are checked as they stand here, so that there
   is nothing to prove of them. *)

From Coq Require Import ZArith NArith List Bool.
From Foregone Require Import Game Plays.
From Verified Require Import Check Books ConnectFour Tape.
Import ListNotations.
Open Scope nat_scope.

(* Nine squares, row by row, the side to move, and for morris the men in its hand and in the other's. *)
Record board9 := { squares9 : list (option player); side : player; hand : nat; other_hand : nat }.

Definition rows9 : list (list nat) :=
  [[0;1;2]; [3;4;5]; [6;7;8]; [0;3;6]; [1;4;7]; [2;5;8]; [0;4;8]; [2;4;6]].
Definition is_of (b : list (option player)) (p : player) (n : nat) : bool :=
  match nth n b None with Some q => same p q | None => false end.
Definition is_empty (b : list (option player)) (n : nat) : bool :=
  match nth n b None with Some _ => false | None => true end.
Definition has_row (b : list (option player)) (p : player) : bool :=
  existsb (forallb (is_of b p)) rows9.
Fixpoint set (b : list (option player)) (n : nat) (x : option player) : list (option player) :=
  match b, n with
  | [], _ => []
  | _ :: b, 0 => x :: b
  | y :: b, S n => y :: set b n x
  end.

Definition tic_tac_toe : Game := {|
  State := board9;
  over s := if has_row (squares9 s) (other (side s)) then Some (-1)%Z
            else if existsb (is_empty (squares9 s)) (seq 0 9) then None else Some 0%Z;
  moves s := map (fun n => (false, {| squares9 := set (squares9 s) n (Some (side s));
                                      side := other (side s); hand := 0; other_hand := 0 |}))
               (filter (is_empty (squares9 s)) (seq 0 9))
|}.

(* Three men's morris: each places three men in turn, then moves one along a line of the board to a neighbouring point.
   (Points are neighbours along rows, columns and the two long diagonals.) *)
Definition neighbours : list (list nat) :=
  [[1;3;4]; [0;2;4]; [1;4;5]; [0;4;6]; [0;1;2;3;5;6;7;8]; [2;4;8]; [3;4;7]; [4;6;8]; [4;5;7]].

Definition place_moves (s : board9) : list (bool * board9) :=
  map (fun n => (false, {| squares9 := set (squares9 s) n (Some (side s)); side := other (side s);
                           hand := other_hand s; other_hand := pred (hand s) |}))
    (filter (is_empty (squares9 s)) (seq 0 9)).
Definition slide_moves (s : board9) : list (bool * board9) :=
  flat_map (fun from =>
    map (fun to => (false, {| squares9 := set (set (squares9 s) from None) to (Some (side s));
                              side := other (side s); hand := other_hand s; other_hand := hand s |}))
      (filter (is_empty (squares9 s)) (nth from neighbours [])))
    (filter (is_of (squares9 s) (side s)) (seq 0 9)).
Definition morris_moves (s : board9) : list (bool * board9) :=
  match hand s with 0 => slide_moves s | S _ => place_moves s end.

Definition morris : Game := {|
  State := board9;
  over s := if has_row (squares9 s) (other (side s)) then Some (-1)%Z
            else match morris_moves s with [] => Some (-1)%Z | _ :: _ => None end;
  moves := morris_moves
|}.

Definition start9 (hands : nat) : board9 :=
  {| squares9 := repeat None 9; side := X; hand := hands; other_hand := hands |}.

(* An order of boards for their books. *)
Definition board9_eq (a b : board9) : {a = b} + {a <> b}.
Proof. repeat decide equality. Defined.
Definition code9 (b : board9) : N :=
  fold_left (fun code x => match x with None => 0 | Some X => 1 | Some O => 2 end + 3 * code)%N (squares9 b) 0%N.
Definition order9 := coded code9 board9_eq.

(* What a tape shows of such a game. *)
Section Tapes.
  Variable over9 : board9 -> option Z.
  Variable moves9 : board9 -> list (bool * board9).
  Let G := {| State := board9; over := over9; moves := moves9 |}.

  Definition check9 (hands : nat) (parts : list tape) (player : bool) (c : Z) (most : N) : bool :=
    let book := book_of (G := G) (tree_find order9) (insert order9) 1 parts player (start9 hands) Leaf in
    check G nothing (numbered _) (tree_book order9 (coded_eq _ _) book) c most 1 player (start9 hands).

  Lemma check9_sound : forall hands parts player c most, check9 hands parts player c most = true ->
    gets (G := G) nothing c (player, start9 hands).
  Proof. intros. eapply check_sound; [reflexivity|eassumption]. Qed.
End Tapes.
