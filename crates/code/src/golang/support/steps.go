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

// reaction is the step that follows a step: an automatic one, else the first that a waiting cause takes.
func (t *Chart[C, E, P, F, S, K]) reaction(waiting []int, at *spot[S], context *C, predicates P) ([]*arm[S], int, []int, *denied) {
	var nothing E
	cause := t.nCauses - 1
	for {
		chosen, why := t.choose(at, context, cause, nothing, predicates)
		if why == nil || why.reason == ReasonText || why.reason == ReasonDivisionByZero {
			return chosen, cause, waiting, why
		}
		if len(waiting) == 0 {
			return nil, cause, waiting, nil
		}
		cause, waiting = waiting[0], waiting[1:]
	}
}

var noLeaf = []int{none}

// choose are the arms that are taken at once.
func (t *Chart[C, E, P, F, S, K]) choose(at *spot[S], context *C, cause int, event E, predicates P) ([]*arm[S], *denied) {
	leaves := noLeaf
	if at != nil {
		leaves = at.leaves
	}
	if done := cause - len(t.parts.Events) - len(t.parts.Nodes); done >= 0 && cause < t.nCauses-1 && !t.isDone(leaves, done) {
		return nil, noTransition
	}
	why := noTransition
	var chosen, refusing []*arm[S]
	for _, leaf := range leaves {
		arms := t.arms[leaf*t.nCauses+cause]
		if len(arms) == 0 {
			continue
		}
		found, divides := t.find(arms, at, context, event, predicates)
		switch {
		case divides:
			return nil, deny(ReasonDivisionByZero)
		case found == nil:
			why = noGuard
		case found.refuses:
			refusing = append(refusing, found)
		case chosen == nil:
			chosen = found.alone
		case !isAmong(found, chosen):
			chosen = append(chosen[:len(chosen):len(chosen)], found)
		}
	}
	for _, it := range refusing {
		if !t.hasInside(chosen, it.source) {
			return nil, &denied{ReasonText, it.row}
		}
	}
	if chosen == nil {
		return nil, why
	}
	if len(chosen) > 1 {
		chosen = t.withoutConflicts(chosen, at, context, event)
	}
	return chosen, nil
}

// find is the first of some arms whose guard holds.
func (t *Chart[C, E, P, F, S, K]) find(arms []*arm[S], at *spot[S], context *C, event E, predicates P) (found *arm[S], divides bool) {
	for _, it := range arms {
		row := &t.parts.Rows[it.row]
		if row.GuardDivides != nil && row.GuardDivides(context, event, predicates, statesOf(at)) {
			return nil, true
		}
		if row.Guard == nil || row.Guard(context, event, predicates, statesOf(at)) {
			return it, false
		}
	}
	return nil, false
}

func isAmong[S ~string](it *arm[S], arms []*arm[S]) bool {
	for _, other := range arms {
		if other.row == it.row && other.source == it.source {
			return true
		}
	}
	return false
}

// hasInside is whether the source of some arm lies inside a source.
func (t *Chart[C, E, P, F, S, K]) hasInside(arms []*arm[S], outer int) bool {
	for _, it := range arms {
		if t.isInside(it.source, outer) {
			return true
		}
	}
	return false
}

// isInside is whether a source lies inside another one; none is the whole machine.
func (t *Chart[C, E, P, F, S, K]) isInside(inner, outer int) bool {
	return inner != none && (outer == none || (inner != outer && t.isIn(inner, outer)))
}

func (t *Chart[C, E, P, F, S, K]) withoutConflicts(chosen []*arm[S], at *spot[S], context *C, event E) []*arm[S] {
	var kept []*arm[S]
	var leaves [][]bool
	for _, it := range chosen {
		left := t.left(it, at, t.reached(it, context, event))
		conflicts := func(idx int) bool {
			for state, is := range left {
				if is && leaves[idx][state] {
					return true
				}
			}
			return false
		}
		loses := false
		for idx, other := range kept {
			loses = loses || (conflicts(idx) && !t.isInside(it.source, other.source))
		}
		if loses {
			continue
		}
		var arms []*arm[S]
		var theirs [][]bool
		for idx, other := range kept {
			if !conflicts(idx) {
				arms, theirs = append(arms, other), append(theirs, leaves[idx])
			}
		}
		kept, leaves = append(arms, it), append(theirs, left)
	}
	return kept
}

// reached are the leaves to which an arm leads.
func (t *Chart[C, E, P, F, S, K]) reached(it *arm[S], context *C, event E) []int {
	if it.isFixed {
		return it.to
	}
	reached := make([]int, len(it.to))
	for idx, to := range it.to {
		if to < 0 {
			to = t.positions[string(t.parts.Targets[-to-1](context, event))]
		}
		reached[idx] = to
	}
	return reached
}

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
