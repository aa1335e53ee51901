---- MODULE Ticket ----
\* Ticket as a TLA+ specification. Written by hand; specs/ticket.cafe is the same system.
EXTENDS Naturals, TLC
CONSTANTS Pid, Depth
VARIABLES tvm, turn, ticket, pc

Init == tvm = 0 /\ turn = 0 /\ ticket = [i \in Pid |-> 0] /\ pc = [i \in Pid |-> "l1"]

Get(i) == /\ pc[i] = "l1"
          /\ pc' = [pc EXCEPT ![i] = "l2"] /\ ticket' = [ticket EXCEPT ![i] = tvm] /\ UNCHANGED <<tvm, turn>>
Inc(i) == /\ pc[i] = "l2"
          /\ pc' = [pc EXCEPT ![i] = "l3"] /\ tvm' = tvm + 1 /\ UNCHANGED <<turn, ticket>>
Enter(i) == /\ pc[i] = "l3" /\ ticket[i] = turn
            /\ pc' = [pc EXCEPT ![i] = "cs"] /\ UNCHANGED <<tvm, turn, ticket>>
Leave(i) == /\ pc[i] = "cs"
            /\ pc' = [pc EXCEPT ![i] = "l1"] /\ turn' = turn + 1 /\ UNCHANGED <<tvm, ticket>>

Next == \E i \in Pid : Get(i) \/ Inc(i) \/ Enter(i) \/ Leave(i)

Mutex == \A i, j \in Pid : pc[i] = "cs" /\ pc[j] = "cs" => i = j
Late == \A i \in Pid : ~(pc[i] = "cs" /\ tvm = 0)

\* the first state has level 1: the states of this are R<=Depth
Bounded == TLCGet("level") <= Depth /\ Next
====
