// left are the active states that an arm leaves.
func (t *Chart[C, E, P, F, S, K]) left(it *arm[S], at *spot[S], targets []int) []bool {
	left := make([]bool, len(t.parts.Nodes))
	if len(it.to) == 0 || at == nil {
		return left
	}
	leave := func(domain int) {
		for state, is := range at.active {
			left[state] = left[state] || (is && t.isInside(state, domain))
		}
	}
	if reenters := t.parts.Rows[it.row].reenters; reenters != none {
		leave(t.domain(reenters, func(whole int) bool {
			for _, to := range targets {
				if !t.isIn(to, whole) {
					return false
				}
			}
			return true
		}))
		return left
	}
	for _, to := range targets {
		leave(t.domain(to, func(whole int) bool {
			return at.active[whole] && (it.source == none || t.isIn(it.source, whole) || t.isIn(whole, it.source))
		}))
	}
	return left
}

// domain is the innermost composite around a state that has no regions and that fits; none for the whole machine.
func (t *Chart[C, E, P, F, S, K]) domain(of int, fits func(whole int) bool) int {
	for _, it := range t.node(of).around[1:] {
		if !t.node(it).Parallel && fits(it) {
			return it
		}
	}
	return none
}

// cross are the states that some arms leave and enter.
func (t *Chart[C, E, P, F, S, K]) cross(chosen []*arm[S], at *spot[S], context *C, event E) *crossing[S] {
	first := chosen[0]
	// An arm belongs to one leaf, or to creation.
	isAlone := first.isFixed && (at == nil || !t.hasRegion)
	if isAlone {
		if found := first.crossing.Load(); found != nil {
			return found
		}
	}
	var buffer [128]byte
	key := buffer[:0]
	put := func(number int) {
		key = append(key, byte(number), byte(number>>8), byte(number>>16))
	}
	if at != nil {
		for _, it := range at.leaves {
			put(it)
		}
	}
	for _, it := range chosen {
		put(-1)
		put(it.number)
		for _, to := range t.reached(it, context, event) {
			put(to)
		}
	}
	t.lock.RLock()
	found := t.crossings[string(key)]
	t.lock.RUnlock()
	if found == nil {
		targets := make([][]int, len(chosen))
		for idx, it := range chosen {
			targets[idx] = t.reached(it, context, event)
		}
		found = keep(t, t.crossings, string(key), t.crossed(chosen, at, targets))
	}
	if isAlone {
		first.crossing.Store(found)
	}
	return found
}

func (t *Chart[C, E, P, F, S, K]) crossed(chosen []*arm[S], at *spot[S], targets [][]int) *crossing[S] {
	exited, active := make([]bool, len(t.parts.Nodes)), make([]bool, len(t.parts.Nodes))
	moves := false
	for idx, it := range chosen {
		moves = moves || len(targets[idx]) > 0
		for state, is := range t.left(it, at, targets[idx]) {
			exited[state] = exited[state] || is
		}
	}
	staying := make([]bool, len(t.parts.Nodes))
	for state := range staying {
		staying[state] = at != nil && at.active[state] && !exited[state]
		active[state] = staying[state]
	}
	enter := func(leaf int) {
		for _, it := range t.node(leaf).around {
			active[it] = true
		}
	}
	for _, to := range targets {
		for _, it := range to {
			enter(it)
		}
	}
	if moves {
		// States come before those inside them, so that one pass is enough.
		for _, it := range t.regions {
			if parent := t.node(it).parent; (parent == none || active[parent]) && !active[it] {
				for _, leaf := range t.node(it).starts {
					enter(leaf)
				}
			}
		}
	}
	found := &crossing[S]{}
	var leaves []int
	for state := range active {
		node, last := t.node(state), len(active)-1-state
		if exited[last] {
			found.exited, found.left = append(found.exited, last), append(found.left, t.node(last).Name)
			found.exits = append(found.exits, t.node(last).exit...)
		}
		if active[state] && !staying[state] {
			found.entered, found.reached = append(found.entered, state), append(found.reached, node.Name)
			found.entries = append(found.entries, node.entry...)
		}
		if active[state] && node.Leaf {
			leaves = append(leaves, state)
		}
	}
	if found.to = t.spots[leaves[0]]; t.hasRegion {
		found.to = t.spot(leaves)
	}
	return found
}

// put is the context after some rows; the same one if nothing is assigned.
func (t *Chart[C, E, P, F, S, K]) put(arms []*arm[S], at *spot[S], context *C, event E, predicates P, crossing *crossing[S]) *C {
	after := context
	change := func() *C {
		if after == context {
			copied := *context
			after = &copied
		}
		return after
	}
	for _, it := range arms {
		if put := t.parts.Rows[it.row].Put; put != nil {
			put(context, event, predicates, statesOf(at), change())
		}
	}
	if at == nil || t.parts.Remember == nil {
		return after
	}
	for _, it := range crossing.exited {
		for _, memory := range t.node(it).Memories {
			if !t.assigns(arms, memory.Field) {
				t.parts.Remember(change(), memory.Field, remembered(memory.Leaves, at.states))
			}
		}
	}
	return after
}

// assigns is whether a row itself assigns a field. That takes precedence over what a history remembers.
func (t *Chart[C, E, P, F, S, K]) assigns(arms []*arm[S], field int) bool {
	for _, it := range arms {
		if In(field, t.parts.Rows[it.row].Fields) {
			return true
		}
	}
	return false
}

func remembered[S ~string](leaves []Remembered, states []S) S {
	for _, state := range states {
		for _, it := range leaves {
			if it.Leaf == string(state) {
				return S(it.As)
			}
		}
	}
	return ""
}

// isDone is whether a composite is in a terminal child, or each of its regions is.
func (t *Chart[C, E, P, F, S, K]) isDone(leaves []int, whole int) bool {
	hasEnded := func(of int) bool {
		for _, it := range leaves {
			if it != none && t.node(it).Terminal && t.node(it).parent == of {
				return true
			}
		}
		return false
	}
	if !t.node(whole).Parallel {
		return hasEnded(whole)
	}
	for _, it := range t.node(whole).inside {
		if !hasEnded(it) {
			return false
		}
	}
	return true
}

// completed appends the causes of the composites that are done once some states are entered.
func (t *Chart[C, E, P, F, S, K]) completed(waiting []int, crossing *crossing[S]) []int {
	done := len(t.parts.Events) + len(t.parts.Nodes)
	for idx, it := range crossing.entered {
		node := t.node(it)
		if node.completes != none {
			waiting = append(waiting, done+node.completes)
		}
		if node.may == none || !t.isDone(crossing.to.leaves, node.may) {
			continue
		}
		isLast := true
		for _, later := range crossing.entered[idx+1:] {
			isLast = isLast && t.node(later).may != node.may
		}
		if isLast {
			waiting = append(waiting, done+node.may)
		}
	}
	return waiting
}

// calls appends the effects of one step, in the order in which they happen. They take the context as it is after the whole call.
func (t *Chart[C, E, P, F, S, K]) calls(calls []Call[F], context *C, it *taken[E, S]) []Call[F] {
	count := len(it.crossing.exits) + len(it.crossing.entries)
	for _, row := range it.step.Rows {
		count += len(t.parts.Rows[row].before) + len(t.parts.Rows[row].do)
	}
	if count == 0 {
		return calls
	}
	if calls == nil {
		calls = make([]Call[F], 0, count)
	}
	var from Null[S]
	if len(it.step.From) > 0 {
		from = Some(it.step.From[0])
	}
	perform := func(phase Phase, effects []int) {
		for _, effect := range effects {
			calls = append(calls, Call[F]{phase, t.parts.Effects[effect].Make(context, it.event, from, it.step.To[0])})
		}
	}
	for _, row := range it.step.Rows {
		perform(Before, t.parts.Rows[row].before)
	}
	perform(Exit, it.crossing.exits)
	perform(Entry, it.crossing.entries)
	for _, row := range it.step.Rows {
		perform(Do, t.parts.Rows[row].do)
	}
	return calls
}
