---- MODULE Nspk ----
\* The Needham-Schroeder public-key protocol with an intruder, in TLA+. Written by hand after the description at the head
\* of specs/nspk.cafe: the same steps, so the same number of states on every level, which bench/versus_tlc.py checks.
\*
\* A nonce is <<maker, for whom, number>>. A message is <<kind, key, contents ...>>: whose public key it is encrypted with,
\* and what is in it. The network is a bag, a function from messages to how often they were sent.
EXTENDS Naturals, TLC
CONSTANTS Prin, intr, Depth
VARIABLES rand, nw, nonces
vars == <<rand, nw, nonces>>

Sent(kind) == {m \in DOMAIN nw : m[1] = kind}
Send(m) == nw' = IF m \in DOMAIN nw THEN [nw EXCEPT ![m] = @ + 1] ELSE nw @@ (m :> 1)
\* what the intruder can read of a message for the principal `key`
Glean(key, contents) == nonces' = IF key = intr THEN nonces \cup contents ELSE nonces
Draw == rand' = rand + 1

Init == rand = 0 /\ nw = << >> /\ nonces = {}

Send1(p, q) == LET n == <<p, q, rand>>
               IN p # q /\ Send(<<"enc1", q, n, p>>) /\ Glean(q, {n}) /\ Draw
Send2(m) == LET p == m[2]  q == m[4]  n == <<p, q, rand>>
            IN Send(<<"enc2", q, m[3], n>>) /\ Glean(q, {m[3], n}) /\ Draw
\* p opened a run with q by the first nonce of the answer m
Send3(m, o) == /\ m[3] = o[3] /\ m[2] = o[4]
               /\ Send(<<"enc3", o[2], m[4]>>) /\ Glean(o[2], {m[4]}) /\ UNCHANGED rand

Fake1(p, q, n) == p # q /\ Send(<<"enc1", q, n, p>>) /\ UNCHANGED <<rand, nonces>>
Fake2(p, n, k) == n # k /\ Send(<<"enc2", p, n, k>>) /\ UNCHANGED <<rand, nonces>>
Fake3(p, n) == Send(<<"enc3", p, n>>) /\ UNCHANGED <<rand, nonces>>

Next == \/ \E p, q \in Prin : Send1(p, q)
        \/ \E m \in Sent("enc1") : Send2(m)
        \/ \E m \in Sent("enc2"), o \in Sent("enc1") : Send3(m, o)
        \/ \E p, q \in Prin, n \in nonces : Fake1(p, q, n)
        \/ \E p \in Prin, n, k \in nonces : Fake2(p, n, k)
        \/ \E p \in Prin, n \in nonces : Fake3(p, n)

Own(n) == n[1] = intr \/ n[2] = intr
Secrecy == \A n \in nonces : Own(n)
Send2Lemma == \A m \in Sent("enc1") : m[4] = intr => m[3] \in nonces \/ Own(m[3])

Symmetry == Permutations(Prin \ {intr})
\* the first state has level 1: the states of this are R<=Depth
Bounded == TLCGet("level") <= Depth /\ Next
====
