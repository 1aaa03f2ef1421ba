(* Quantum tic-tac-toe (Allan Goff, 2006), the rules: all that has to be read to know what is proved. *)

From Coq Require Import ZArith List Bool.
From Foregone Require Import Game.
Import ListNotations.
Open Scope nat_scope.

(* A move marks two squares, of 0 to 8; in the end each mark is on one of them. *)
Inductive mark := Spooky (a b : nat) | Classical (square : nat).

(* The marks of the moves, from the first on, X's and O's in turn; whether the last pair closed a cycle, so that the
   player to move has to say where its mark is. *)
Record superposition := { marks : list mark; collapsing : bool }.

Definition start : superposition := {| marks := []; collapsing := false |}.
Definition first_moves (s : superposition) : bool := Nat.even (length (marks s)).

Definition is_in (square : nat) (l : list nat) : bool := existsb (Nat.eqb square) l.
Definition taken (l : list mark) : list nat :=
  flat_map (fun m => match m with Classical square => [square] | Spooky _ _ => [] end) l.

(* Some squares, and those that a pair joins to them. *)
Definition spread (l : list mark) (from : list nat) : list nat :=
  fold_left (fun from m =>
    match m with
    | Spooky a b =>
      match is_in a from, is_in b from with
      | true, false => b :: from
      | false, true => a :: from
      | _, _ => from
      end
    | Classical _ => from
    end) l from.
(* Whether pairs lead from some squares to another one, in as many rounds as there are pairs at most. *)
Fixpoint lead (rounds : nat) (l : list mark) (from : list nat) (to : nat) : bool :=
  is_in to from ||
  match rounds with
  | 0 => false
  | S rounds =>
    let wider := spread l from in
    if length wider =? length from then false else lead rounds l wider to
  end.

(* A pair of which one square is taken has its mark on the other one. *)
Definition settle (l : list mark) : list mark :=
  let t := taken l in
  map (fun m =>
    match m with
    | Spooky a b => if is_in a t then Classical b else if is_in b t then Classical a else m
    | Classical _ => m
    end) l.
(* The last mark is on this square, and so all marks that depend on it are where they can be. *)
Definition collapsed (l : list mark) (square : nat) : superposition :=
  {| marks := Nat.iter (length l) settle (removelast l ++ [Classical square]); collapsing := false |}.

Definition rows : list (list nat) :=
  [[0;1;2]; [3;4;5]; [6;7;8]; [0;3;6]; [1;4;7]; [2;5;8]; [0;4;8]; [2;4;6]].

(* The number of the move that completes a player's first row. *)
Fixpoint first_row (n : nat) (mine : bool) (held : list nat) (l : list mark) : option nat :=
  match l with
  | [] => None
  | Classical square :: l =>
    let held := if mine then square :: held else held in
    if mine && existsb (forallb (fun square => is_in square held)) rows then Some n
    else first_row (S n) (negb mine) held l
  | Spooky _ _ :: l => first_row (S n) (negb mine) held l
  end.

(* In half-points, for the first player: a row alone is a point. If both have one, the row that was complete first is a
   point, and the other one half a point. *)
Definition result (l : list mark) : option Z :=
  match first_row 0 true [] l, first_row 0 false [] l with
  | Some a, Some b => if a <? b then Some 1%Z else Some (-1)%Z
  | Some _, None => Some 2%Z
  | None, Some _ => Some (-2)%Z
  | None, None => if 9 <=? length (taken l) then Some 0%Z else None
  end.

Definition free (l : list mark) : list nat :=
  let t := taken l in filter (fun square => negb (is_in square t)) (seq 0 9).

(* "true": the same player goes on, who has said where a mark is. *)
Definition quantum_tic_tac_toe : Game := {|
  State := superposition;
  over s := option_map (fun v => if first_moves s then v else (- v)%Z) (result (marks s));
  moves s :=
    match collapsing s, last (marks s) (Classical 0) with
    | true, Spooky a b => [(true, collapsed (marks s) a); (true, collapsed (marks s) b)]
    | _, _ =>
      match free (marks s) with
      | [square] => [(false, {| marks := marks s ++ [Classical square]; collapsing := false |})]
      | free =>
        flat_map (fun a =>
          map (fun b => (false, {| marks := marks s ++ [Spooky a b]; collapsing := lead (length (marks s)) (marks s) [a] b |}))
            (filter (Nat.ltb a) free)) free
      end
    end
|}.
