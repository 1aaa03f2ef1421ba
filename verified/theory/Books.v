(* Two books: a search tree, for any keys that can be compared, and a trie of two numbers. That the
   tree is in order is not asked: an entry that is not found is missing, no more. *)

From Coq Require Import ZArith Lia List Bool.
From Verified Require Import Check.
Import ListNotations.

Section Tree.
  Variables K E : Type.
  Variable cmp : K -> K -> comparison.
  Hypothesis cmp_eq : forall a b, cmp a b = Eq -> a = b.

  Inductive tree := Leaf | Node (l : tree) (k : K) (e : E) (r : tree).

  Fixpoint tree_find (t : tree) (k : K) : option E :=
    match t with
    | Leaf => None
    | Node l x e r => match cmp k x with Eq => Some e | Lt => tree_find l k | Gt => tree_find r k end
    end.

  Fixpoint tree_every (t : tree) (f : K -> E -> bool) : bool :=
    match t with
    | Leaf => true
    | Node l k e r => f k e && tree_every l f && tree_every r f
    end.

  Definition tree_book (t : tree) : Book K E.
  Proof.
    refine {| find := tree_find t; every := tree_every t |}.
    intros f. induction t as [|l IHl x e r IHr]; simpl; intros A k e' F; [discriminate|].
    apply andb_prop in A as [A R]. apply andb_prop in A as [A L].
    destruct (cmp k x) eqn:C; auto. injection F as <-. now rewrite (cmp_eq _ _ C).
  Defined.

  Fixpoint insert (t : tree) (k : K) (e : E) : tree :=
    match t with
    | Leaf => Node Leaf k e Leaf
    | Node l x f r =>
      match cmp k x with
      | Eq => t
      | Lt => Node (insert l k e) x f r
      | Gt => Node l x f (insert r k e)
      end
    end.
End Tree.
Arguments Leaf {K E}.
Arguments Node {K E} _ _ _ _.
Arguments tree_book {K E} _ _ _.
Arguments tree_find {K E} _ _ _.
Arguments insert {K E} _ _ _ _.

(* Orders of several parts, and of lists. No function: that would have both parts before it looks at the first. *)
Notation or_else c d := (match c with Eq => d | Lt => Lt | Gt => Gt end).
Lemma or_else_eq : forall c d : comparison, or_else c d = Eq -> c = Eq /\ d = Eq.
Proof. intros [] d H; easy. Qed.

Fixpoint by_all {A} (compare : A -> A -> comparison) (a b : list A) : comparison :=
  match a, b with
  | [], [] => Eq
  | [], _ => Lt
  | _, [] => Gt
  | x :: a, y :: b => or_else (compare x y) (by_all compare a b)
  end.
Lemma by_all_eq : forall A (compare : A -> A -> comparison), (forall a b, compare a b = Eq -> a = b) ->
  forall a b, by_all compare a b = Eq -> a = b.
Proof.
  intros A compare same. induction a as [|x a IH]; intros [|y b] H; try discriminate; trivial.
  apply or_else_eq in H as [E H]. now rewrite (same _ _ E), (IH _ H).
Qed.

(* A trie by the binary digits of a number. *)
Inductive trie (A : Type) := Empty | Fork (l : trie A) (here : option A) (r : trie A).
Arguments Empty {A}.
Arguments Fork {A} _ _ _.

Section Trie.
  Variable A : Type.
  Open Scope positive_scope.
  Fixpoint get (t : trie A) (k : positive) : option A :=
    match t with
    | Empty => None
    | Fork l h r => match k with xH => h | xO k => get l k | xI k => get r k end
    end.
  Fixpoint put (t : trie A) (k : positive) (a : A) : trie A :=
    match t, k with
    | Empty, xH => Fork Empty (Some a) Empty
    | Empty, xO k => Fork (put Empty k a) None Empty
    | Empty, xI k => Fork Empty None (put Empty k a)
    | Fork l h r, xH => Fork l (Some a) r
    | Fork l h r, xO k => Fork (put l k a) h r
    | Fork l h r, xI k => Fork l h (put r k a)
    end.
  (* `key` makes the number of the digits that led here. *)
  Fixpoint all (t : trie A) (key : positive -> positive) (f : positive -> A -> bool) : bool :=
    match t with
    | Empty => true
    | Fork l h r => match h with Some a => f (key xH) a | None => true end
                    && all l (fun k => key (xO k)) f && all r (fun k => key (xI k)) f
    end.
  Lemma all_get : forall t key f, all t key f = true -> forall k a, get t k = Some a ->
    f (key k) a = true.
  Proof.
    induction t as [|l IHl h r IHr]; intros key f H k a G; [discriminate|]. simpl in H.
    apply andb_prop in H as [H R]. apply andb_prop in H as [H L]. destruct k as [k|k|]; simpl in G.
    - exact (IHr _ f R k a G).
    - exact (IHl _ f L k a G).
    - subst h. exact H.
  Qed.
End Trie.
Arguments get {A} _ _.
Arguments put {A} _ _ _.
Arguments all {A} _ _ _.

Definition trie2 := trie (trie entry).
Definition find2 (t : trie2) (k : N * N) : option entry :=
  match get t (N.succ_pos (fst k)) with
  | Some u => get u (N.succ_pos (snd k))
  | None => None
  end.
Definition every2 (t : trie2) (f : N * N -> entry -> bool) : bool :=
  all t (fun k => k) (fun a u => all u (fun k => k) (fun b e => f (Pos.pred_N a, Pos.pred_N b) e)).
Definition put2 (t : trie2) (k : N * N) (e : entry) : trie2 :=
  let a := N.succ_pos (fst k) in
  put t a (put (match get t a with Some u => u | None => Empty end) (N.succ_pos (snd k)) e).

Definition trie_book (t : trie2) : Book (N * N) entry.
Proof.
  refine {| find := find2 t; every := every2 t |}.
  intros f H [a b] e F. unfold find2 in F. simpl in F.
  destruct (get t (N.succ_pos a)) as [u|] eqn:G; [|discriminate].
  pose proof (all_get _ _ _ _ H _ _ G) as U. simpl in U. pose proof (all_get _ _ _ _ U _ _ F) as V.
  simpl in V. now rewrite !N.pos_pred_succ in V.
Defined.

(* An order of positions by any number, where equality can be decided: nothing to prove of a game. *)
Section Coded.
  Variable K : Type.
  Variable code : K -> N.
  Variable same : forall a b : K, {a = b} + {a <> b}.
  Definition coded (a b : K) : comparison :=
    match N.compare (code a) (code b) with Eq => if same a b then Eq else Gt | c => c end.
  Lemma coded_eq : forall a b, coded a b = Eq -> a = b.
  Proof.
    intros a b. unfold coded. destruct (code a ?= code b)%N; [|discriminate..].
    now destruct (same a b).
  Qed.
End Coded.
Arguments coded {K} _ _ _ _.
Arguments coded_eq {K} _ _ _ _ _.
