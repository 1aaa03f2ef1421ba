(* Positions that are alike: what the rules of a game promise, and no checker sees in full.

   A table has one entry for all positions with the same key. The key is that of a representative
   (rules/src/promise/symmetry.rs, Symmetry: reversed and turned boards, exchanged sides) or a dense number
   (Indexed: a layer and a number there). What a player has banked is no part of it. From a key the
   checker takes a position, the picked one, and derives the entry from the moves of that.

   Trusted: a position is like the one that is picked by its key. That is: they are over together,
   with the same result for the mover, but for what the mover has banked; and their moves lead to
   the same keys, with the same side to move after them, and gain the same. Order and number of the
   moves do not matter. "The same side" is told before a position is replaced by the one like it,
   where the sides may be exchanged. Games are held to that promise by tests (rules/src/conform/);
   the check that trusts none of it is in Plain.v. *)

From Coq Require Import ZArith Lia List Bool.
From Foregone Require Import Game.
Import ListNotations.
Open Scope Z_scope.

Section Alike.
  Variable G : Game.
  Variable Key : Type.
  Variable key : State G -> Key.
  (* What the mover has banked (Reduced::offset, Indexed::banked). *)
  Variable banked : State G -> Z.

  (* What the mover gains by a move. *)
  Definition gain (s : State G) (m : bool * State G) : Z :=
    signed (fst m) (banked (snd m)) - banked s.

  (* What a checker sees of a move. *)
  Definition seen (s : State G) (m : bool * State G) : bool * Key * Z :=
    (fst m, key (snd m), gain s m).

  Record alike (s r : State G) : Prop := {
    nothing_banked : banked r = 0;
    same_result : over s = option_map (Z.add (banked s)) (over r);
    same_moves : over s = None ->
      forall x, In x (map (seen s) (moves s)) <-> In x (map (seen r) (moves r))
  }.

  Lemma over_alike : forall s r v, alike s r -> over r = Some v -> over s = Some (banked s + v).
  Proof. intros s r v A E. rewrite (same_result _ _ A), E. reflexivity. Qed.

  Lemma alike_over : forall s r v, alike s r -> over s = Some v -> over r = Some (v - banked s).
  Proof.
    intros s r v A E. rewrite (same_result _ _ A) in E. destruct (over r) as [u|]; [|discriminate].
    simpl in E. injection E as <-. f_equal. lia.
  Qed.

  Lemma going_alike : forall s r, alike s r -> (over s = None <-> over r = None).
  Proof. intros s r A. rewrite (same_result _ _ A). destruct (over r); split; simpl; congruence.
  Qed.

  (* A move of the one for each move of the other. *)
  Lemma move_alike : forall s r a t, alike s r -> over s = None -> In (a, t) (moves s) ->
    exists u, In (a, u) (moves r) /\ key u = key t /\ gain r (a, u) = gain s (a, t).
  Proof.
    intros s r a t A O I. apply in_map with (f := seen s) in I. apply (same_moves _ _ A O) in I.
    apply in_map_iff in I as ([b u] & E & I). unfold seen in E. simpl in E. injection E as -> Ek Eg.
    eauto.
  Qed.

  Lemma alike_move : forall s r a u, alike s r -> over s = None -> In (a, u) (moves r) ->
    exists t, In (a, t) (moves s) /\ key t = key u /\ gain s (a, t) = gain r (a, u).
  Proof.
    intros s r a u A O I. apply in_map with (f := seen r) in I. apply (same_moves _ _ A O) in I.
    apply in_map_iff in I as ([b t] & E & I). unfold seen in E. simpl in E. injection E as -> Ek Eg.
    eauto.
  Qed.
End Alike.

Arguments gain {G} _ _ _.
Arguments seen {G Key} _ _ _ _.
Arguments alike {G Key} _ _ _ _.

Print Assumptions move_alike.
Print Assumptions alike_move.
