type denied struct {
	reason Reason
	row    int
}

func deny(reason Reason) *denied {
	return &denied{reason, none}
}

var noTransition, noGuard = deny(ReasonNoTransition), deny(ReasonGuard)

// refused is a refusal with its message.
func (t *Chart[C, E, P, F, S, K]) refused(states []S, request Request[E], actor *string, denied *denied) *Refused[S, K] {
	it := &Refused[S, K]{Machine: t.parts.Machine, States: states, To: request.To, Reason: denied.reason, Row: denied.row}
	if request.To == "" {
		it.Event = K(t.parts.Events[request.event].Name)
	}
	it.Allowed = append([]K{}, t.allowed(states, actor)...)
	it.Message = t.message(it, request.event)
	return it
}

func (t *Chart[C, E, P, F, S, K]) message(it *Refused[S, K], event int) string {
	if it.Row != none {
		return t.parts.Rows[it.Row].Refusal
	}
	if it.Reason == ReasonUnknownState {
		return "`" + strings.Join(textsOf(it.States), "+") + "` is no state that this program knows"
	}
	here := ""
	for idx, state := range it.States {
		if idx > 0 {
			here += "+"
		}
		here += t.node(t.positions[string(state)]).Path
	}
	if it.To != "" {
		to, is := t.positions[it.To]
		if !is {
			return (&UnknownState{it.To, t.names()}).Error()
		}
		if len(it.States) == 0 {
			return "`" + t.node(to).Path + "` is refused at creation: a machine is created by an event"
		}
		return t.way(it.States, here, t.node(to).end, it.Reason)
	}
	start := "`" + string(it.Event) + "` is refused at creation: "
	if len(it.States) > 0 {
		start = "`" + string(it.Event) + "` is refused in `" + here + "`: "
	}
	switch it.Reason {
	case ReasonGuard:
		return start + "no guard holds"
	case ReasonUnsettled:
		return start + "it does not settle"
	case ReasonDivisionByZero:
		return start + "it divides by zero"
	case ReasonActor:
		return start + "only " + Listed(t.parts.Events[event].By, "or") + " may raise it"
	}
	switch allowed := t.allowed(it.States, nil); len(allowed) {
	case 0:
		return start + "nothing is allowed here"
	case 1:
		return start + "allowed here is " + Listed(allowed, "and")
	default:
		return start + "allowed here are " + Listed(allowed, "and")
	}
}

func (t *Chart[C, E, P, F, S, K]) way(states []S, here string, to int, reason Reason) string {
	start := "`" + here + "` does not go to `" + t.node(to).Path + "`: "
	switch reason {
	case ReasonGuard:
		return start + "no guard holds"
	case ReasonUnsettled:
		return start + "it does not settle"
	case ReasonDivisionByZero:
		return start + "that divides by zero"
	}
	reachable := make([]bool, len(t.parts.Nodes))
	for _, it := range states {
		for _, successor := range t.node(t.positions[string(it)]).successors {
			reachable[successor] = true
		}
	}
	var paths []string
	for idx, it := range reachable {
		if it {
			paths = append(paths, t.node(idx).Path)
		}
	}
	if len(paths) == 0 {
		return start + "there is no way out"
	}
	for _, it := range t.node(to).starts {
		if !reachable[it] {
			return start + "from here it goes to " + Listed(paths, "or")
		}
	}
	return start + "that takes an event"
}

// names are those of all states.
func (t *Chart[C, E, P, F, S, K]) names() []string {
	var names []string
	for idx := range t.parts.Nodes {
		names = append(names, t.node(idx).Name)
	}
	return names
}
