(* Positions and their images: how a checker sees that positions with one key are alike, whatever found the
   symmetry.

   Checked at each representative that is visited, and for each of its images under the symmetries that the
   game lists: the key of the image gives the representative; both are over together, with the same result;
   play without end is worth the same; and their moves lead to images of the same representatives, with the
   same side to move after them.

   Why: so an image and its representative are alike (Alike.v). And what a move of an image leads to is an image
   of a representative that is visited, too; so play from the start never leaves the images. What Merging.v and
   Proofs.v trust is a check then.

   Games from text bank nothing, and of these the checker looks at all images without being asked. *)

From Coq Require Import ZArith Lia List Bool.
From Foregone Require Import Game Plays Alike Distances Progress Merging Proofs.
Import ListNotations.
Open Scope Z_scope.

Section Images.
  Variable G : Game.
  Variable Key : Type.
  Variable key : State G -> Key.
  (* The position that is visited for a key; None for other keys. *)
  Variable picked : Key -> option (State G).
  Variable pays : State G -> Z.
  (* The images of a representative. *)
  Variable images : State G -> list (State G).

  Definition visited (r : State G) : Prop := exists k, picked k = Some r.

  (* checked by: check/src/images.rs, are_alike *)
  Hypothesis checked_itself : forall r, visited r -> In r (images r).
  (* checked by: check/src/images.rs, are_alike *)
  Hypothesis checked_key : forall r s, visited r -> In s (images r) -> picked (key s) = Some r.
  (* checked by: check/src/images.rs, are_alike *)
  Hypothesis checked_result : forall r s, visited r -> In s (images r) -> over s = over r.
  (* checked by: check/src/images.rs, are_alike *)
  Hypothesis checked_pays : forall r s, visited r -> In s (images r) -> pays s = pays r.
  (* checked by: check/src/images.rs, are_alike *)
  Hypothesis checked_moves : forall r s, visited r -> In s (images r) -> over s = None ->
    forall x, In x (map (seen key nothing s) (moves s)) <-> In x (map (seen key nothing r) (moves r)).

  Theorem images_are_alike : forall r s, visited r -> In s (images r) -> alike key nothing s r.
  Proof.
    intros r s V I. split; [reflexivity| |exact (checked_moves r s V I)].
    rewrite (checked_result r s V I). unfold nothing. now destruct (over r).
  Qed.

  (* A walk that visits all that can arise: a table. *)
  Section Tables.
    (* checked by: check/src/images.rs, are_alike *)
    Hypothesis checked_reached : forall r s a t, visited r -> In s (images r) -> over s = None ->
      In (a, t) (moves s) -> exists q, visited q /\ In t (images q).

    Definition position (s : State G) : Prop := exists r, visited r /\ In s (images r).

    Lemma positions : forall s a t, position s -> over s = None -> In (a, t) (moves s) -> position t.
    Proof. intros s a t (r & V & I) O M. exact (checked_reached r s a t V I O M). Qed.

    Lemma position_picked : forall k r, picked k = Some r -> position r.
    Proof. intros k r P. assert (V : visited r) by now exists k. exists r. auto. Qed.

    Lemma position_of : forall s r, position s -> picked (key s) = Some r -> visited r /\ In s (images r).
    Proof.
      intros s r (q & V & I) P. rewrite (checked_key q s V I) in P. injection P as <-. auto.
    Qed.

    Lemma position_alike : forall s r, position s -> picked (key s) = Some r -> alike key nothing s r.
    Proof. intros s r I P. destruct (position_of s r I P). now apply images_are_alike. Qed.

    Lemma position_pays : forall s r, position s -> picked (key s) = Some r -> pays s = pays r.
    Proof. intros s r I P. destruct (position_of s r I P). now apply checked_pays. Qed.

    (* So the theorems of Merging.v hold of the file, and nothing is trusted: this one, and the others alike. *)
    Theorem distances_by_images_are_true : forall (entry : Key -> option Worth) limit longest,
      (forall k w, entry k = Some w ->
        exists r, picked k = Some r /\ derived G Key key pays entry r = Some w) ->
      (forall k w r a u, entry k = Some w -> picked k = Some r -> over r = None ->
        In (a, u) (moves r) -> signed a (pays u) = pays r) ->
      (forall k v d, entry k = Some (Ends v d) -> Z.abs v <= limit /\ Z.of_nat d <= longest) ->
      forall s w, position s -> entry (key s) = Some w ->
        has_value pays s (value (pays s) w) /\
        (forall n, (limit + Z.abs (pays s)) * (longest + 1) + longest <= Z.of_nat n ->
          truth pays n s = w).
    Proof.
      intros entry limit longest H E F s w I W.
      exact (merged_distances_are_true G Key key picked position positions position_alike pays
        position_pays position_picked entry H E limit longest F s w I W).
    Qed.

    Theorem values_by_images_are_true : forall (entry : Key -> option Z) layer progress keep bound,
      (forall a b, a <= b -> keep a <= keep b) -> (forall a, keep (- a) = - keep a) ->
      (forall k v, entry k = Some v ->
        exists r, picked k = Some r /\ derived_value G Key key entry keep r = Some v) ->
      (forall k v r a t, entry k = Some v -> picked k = Some r -> over r = None ->
        In (a, t) (moves r) ->
        (layer (key t) < layer k \/ layer (key t) = layer k /\ progress k < progress (key t))%nat) ->
      (forall k v, entry k = Some v -> (progress k < bound)%nat) ->
      forall s v, position s -> entry (key s) = Some v ->
        exists u, has_value pays s u /\ v = keep u.
    Proof.
      intros entry layer progress keep bound K1 K2 H P B s v I W.
      exact (proj1 (merged_values_are_true G Key key picked position positions position_alike pays
        entry layer progress keep K1 K2 H P bound B s v I W)).
    Qed.
  End Tables.

  (* A walk that follows some moves alone: a proof. What the other moves of its side lead to is an image of what
     has its key, if that is visited by another way. *)
  Section Proofs.
    (* checked by: check/src/images.rs, are_alike *)
    Hypothesis checked_reached : forall r s a t q, visited r -> In s (images r) -> over s = None ->
      In (a, t) (moves s) -> picked (key t) = Some q -> In t (images q).

    Definition place (s : State G) : Prop := forall r, picked (key s) = Some r -> In s (images r).

    Lemma places : forall s r a t, place s -> picked (key s) = Some r -> over s = None ->
      In (a, t) (moves s) -> place t.
    Proof.
      intros s r a t I P O M q Q. apply (checked_reached r s a t q); trivial; [|now apply I].
      now exists (key s).
    Qed.

    Lemma place_alike : forall s r, place s -> picked (key s) = Some r -> alike key nothing s r.
    Proof. intros s r I P. apply images_are_alike; [now exists (key s)|now apply I]. Qed.

    Lemma place_pays : forall s r, place s -> picked (key s) = Some r -> pays s = 0 + pays r.
    Proof. intros s r I P. apply checked_pays; [now exists (key s)|now apply I]. Qed.
  End Proofs.
End Images.

Print Assumptions distances_by_images_are_true.
Print Assumptions values_by_images_are_true.
Print Assumptions place_alike.
