---- MODULE Ikp ----
\* The payment protocol 3KP with an intruder, in TLA+. Written by hand after the description at the head of specs/ikp.cafe:
\* the same steps, so the same number of states on every level, which bench/versus_tlc.py checks.
\*
\* A pseudonym is <<number, buyer>>, what is agreed on <<seller, number, pseudonym>>, a slip <<agreed, number, buyer>>.
\* Signatures: <<seller, agreed>> and <<buyer, slip, agreed>>. Messages have their kind first, then who really sent them,
\* then whom they name. The network is a bag, a function from messages to how often they were sent.
EXTENDS Naturals, TLC
CONSTANTS Buyer, Seller, ib, is, Depth
VARIABLES rand, nw, receipts
vars == <<rand, nw, receipts>>

Im(a, b, p, i) == <<"im", a, b, p, i>>
Vm(o, p, b, c, g) == <<"vm", o, p, b, c, g>>
Pm(a, b, p, l, h) == <<"pm", a, b, p, l, h>>
Qm(o, p, c, l, g, h) == <<"qm", o, p, c, l, g, h>>
Rm(p, c) == <<"rm", p, c>>
Cm(o, p, b, c) == <<"cm", o, p, b, c>>

BySeller(p, c) == <<p, c>>
ByBuyer(b, l, c) == <<b, l, c>>
\* what a buyer pays for, and its slip
Buys(c) == c[3][2]
SlipOf(c) == <<c, c[3][1], c[3][2]>>

Sent(kind) == {m \in DOMAIN nw : m[1] = kind}
IsSent(m) == m \in DOMAIN nw
Send(m) == /\ nw' = IF m \in DOMAIN nw THEN [nw EXCEPT ![m] = @ + 1] ELSE nw @@ (m :> 1)
           /\ UNCHANGED receipts
Draw == rand' = rand + 1
Same == rand' = rand

Init == rand = 0 /\ nw = << >> /\ receipts = {}

Initiate(b, p) == Send(Im(b, b, p, <<rand, b>>)) /\ Draw
Invoice(i) == LET p == i[4]  c == <<p, rand, i[5]>>
              IN Send(Vm(p, p, i[3], c, BySeller(p, c))) /\ Draw
\* the buyer has sent i; the invoice v is an answer to it, by the seller it was sent to
Pay(i, v) == LET b == i[2]  p == i[4]  c == v[5]  l == SlipOf(c)
             IN /\ i[3] = b /\ i[5][2] = b
                /\ v[3] = p /\ v[4] = b /\ c[1] = p /\ c[3] = i[5] /\ v[6] = BySeller(p, c)
                /\ Send(Pm(b, b, p, l, ByBuyer(b, l, c))) /\ Same
\* the seller has sent the invoice v; the payment m is signed for it
Request(v, m) == LET p == v[2]  b == v[4]  c == v[5]
                 IN /\ v[3] = p /\ c[1] = p /\ v[6] = BySeller(p, c)
                    /\ m[3] = b /\ m[4] = p /\ m[6] = ByBuyer(b, m[5], c)
                    /\ Send(Qm(p, p, c, m[5], v[6], m[6])) /\ Same
Authorize(q) == LET p == q[3]  c == q[4]
                IN /\ c[1] = p /\ q[5] = SlipOf(c)
                   /\ q[6] = BySeller(p, c) /\ q[7] = ByBuyer(Buys(c), q[5], c)
                   /\ Send(Rm(p, c)) /\ Same
Confirm(q) == LET p == q[2]  c == q[4]  b == q[7][1]
              IN /\ q[3] = p /\ c[1] = p
                 /\ q[6] = BySeller(p, c) /\ q[7] = ByBuyer(b, q[5], c)
                 /\ IsSent(Rm(p, c)) /\ Send(Cm(p, p, b, c)) /\ Same
\* the buyer has sent the payment m; the response k is about it
Receive(m, k) == LET b == m[2]  p == m[4]  c == m[5][1]
                 IN /\ m[3] = b /\ c[1] = p /\ Buys(c) = b
                    /\ m[5] = SlipOf(c) /\ m[6] = ByBuyer(b, m[5], c)
                    /\ k[3] = p /\ k[4] = b /\ k[5] = c
                    /\ receipts' = receipts \cup {c} /\ UNCHANGED <<rand, nw>>

FakeIm1(b, p) == Send(Im(ib, b, p, <<rand, ib>>)) /\ Draw
FakeIm2(b, p, i) == Send(Im(ib, b, p, i[5])) /\ Same
FakeVm1(b, i) == LET c == <<is, rand, i[5]>>
                 IN Send(Vm(is, is, b, c, BySeller(is, c))) /\ Draw
FakeVm2(b, p, v) == Send(Vm(is, p, b, v[5], v[6])) /\ Same
\* a pseudonym of the intruder's, an invoice of anybody's
FakePm1(b, p, v, i) == LET l == <<v[5], i[5][1], ib>>
                       IN /\ i[5][2] = ib
                          /\ Send(Pm(ib, b, p, l, ByBuyer(ib, l, v[5]))) /\ Same
FakePm2(b, p, m) == Send(Pm(ib, b, p, m[5], m[6])) /\ Same
\* somebody's slip under the intruder's signature
FakePm3(b, p, v, m) == Send(Pm(ib, b, p, m[5], ByBuyer(ib, m[5], v[5]))) /\ Same
FakeQm(p, v, m) == Send(Qm(is, p, v[5], m[5], v[6], m[6])) /\ Same
FakeCm(b, p, r) == Send(Cm(is, p, b, r[3])) /\ Same

Protocol == \/ \E b \in Buyer, p \in Seller : Initiate(b, p)
            \/ \E i \in Sent("im") : Invoice(i) \/ \E v \in Sent("vm") : Pay(i, v)
            \/ \E v \in Sent("vm"), m \in Sent("pm") : Request(v, m)
            \/ \E q \in Sent("qm") : Authorize(q) \/ Confirm(q)
            \/ \E m \in Sent("pm"), k \in Sent("cm") : Receive(m, k)
Intruder == \/ \E b \in Buyer, p \in Seller :
                 \/ FakeIm1(b, p)
                 \/ \E i \in Sent("im") : FakeIm2(b, p, i)
                 \/ \E v \in Sent("vm") : FakeVm2(b, p, v)
                 \/ \E v \in Sent("vm"), i \in Sent("im") : FakePm1(b, p, v, i)
                 \/ \E m \in Sent("pm") : FakePm2(b, p, m) \/ \E v \in Sent("vm") : FakePm3(b, p, v, m)
                 \/ \E r \in Sent("rm") : FakeCm(b, p, r)
            \/ \E b \in Buyer, i \in Sent("im") : FakeVm1(b, i)
            \/ \E p \in Seller, v \in Sent("vm"), m \in Sent("pm") : FakeQm(p, v, m)
Next == Protocol \/ Intruder

Asked(p, c) == LET l == SlipOf(c)
               IN IsSent(Qm(p, p, c, l, BySeller(p, c), ByBuyer(Buys(c), l, c)))
Agreed(p, c) == LET b == Buys(c)  l == SlipOf(c)
                IN /\ IsSent(Im(b, b, p, c[3])) /\ IsSent(Vm(p, p, b, c, BySeller(p, c)))
                   /\ IsSent(Pm(b, b, p, l, ByBuyer(b, l, c))) /\ Asked(p, c)
Honest(c) == Buys(c) # ib /\ c[1] # is
Agreement == \A r \in Sent("rm") : r[2] = r[3][1] /\ Honest(r[3]) => Agreed(r[2], r[3])
Receipt == \A c \in receipts : Honest(c) => Asked(c[1], c)

Symmetry == Permutations(Buyer \ {ib}) \cup Permutations(Seller \ {is})
\* the first state has level 1: the states of this are R<=Depth
Bounded == TLCGet("level") <= Depth /\ Next
====
