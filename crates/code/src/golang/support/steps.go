// Step are the rows that were taken at once: one, or several in different regions. The lists are read only.
type Step[S ~string] struct {
	// Rows are their positions in the spec.
	Rows []int
	// Cause is the event, "> STATE" for a direct transition, "= STATE" for a composite that is done, or "*" for nothing but the state.
	Cause string
	// From are the states before; none at creation.
	From []S
	// To are the states after.
	To []S
	// Exited are the states that were left, innermost first.
	Exited []string
	// Entered are the states that were entered, outermost first.
	Entered []string
}

// Call is an effect and when it happens.
type Call[F any] struct {
	Phase  Phase
	Effect F
}

// Change is what a call changes. The caller performs Before, stores the machine as Commit says, and performs Effects.
type Change[M any, S ~string, F any] struct {
	// Machine is the machine after the change.
	Machine M
	Steps   []Step[S]
	// Calls are all effects, step by step.
	Calls  []Call[F]
	Commit Commit
}

// Before are the effects that must succeed before anything changes.
func (c Change[M, S, F]) Before() []F {
	var effects []F
	for _, it := range c.Calls {
		if it.Phase == Before {
			effects = append(effects, it.Effect)
		}
	}
	return effects
}

// Effects are the effects after the change, in order.
func (c Change[M, S, F]) Effects() []F {
	var effects []F
	for _, it := range c.Calls {
		if it.Phase != Before {
			effects = append(effects, it.Effect)
		}
	}
	return effects
}

// Outcome is what a call changes, before it is a machine.
type Outcome[C any, S ~string, F any] struct {
	States  []S
	Context C
	Steps   []Step[S]
	Calls   []Call[F]
	Commit  Commit
}

// Request is an event, the end of a timer, or the target of a direct transition.
type Request[E any] struct {
	Event E
	To    string
	event int
}

// OnEvent is a request with an event, by its position in the spec.
func OnEvent[E any](position int, event E) Request[E] {
	return Request[E]{event, "", position}
}

// OnTimer is a request with the end of a timer, by its position among the events.
func OnTimer[E any](position int) Request[E] {
	var nothing E
	return Request[E]{nothing, "", position}
}

// Direct is a request for a state.
func Direct[E any](to string) Request[E] {
	var nothing E
	return Request[E]{nothing, to, none}
}

type taken[E any, S ~string] struct {
	step     Step[S]
	crossing *crossing[S]
	event    E
}

// Plan is what a request changes. It changes nothing.
func (t *Chart[C, E, P, F, S, K]) Plan(states []S, context *C, request Request[E], predicates P) (Outcome[C, S, F], *Refused[S, K]) {
	at := t.at(states)
	if at == nil {
		return Outcome[C, S, F]{}, t.refused(states, request, nil, deny(ReasonUnknownState))
	}
	outcome, why := t.run(at, context, request, predicates)
	if why != nil {
		return outcome, t.refused(at.states, request, nil, why)
	}
	return outcome, nil
}

// Create is what a request at creation makes.
func (t *Chart[C, E, P, F, S, K]) Create(context *C, request Request[E], predicates P) (Outcome[C, S, F], *Refused[S, K]) {
	outcome, why := t.run(nil, context, request, predicates)
	if why != nil {
		return outcome, t.refused(nil, request, nil, why)
	}
	return outcome, nil
}

// Deny is the refusal of an actor that may not raise an event; nil if it may.
func (t *Chart[C, E, P, F, S, K]) Deny(states []S, actor string, request Request[E]) *Refused[S, K] {
	if t.mayRaise(actor, request.event) {
		return nil
	}
	if len(states) > 0 && t.at(states) == nil {
		return t.refused(states, request, nil, deny(ReasonUnknownState))
	}
	return t.refused(states, request, &actor, deny(ReasonActor))
}

func (t *Chart[C, E, P, F, S, K]) run(at *spot[S], context *C, request Request[E], predicates P) (Outcome[C, S, F], *denied) {
	cause, settles := request.event, false
	if request.To == "" {
		settles = t.parts.Events[cause].Settles
	} else {
		to, is := t.positions[request.To]
		if !is || to == none {
			return Outcome[C, S, F]{}, deny(ReasonNoTransition)
		}
		cause = len(t.parts.Events) + t.node(to).end
	}
	var nothing E
	var waiting []int
	steps := make([]taken[E, S], 0, 2)
	order := len(orders) - 1
	for {
		on, event := cause, request.Event
		var chosen []*arm[S]
		var why *denied
		if len(steps) == 0 || settles {
			if chosen, why = t.choose(at, context, cause, event, predicates); why != nil && len(steps) > 0 {
				break
			}
		} else {
			event = nothing
			if chosen, on, waiting, why = t.reaction(waiting, at, context, predicates); why == nil && chosen == nil {
				break
			}
		}
		if why != nil {
			return Outcome[C, S, F]{}, why
		}
		if t.divide(chosen, at, context, event, predicates) {
			if settles && len(steps) > 0 {
				break
			}
			return Outcome[C, S, F]{}, deny(ReasonDivisionByZero)
		}
		crossing := t.cross(chosen, at, context, event)
		after := t.put(chosen, at, context, event, predicates, crossing)
		stays := true
		for _, it := range chosen {
			row := &t.parts.Rows[it.row]
			if row.order < order {
				order = row.order
			}
			stays = stays && len(it.to) == 0
			if t.parts.Reacts {
				waiting = append(waiting, row.raises...)
			}
		}
		repeats := settles && !stays && at != nil && sameLeaves(at.leaves, crossing.to.leaves) && t.parts.Same(context, after)
		if t.parts.Reacts {
			waiting = t.completed(waiting, crossing)
		}
		step := Step[S]{Rows: rowsOf(chosen), Cause: t.causes[on], To: crossing.to.states, Exited: crossing.left, Entered: crossing.reached}
		if at != nil {
			step.From = at.states
		}
		steps = append(steps, taken[E, S]{step, crossing, event})
		at, context = crossing.to, after
		if !t.parts.Reacts && (stays || !settles) {
			break
		}
		tooMany := len(steps) > maxSteps || len(waiting) > maxWaiting
		if settles {
			tooMany = len(steps) > 1 && len(steps) > t.nLeaves
		}
		if repeats || tooMany {
			return Outcome[C, S, F]{}, deny(ReasonUnsettled)
		}
	}
	outcome := Outcome[C, S, F]{States: at.states, Context: *context, Steps: make([]Step[S], len(steps)), Commit: orders[order]}
	for idx := range steps {
		outcome.Steps[idx] = steps[idx].step
		outcome.Calls = t.calls(outcome.Calls, context, &steps[idx])
	}
	return outcome, nil
}

func sameLeaves(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for idx, it := range a {
		if it != b[idx] {
			return false
		}
	}
	return true
}

func rowsOf[S ~string](arms []*arm[S]) []int {
	if len(arms) == 1 {
		return arms[0].rows
	}
	rows := make([]int, len(arms))
	for idx, it := range arms {
		rows[idx] = it.row
	}
	return rows
}

func statesOf[S ~string](at *spot[S]) []S {
	if at == nil {
		return nil
	}
	return at.states
}

// divide is whether an assignment of some rows divides by zero.
func (t *Chart[C, E, P, F, S, K]) divide(arms []*arm[S], at *spot[S], context *C, event E, predicates P) bool {
	for _, it := range arms {
		if divides := t.parts.Rows[it.row].Divides; divides != nil && divides(context, event, predicates, statesOf(at)) {
			return true
		}
	}
	return false
}
