"""What pm4py says about an event log and a graph: reads a request as JSON, prints the answer as JSON.

The graph is a net with a place for each state and a transition for each step, labelled with both of its states, so that no two
transitions have one label. A trace is the sequence of its steps, with one to its first state and one from its last.
"""

import json
import sys
import time
import warnings
from collections import Counter

warnings.filterwarnings("ignore")
sys.stdout, answers = sys.stderr, sys.stdout

import pandas
import pm4py
from pm4py.algo.conformance.alignments.petri_net import algorithm as alignments
from pm4py.algo.conformance.tokenreplay import algorithm as token_replay
from pm4py.objects.log.obj import Event, EventLog, Trace
from pm4py.objects.petri_net.obj import Marking, PetriNet
from pm4py.objects.petri_net.utils.petri_utils import add_arc_from_to

request = json.load(sys.stdin)
if request["log"].endswith(".csv"):
    frame = pandas.read_csv(request["log"], dtype=str)
    frame["time:timestamp"] = pandas.to_datetime(frame["time:timestamp"], format="mixed", utc=True)
else:
    frame = pm4py.read_xes(request["log"])
if "lifecycle:transition" in frame.columns:
    kinds = frame["lifecycle:transition"]
    frame = frame[kinds.isna() | (kinds.str.lower() == "complete")]
if "time:timestamp" not in frame.columns:
    # The order of the file is that of the records.
    frame["time:timestamp"] = pandas.Timestamp("1970-01-01", tz="UTC")
log = pm4py.convert_to_event_log(frame)

edges, starts, ends = pm4py.discover_dfg(log)

BEGIN, END = "\0begin", "\0end"
net, places, transitions = PetriNet("graph"), {}, {}


def place(name):
    if name not in places:
        places[name] = PetriNet.Place(name)
        net.places.add(places[name])
    return places[name]


def label(before, after):
    return before + "\0" + after


states = {name for pair in request["pairs"] for name in pair} | set(request["births"])
pairs = request["pairs"] + [[BEGIN, it] for it in request["births"]] + [[it, END] for it in states]
for before, after in pairs:
    transition = PetriNet.Transition(label(before, after), label(before, after))
    net.transitions.add(transition)
    add_arc_from_to(place(before), transition, net)
    add_arc_from_to(transition, place(after), net)
initial, final = Marking({place(BEGIN): 1}), Marking({place(END): 1})

variants = Counter()
of_trace = {}
for trace in log:
    path = (BEGIN, *(event["concept:name"] for event in trace), END)
    of_trace[str(trace.attributes["concept:name"])] = path
    variants[path] += 1
distinct = sorted(variants)
steps = EventLog()
for path in distinct:
    events = [Event({"concept:name": label(a, b), "time:timestamp": n}) for n, (a, b) in enumerate(zip(path, path[1:]))]
    steps.append(Trace(events))
# A step that the graph does not have leaves the next one without a token.
replayed = token_replay.apply(steps, net, initial, final, parameters={"show_progress_bar": False})
fits = {path: bool(it["trace_is_fit"]) for path, it in zip(distinct, replayed)}

costs, until = {}, time.monotonic() + request["seconds"]
for path, trace in zip(distinct, steps):
    if time.monotonic() < until:
        aligned = alignments.apply_trace(trace, net, initial, final, parameters={"max_align_time_trace": 2})
        # A move of the log or of the model alone costs 10,000.
        costs[path] = aligned["cost"] // 10_000 if aligned else None

answer = {
    "edges": [[a, b, n] for (a, b), n in edges.items()],
    "starts": list(starts.items()),
    "fits": {name: fits[path] for name, path in of_trace.items()},
    "costs": {name: costs[path] for name, path in of_trace.items() if costs.get(path) is not None},
}
json.dump(answer, answers)
