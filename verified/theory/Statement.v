(* What the program says: that a side gets at least so much after some moves from a start. `proves` is what it runs;
   `proves_sound` is why it is right. *)

From Coq Require Import ZArith NArith List Bool.
From Foregone Require Import Game Plays.
From Verified Require Import Check.
Import ListNotations.

Section Statement.
  Variable G : Game.
  Variable pays : State G -> Z.
  Variable move : State G -> nat -> option (bool * State G).
  Hypothesis move_is : forall s n, move s n = numbered G s n.

  (* The position after moves with these numbers, in the order of the rules, and whether the first player is to move
     there; `first` says so of the position that they begin from. *)
  Fixpoint after (numbers : list nat) (first : bool) (s : State G) : option (bool * State G) :=
    match numbers with
    | [] => Some (first, s)
    | n :: numbers =>
      match over s, nth_error (moves s) n with
      | None, Some (again, t) => after numbers (if again then first else negb first) t
      | _, _ => None
      end
    end.

  (* A player gets at least c after these moves. *)
  Definition gets_after (numbers : list nat) (first : bool) (s : State G) (player : bool) (c : Z) : Prop :=
    exists f t, after numbers first s = Some (f, t) /\ gets pays c (Bool.eqb f player, t).

  Definition proves (numbers : list nat) (first : bool) (s : State G) (player : bool) (c : Z)
      (book : Book (State G) entry) (most : N) (fuel : nat) : bool :=
    match after numbers first s with
    | Some (f, t) => check G pays move book c most fuel (Bool.eqb f player) t
    | None => false
    end.

  Theorem proves_sound : forall numbers first s player c book most fuel,
    proves numbers first s player c book most fuel = true -> gets_after numbers first s player c.
  Proof.
    intros numbers first s player c book most fuel H. unfold proves in H.
    destruct (after numbers first s) as [[f t]|] eqn:A; [|discriminate].
    exists f, t. split; trivial. exact (check_sound _ _ _ move_is _ _ _ _ _ _ H).
  Qed.
End Statement.
