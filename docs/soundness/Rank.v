(* Tables of kind score+rank, for games that may loop and may bank points.

   Claimed: every entry V is the value of its position, less what the mover has banked by then: each
   side has a strategy that gets it its part. What play without end is worth, less what the mover has
   banked, is D: mostly 0, where it pays each side what it has banked.

   Checked at every position: where the game is over, V is the result; no move is worth more than V,
   and some move is worth V; layers never rise, and a move that gains or costs something lowers the
   layer; where V > D, some move worth V lowers the layer or goes to a smaller rank in the same one;
   where V < D, every move worth V that stays in the layer goes to a smaller rank.

   Why: a side makes, at its turns, the move that is named above. What it is sure of (banked, and V
   as it sees it) never falls then, neither by its own move nor by the other's. While V is more than
   D for it, each ply of either side lowers the layer, or raises V in the same layer (the other side
   has erred), or leaves V and lowers the rank. That cannot go on for ever, as values are bounded.
   So play ends, which pays what was promised, or comes to a V of at most D, where going on for ever
   is enough. Both sides can do this, so V is the value (Plays.v, one_value).

   Trusted: that play without end is worth the same along every loop. In the second part also: that
   positions are alike (Alike.v), and that what is banked counts in play without end. (Of a game that
   cannot loop nobody has to know what that is worth; it may be taken to be what is banked.) *)

From Coq Require Import ZArith Lia List Bool.
From Foregone Require Import Game Plays Alike.
Import ListNotations.
Open Scope Z_scope.

(* Of positions as they are. *)
Section Rank.
  Variable G : Game.
  Variable banked : State G -> Z.
  (* What play without end is worth at a position (rules/src/game.rs, Game::endless). *)
  Variable pays : State G -> Z.
  (* The positions that are checked. *)
  Variable P : State G -> Prop.
  Variable V : State G -> Z.
  Variable rank layer : State G -> nat.

  (* What play without end is worth, for the mover and beyond what is banked. *)
  Definition beyond (s : State G) : Z := pays s - banked s.

  (* What a move is worth, for the mover and beyond what is banked. *)
  Definition move_worth (s : State G) (m : bool * State G) : Z :=
    gain banked s m + signed (fst m) (V (snd m)).

  (* All that follow a checked position are checked. *)
  (* checked by: check/src/equation.rs, follows_with_rank *)
  Hypothesis checked_closed : forall s a t, P s -> over s = None -> In (a, t) (moves s) -> P t.
  (* Where the game is over, the entry is the result without what is banked. *)
  (* checked by: check/src/equation.rs, check *)
  Hypothesis checked_over : forall s v, P s -> over s = Some v -> v = banked s + V s.
  (* No move is worth more. *)
  (* checked by: check/src/equation.rs, follows_with_rank *)
  Hypothesis checked_most : forall s m, P s -> over s = None -> In m (moves s) ->
    move_worth s m <= V s.
  (* Some move is worth V; where V > D, one that lowers the layer, or the rank in the same layer. *)
  (* checked by: check/src/equation.rs, follows_with_rank *)
  Hypothesis checked_best : forall s, P s -> over s = None ->
    exists m, In m (moves s) /\ move_worth s m = V s /\
      (beyond s < V s ->
       (layer (snd m) < layer s \/ layer (snd m) = layer s /\ rank (snd m) < rank s)%nat).
  (* Where V < D, every move worth V that stays in the layer lowers the rank. *)
  (* checked by: check/src/equation.rs, follows_with_rank *)
  Hypothesis checked_delay : forall s m, P s -> over s = None -> In m (moves s) ->
    V s < beyond s -> move_worth s m = V s -> layer (snd m) = layer s -> (rank (snd m) < rank s)%nat.
  (* Layers never rise. *)
  (* checked by: check/src/equation.rs, follows_with_rank *)
  Hypothesis checked_layers : forall s m, P s -> over s = None -> In m (moves s) ->
    (layer (snd m) <= layer s)%nat.
  (* A gain lowers the layer. *)
  (* checked by: check/src/equation.rs, follows_with_rank *)
  Hypothesis checked_gains : forall s m, P s -> over s = None -> In m (moves s) ->
    gain banked s m <> 0 -> (layer (snd m) < layer s)%nat.
  (* Values are bounded, as the file is finite. *)
  (* checked by: record/src/format/manifest.rs, check_layers *)
  Variable limit : Z.
  Hypothesis checked_finite : forall s, P s -> - limit <= V s <= limit.

  (* What a side does to hold V: at its turns it makes a move worth V; where V > D, one that makes
     progress. *)
  Definition holding : Strategy G := fun s m =>
    move_worth s m = V s /\
    (beyond s < V s ->
     (layer (snd m) < layer s \/ layer (snd m) = layer s /\ rank (snd m) < rank s)%nat).

  (* The side is sure of at least c. *)
  Definition sure (c : Z) (x : Place G) : Prop :=
    P (snd x) /\ c <= signed (fst x) (banked (snd x) + V (snd x)).

  Lemma sure_still : forall c x y, step holding x y -> sure c x -> sure c y.
  Proof.
    intros c x y S [I L]. destruct S as [mine s a t O M D]. unfold sure in *. simpl fst in *.
    simpl snd in *.
    split; [eauto|]. destruct mine.
    - destruct (D eq_refl) as [E _]. unfold move_worth, gain in E. destruct a; simpl in *; lia.
    - pose proof (checked_most s (a, t) I O M) as E. unfold move_worth, gain in E.
      destruct a; simpl in *; lia.
  Qed.

  Lemma sure_along : forall c x n y, path holding x n y -> sure c x -> sure c y.
  Proof. intros c x n y Q. induction Q; eauto using sure_still. Qed.

  Definition view (x : Place G) : Z := signed (fst x) (V (snd x)).

  (* The same of play without end. *)
  Definition going_on (x : Place G) : Z := signed (fst x) (beyond (snd x)).

  (* Each ply makes progress while the side wants more than it has. *)
  Lemma progress_made : forall x y, step holding x y -> P (snd x) -> going_on x < view x ->
    (layer (snd y) < layer (snd x))%nat \/
    layer (snd y) = layer (snd x) /\
    (view x < view y \/ view y = view x /\ (rank (snd y) < rank (snd x))%nat).
  Proof.
    intros x y S I L. destruct S as [mine s a t O M D]. unfold view, going_on in *. simpl fst in *.
    simpl snd in *.
    pose proof (checked_layers s (a, t) I O M) as Ly. simpl in Ly.
    destruct (Nat.eq_dec (layer t) (layer s)) as [El|Nl]; [|left; lia]. right. split; [exact El|].
    assert (Zg : gain banked s (a, t) = 0).
    { destruct (Z.eq_dec (gain banked s (a, t)) 0) as [Zg|Ng]; trivial.
      pose proof (checked_gains s (a, t) I O M Ng) as Lg. simpl in Lg. lia. }
    rewrite signed_turn. destruct mine.
    - right. destruct (D eq_refl) as [E F]. unfold move_worth in E. rewrite Zg in E. simpl in *.
      destruct (F L) as [F'|[_ F']]; lia.
    - pose proof (checked_most s (a, t) I O M) as E. unfold move_worth in E. rewrite Zg in E.
      destruct (Z.eq_dec (signed a (V t)) (V s)) as [Ev|Nv].
      + right. split; [simpl in *; lia|]. apply (checked_delay s (a, t)); auto; [simpl in L; lia|].
        unfold move_worth. rewrite Zg. exact Ev.
      + left. simpl in *. lia.
  Qed.

  Lemma holder_comes : forall c x, sure c x -> comes G pays holding c x.
  Proof.
    intros c x B. remember (layer (snd x)) as l eqn:El.
    remember (Z.to_nat (limit - view x)) as v eqn:Ev.
    remember (rank (snd x)) as r eqn:Er. revert l v r x B El Ev Er.
    refine (falling (fun l v r => forall x, sure c x -> l = layer (snd x) ->
      v = Z.to_nat (limit - view x) ->
      r = rank (snd x) -> comes G pays holding c x) _).
    intros l v r IH x B -> -> ->. destruct (Z_lt_le_dec (going_on x) (view x)) as [L|L].
    - apply comes_later. intros y S. pose proof (sure_still _ _ _ S B) as B'.
      eapply (IH _ _ _); [|exact B'|reflexivity..].
      destruct B as [I _], B' as [I' _]. pose proof (checked_finite _ I') as F.
      assert (Vy : view y <= limit) by (unfold view; destruct (fst y); simpl; lia).
      destruct (progress_made _ _ S I L) as [H|[E [H|[Ew H]]]]; [now left|right|right].
      + split; [exact E|]. left. lia.
      + split; [exact E|]. right. rewrite Ew. auto.
    - apply comes_now. right. destruct B as [_ B]. unfold has, view, going_on, beyond in *.
      destruct (fst x); simpl in *; lia.
  Qed.

  Theorem holding_secures : forall mine s, P s ->
    secures pays holding (signed mine (banked s + V s)) (mine, s).
  Proof.
    intros mine s I. set (c := signed mine (banked s + V s)).
    assert (B : sure c (mine, s)) by (split; [exact I|simpl; unfold c; lia]). split.
    - intros n t Q O. destruct (sure_along _ _ _ _ Q B) as [It _].
      destruct (checked_best t It O) as (m & M & E & F).
      exists m. split; [exact M|]. now split.
    - intros n t Q O N. destruct (sure_along _ _ _ _ Q B) as [It _].
      destruct (checked_best t It O) as (m & M & _). simpl in M. now rewrite N in M.
    - intros n m t v Q O. destruct (sure_along _ _ _ _ Q B) as [It L]. simpl in L.
      now rewrite (checked_over _ _ It O).
    - intros n y Q. apply holder_comes. eapply sure_along; eauto.
  Qed.

  Theorem rank_is_true : forall s, P s -> has_value pays s (banked s + V s).
  Proof. intros s I. split; exists holding;
    [now apply (holding_secures true)|now apply (holding_secures false)]. Qed.

  (* Play without end is worth the same along every loop. So positions that lead to each other can be
     numbered, in such a way that play never comes to a larger number, and that it is worth the same as
     long as the number stays. *)
  Variable loop : State G -> nat.
  Hypothesis trusted_order : forall s a t, P s -> over s = None -> In (a, t) (moves s) ->
    (loop t <= loop s)%nat.
  Hypothesis trusted_loops : forall s a t, P s -> over s = None -> In (a, t) (moves s) ->
    signed a (pays t) <> pays s -> (loop t < loop s)%nat.

  (* Stated of plays: play without end comes to a place from which on what it is worth stays, and that
     is at least what was promised. (Not not: see Plays.v, pay_comes_to_rest.) *)
  Corollary endless_play_pays : forall mine s f, P s -> endless holding (mine, s) f ->
    ~ ~ exists N, (forall n, (N <= n)%nat -> has pays (f n) = has pays (f N)) /\
                  signed mine (banked s + V s) <= has pays (f N).
  Proof.
    intros mine s f I F No.
    apply (pay_comes_to_rest G pays P loop checked_closed trusted_order trusted_loops holding (mine,
      s) f F I).
    intros [N R]. apply No. exists N. split; [exact R|].
    eapply endless_pays_at_last; eauto using holding_secures.
  Qed.

  (* Where play without end pays less than is promised, wherever it goes on, play ends. *)
  Corollary wins_come_to_an_end : forall mine s, P s -> forall f,
    (forall n, has pays (f n) < signed mine (banked s + V s)) -> ~ endless holding (mine, s) f.
  Proof.
    intros mine s I f L. apply (wins_end G pays holding (signed mine (banked s + V s)));
      auto using holding_secures.
  Qed.

  (* The value is the most that the mover gets, and there is no other. *)
  Theorem rank_is_most : forall s c, P s -> (gets pays c (true, s) <-> c <= banked s + V s).
  Proof.
    intros s c I.
    apply (value_is_most G pays P loop checked_closed trusted_order trusted_loops);
      auto using rank_is_true.
  Qed.
End Rank.

(* Of the positions that are like those that were checked. *)
Section Entries.
  Variable G : Game.
  Variable Key : Type.
  Variable key : State G -> Key.
  Variable banked : State G -> Z.
  (* What a checker takes for a key; None for a key of no position. *)
  Variable picked : Key -> option (State G).
  Variable layer : Key -> nat.
  (* The entries: value and rank. *)
  Variable entry : Key -> option (Z * nat).

  (* The positions that the rules are made for; play does not leave them. *)
  Variable position : State G -> Prop.
  Hypothesis trusted_positions : forall s a t, position s -> over s = None -> In (a, t) (moves s) ->
    position t.
  Hypothesis trusted_alike : forall s r, position s -> picked (key s) = Some r ->
    alike key banked s r.
  (* What is banked counts in play without end. *)
  Variable pays : State G -> Z.
  Hypothesis trusted_endless : forall s r, position s -> picked (key s) = Some r ->
    pays s = banked s + pays r.

  Definition value_of (k : Key) : Z := match entry k with Some (v, _) => v | None => 0 end.
  Definition rank_of (k : Key) : nat := match entry k with Some (_, n) => n | None => 0%nat end.

  (* What a move of the picked position is worth, for the mover and with nothing banked. *)
  Definition worth_of (r : State G) (m : bool * State G) : Z :=
    gain banked r m + signed (fst m) (value_of (key (snd m))).

  (* A position with an entry, as it was picked. *)
  Definition entered (k : Key) (r : State G) : Prop := entry k <> None /\ picked k = Some r.

  (* Each entry is that of a position. *)
  (* checked by: check/src/dense.rs, part *)
  Hypothesis checked_position : forall k, entry k <> None -> exists r, picked k = Some r.
  (* No move leads out of the table. *)
  (* checked by: check/src/equation.rs, follows_with_rank *)
  Hypothesis checked_closed : forall k r m, entered k r -> over r = None -> In m (moves r) ->
    entry (key (snd m)) <> None.
  (* Where the game is over, the value is the result. *)
  (* checked by: check/src/equation.rs, check *)
  Hypothesis checked_over : forall k r v, entered k r -> over r = Some v -> value_of k = v.
  (* No move is worth more. *)
  (* checked by: check/src/equation.rs, follows_with_rank *)
  Hypothesis checked_most : forall k r m, entered k r -> over r = None -> In m (moves r) ->
    worth_of r m <= value_of k.
  (* Some move is worth as much; of more than play without end is worth, one that lowers the layer, or
     the rank in the same layer. *)
  (* checked by: check/src/equation.rs, follows_with_rank *)
  Hypothesis checked_best : forall k r, entered k r -> over r = None ->
    exists m, In m (moves r) /\ worth_of r m = value_of k /\
      (pays r < value_of k -> (layer (key (snd m)) < layer k \/
        layer (key (snd m)) = layer k /\ rank_of (key (snd m)) < rank_of k)%nat).
  (* Of less than that, every move worth as much that stays in the layer lowers the rank. *)
  (* checked by: check/src/equation.rs, follows_with_rank *)
  Hypothesis checked_delay : forall k r m, entered k r -> over r = None -> In m (moves r) ->
    value_of k < pays r -> worth_of r m = value_of k -> layer (key (snd m)) = layer k ->
    (rank_of (key (snd m)) < rank_of k)%nat.
  (* Layers never rise. *)
  (* checked by: check/src/equation.rs, follows_with_rank *)
  Hypothesis checked_layers : forall k r m, entered k r -> over r = None -> In m (moves r) ->
    (layer (key (snd m)) <= layer k)%nat.
  (* A gain lowers the layer. *)
  (* checked by: check/src/equation.rs, follows_with_rank *)
  Hypothesis checked_gains : forall k r m, entered k r -> over r = None -> In m (moves r) ->
    gain banked r m <> 0 -> (layer (key (snd m)) < layer k)%nat.
  (* The file is finite. *)
  (* checked by: record/src/format/manifest.rs, check_layers *)
  Variable limit : Z.
  Hypothesis checked_finite : forall k, entry k <> None -> - limit <= value_of k <= limit.

  Let P (s : State G) : Prop := position s /\ entry (key s) <> None.
  Let V (s : State G) : Z := value_of (key s).
  Let rank (s : State G) : nat := rank_of (key s).

  Lemma entry_of : forall s, P s -> exists r, entered (key s) r /\ alike key banked s r /\
    beyond G banked pays s = pays r.
  Proof.
    intros s [I N]. destruct (checked_position _ N) as [r F]. exists r. split; [now split|].
    split; [auto|]. unfold beyond. rewrite (trusted_endless s r I F). lia.
  Qed.

  (* Moves that look the same are worth the same. *)
  Lemma same_worth : forall s r a t u, key u = key t ->
    gain banked r (a, u) = gain banked s (a, t) ->
    worth_of r (a, u) = move_worth G banked V s (a, t).
  Proof. intros s r a t u Ek Eg. unfold worth_of, move_worth, V. simpl. now rewrite Ek, Eg. Qed.

  (* What is checked of a move of the picked position holds of the like move of any other. *)
  Lemma each_move : forall s a t, P s -> over s = None -> In (a, t) (moves s) ->
    exists r u, entered (key s) r /\ over r = None /\ In (a, u) (moves r) /\ key u = key t /\
      gain banked r (a, u) = gain banked s (a, t) /\
      worth_of r (a, u) = move_worth G banked V s (a, t) /\ beyond G banked pays s = pays r.
  Proof.
    intros s a t I O M. destruct (entry_of _ I) as (r & E & A & B).
    destruct (move_alike _ _ _ _ _ _ _ _ A O M) as (u & M' & Ek & Eg). exists r, u.
    split; [exact E|]. split; [exact (proj1 (going_alike _ _ _ _ _ _ A) O)|].
    repeat (split; [assumption|]). split; [now apply same_worth|exact B].
  Qed.

  (* Whatever position an entry is taken for: the checks hold of it too. So its value is the entry,
     and what is banked. *)
  Theorem rank_entries_are_true : forall s v n, position s -> entry (key s) = Some (v, n) ->
    has_value pays s (banked s + v).
  Proof.
    intros s v n I E. assert (Ps : P s) by (split; [exact I|congruence]).
    replace v with (V s) by (unfold V, value_of; now rewrite E).
    apply (rank_is_true G banked pays P V rank (fun s => layer (key s))) with (limit := limit); auto;
      clear s v n I E Ps.
    - intros s a t Ps O M. destruct (each_move s a t Ps O M) as (r & u & E & Or & M' & Ek & _).
      destruct Ps as [Is _]. split; [eauto|]. rewrite <- Ek.
      now apply (checked_closed _ _ (a, u) E).
    - intros s v Ps O. destruct (entry_of _ Ps) as (r & E & A & B). unfold V.
      rewrite (checked_over _ _ _ E (alike_over _ _ _ _ _ _ _ A O)). lia.
    - intros s [a t] Ps O M. destruct (each_move s a t Ps O M) as (r & u & E & Or & M' & _ & _ &
      <- & _).
      now apply checked_most.
    - intros s Ps O. destruct (entry_of _ Ps) as (r & E & A & B).
      destruct (checked_best _ _ E (proj1 (going_alike _ _ _ _ _ _ A) O)) as ([a u] & M & W & Pr).
      destruct (alike_move _ _ _ _ _ _ _ _ A O M) as (t & M' & Ek & Eg). exists (a, t).
      split; [exact M'|]. rewrite <- (same_worth s r a t u); auto. unfold rank, V. simpl in *.
      rewrite Ek, B. now split.
    - intros s [a t] Ps O M L. destruct (each_move s a t Ps O M) as (r & u & E & Or & M' & Ek & _ &
      <- & B).
      rewrite B in L. unfold rank, V. simpl. rewrite <- Ek. now apply (checked_delay _ _ (a, u) E).
    - intros s [a t] Ps O M. destruct (each_move s a t Ps O M) as (r & u & E & Or & M' & Ek & _).
      simpl. rewrite <- Ek. now apply (checked_layers _ _ (a, u) E).
    - intros s [a t] Ps O M. destruct (each_move s a t Ps O M) as (r & u & E & Or & M' & Ek & <- &
      _ & _).
      simpl. rewrite <- Ek. now apply (checked_gains _ _ (a, u) E).
    - intros s [_ N]. now apply checked_finite.
  Qed.
End Entries.

Print Assumptions rank_is_true.
Print Assumptions endless_play_pays.
Print Assumptions wins_come_to_an_end.
Print Assumptions rank_is_most.
Print Assumptions rank_entries_are_true.
