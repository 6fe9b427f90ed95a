// Reason is why a call was refused.
type Reason string

const (
	// ReasonNoTransition: no row is for it here.
	ReasonNoTransition Reason = "no_transition"
	// ReasonGuard: rows are for it, but no guard holds.
	ReasonGuard Reason = "guard"
	// ReasonText: the spec refuses it with a text.
	ReasonText Reason = "text"
	// ReasonUnsettled: it keeps firing, or the machine keeps reacting to it.
	ReasonUnsettled Reason = "unsettled"
	// ReasonActor: the actor may not raise the event.
	ReasonActor Reason = "actor"
	// ReasonDivisionByZero: a guard or an assignment divides by zero.
	ReasonDivisionByZero Reason = "division_by_zero"
	// ReasonUnknownState: the machine is in no state that this program knows.
	ReasonUnknownState Reason = "unknown_state"
)

// Commit is when the store is written. Several steps have the first of their orders.
type Commit string

const (
	// PersistFirst: before the machine changes. A failing store leaves everything as it was.
	PersistFirst Commit = "persist_first"
	// MemoryFirst: after the machine changed. A failing store is reported.
	MemoryFirst Commit = "memory_first"
	// MemoryOnly: never.
	MemoryOnly Commit = "memory_only"
)

// Phase is when an effect happens.
type Phase string

const (
	// Before: before any change. Its failure aborts the call.
	Before Phase = "before"
	// Exit: when a state is left.
	Exit Phase = "exit"
	// Entry: when a state is entered.
	Entry Phase = "entry"
	// Do: after the change.
	Do Phase = "do"
)

// Refused is why a call was refused; nothing changed.
type Refused[S, K ~string] struct {
	Machine string
	// States are the states, which are unchanged; none at creation.
	States []S
	// Event is the event; empty for a direct transition.
	Event K
	// To is the target of a direct transition.
	To     string
	Reason Reason
	// Message says it in words.
	Message string
	// Allowed are the events that some row accepts here, guards aside. If an actor was refused, those that it may raise.
	Allowed []K
	// Row is the row that refuses, by its position in the spec; -1 if none does.
	Row int
}

// Error is the message.
func (r *Refused[S, K]) Error() string {
	return r.Message
}

// MarshalJSON is the refusal for logs and answers.
func (r *Refused[S, K]) MarshalJSON() ([]byte, error) {
	null := func(out []byte, text string) []byte {
		return AppendNull(out, Null[string]{text, text != ""}, AppendText[string])
	}
	out := AppendText([]byte(`{"machine":`), r.Machine)
	out = null(append(out, `,"from":`...), strings.Join(textsOf(r.States), "+"))
	out = null(append(out, `,"event":`...), string(r.Event))
	out = null(append(out, `,"to":`...), r.To)
	out = AppendText(append(out, `,"reason":`...), r.Reason)
	out = AppendText(append(out, `,"message":`...), r.Message)
	out = appendTexts(append(out, `,"allowed":`...), r.Allowed)
	return append(out, '}'), nil
}

// Memory is what a field of the context remembers of a composite that is left.
type Memory struct {
	Field  int
	Leaves []Remembered
}

// Remembered is a leaf, and the one that is remembered for it.
type Remembered struct {
	Leaf, As string
}

// Node is a state: a leaf, or one that contains others.
type Node struct {
	Name, Path          string
	Leaf                bool
	Parent              string
	Parallel            bool
	Terminal            bool
	Starts              []string
	End                 string
	Completes           string
	MayComplete         string
	Accepted            []string
	Successors          []string
	Entry, Exit         []string
	Memories            []Memory
	at, parent, end     int
	completes, may      int
	starts, successors  []int
	entry, exit, inside []int
	around              []int
}

// EventNode is an event.
type EventNode struct {
	Name    string
	By      []string
	Settles bool
	// Timer are the states in which it runs, if it is a timer.
	Timer []string
}

// Row is a row of the spec.
type Row[C, E, P any, S ~string] struct {
	Guard, GuardDivides, Divides func(c *C, e E, p P, at []S) bool
	Put                          func(c *C, e E, p P, at []S, to *C)
	Fields                       []int
	Before, Do, Raises           []string
	Reenters                     string
	// Commit is PersistFirst if it is empty.
	Commit             Commit
	Refuses            bool
	Refusal            string
	before, do, raises []int
	reenters, order    int
}

// To is a leaf to which an arm leads, or the number of a function that computes it, from 1 on.
type To struct {
	Leaf     string
	Computed int
}

// Arm is a row in one state. Without targets, the machine stays or the row refuses.
type Arm struct {
	Row    int
	Source string
	To     []To
}

// Case is a cause in a leaf, or at creation: an event, "> STATE" for a direct transition, "= STATE" for a composite that is done, or
// "*" for nothing but the state.
type Case struct {
	From, On string
	Arms     []Arm
}

// EffectNode is an effect, and the function that makes it.
type EffectNode[C, E, F any, S ~string] struct {
	Name string
	Make func(c *C, e E, from Null[S], to S) F
}

// Parts are what a machine consists of.
type Parts[C, E, P, F any, S ~string] struct {
	Machine  string
	Parallel bool
	Nodes    []Node
	Events   []EventNode
	Rows     []Row[C, E, P, S]
	Cases    []Case
	Targets  []func(c *C, e E) S
	Effects  []EffectNode[C, E, F, S]
	Created  []string
	Reacts   bool
	// Same is whether two contexts are equal; it is needed if an event settles.
	Same func(a, b *C) bool
	// Remember puts a leaf into a field of the context; it is needed if there are histories.
	Remember func(c *C, field int, leaf S)
	// Durations are the durations of the timers, in their order.
	Durations []func(c *C) Duration
}

type arm[S ~string] struct {
	number, row, source int
	refuses             bool
	to                  []int
	isFixed             bool
	rows                []int
	alone               []*arm[S]
	crossing            atomic.Pointer[crossing[S]]
}

// spot is where a machine is: its active leaves.
type spot[S ~string] struct {
	leaves []int
	states []S
	active []bool
}

type crossing[S ~string] struct {
	to              *spot[S]
	exited, entered []int
	left, reached   []string
	exits, entries  []int
}

type timer struct {
	event  int
	states []int
}

// Chart is what one machine does, as data. It does not change, and several goroutines may use it at once.
type Chart[C, E, P, F any, S, K ~string] struct {
	parts     Parts[C, E, P, F, S]
	positions map[string]int
	events    map[string]int
	spots     []*spot[S]
	regions   []int
	top       []int
	timers    []timer
	arms      map[int][]*arm[S]
	targets   []To
	accepted  [][]K
	created   []K
	nLeaves   int
	nCauses   int
	causes    []string
	hasRegion bool
	lock      sync.RWMutex
	known     map[string]*spot[S]
	crossings map[string]*crossing[S]
}

const none = -1

const maxSteps, maxWaiting, maxKnown = 64, 64, 4096

var orders = []Commit{PersistFirst, MemoryFirst, MemoryOnly}

// NewChart is the chart of its parts.
func NewChart[C, E, P, F any, S, K ~string](parts Parts[C, E, P, F, S]) *Chart[C, E, P, F, S, K] {
	t := &Chart[C, E, P, F, S, K]{
		parts:     parts,
		positions: map[string]int{"": none},
		events:    map[string]int{},
		arms:      map[int][]*arm[S]{},
		known:     map[string]*spot[S]{},
		crossings: map[string]*crossing[S]{},
		hasRegion: parts.Parallel,
	}
	effects := map[string]int{}
	for idx, it := range parts.Effects {
		effects[it.Name] = idx
	}
	for idx, it := range parts.Nodes {
		t.positions[it.Name] = idx
	}
	for idx, it := range parts.Events {
		t.events[it.Name] = idx
		if it.Timer != nil {
			t.timers = append(t.timers, timer{idx, all(it.Timer, t.positions)})
		}
	}
	for idx := range parts.Nodes {
		it := &parts.Nodes[idx]
		it.at, it.parent, it.end = idx, t.positions[it.Parent], t.positions[it.End]
		if it.end == none {
			it.end = idx
		}
		it.completes, it.may = t.positions[it.Completes], t.positions[it.MayComplete]
		it.starts, it.successors = all(it.Starts, t.positions), all(it.Successors, t.positions)
		if it.Leaf {
			it.starts = []int{idx}
		}
		it.entry, it.exit = all(it.Entry, effects), all(it.Exit, effects)
		it.around = []int{idx}
		if it.Leaf {
			t.nLeaves++
		}
		outer := parts.Parallel
		if it.parent == none {
			t.top = append(t.top, idx)
		} else {
			parent := &parts.Nodes[it.parent]
			parent.inside = append(parent.inside, idx)
			it.around = append(it.around, parent.around...)
			outer = parent.Parallel
		}
		if outer {
			t.regions = append(t.regions, idx)
		}
		t.hasRegion = t.hasRegion || it.Parallel
		t.accepted = append(t.accepted, kinds[K](it.Accepted))
	}
	t.created = kinds[K](parts.Created)
	for idx := range parts.Nodes {
		t.spots = append(t.spots, t.spot([]int{idx}))
	}
	for idx := range parts.Rows {
		it := &parts.Rows[idx]
		it.before, it.do, it.raises = all(it.Before, effects), all(it.Do, effects), all(it.Raises, t.events)
		it.reenters = t.positions[it.Reenters]
		for order, commit := range orders {
			if it.Commit == commit {
				it.order = order
			}
		}
	}
	t.nCauses = len(parts.Events) + 2*len(parts.Nodes) + 1
	for idx := 0; idx < t.nCauses; idx++ {
		t.causes = append(t.causes, t.causeName(idx))
	}
	number := 0
	for _, it := range parts.Cases {
		key := t.positions[it.From]*t.nCauses + t.cause(it.On)
		for _, part := range it.Arms {
			next := &arm[S]{number: number, row: part.Row, source: t.positions[part.Source], rows: []int{part.Row}, isFixed: true}
			next.refuses = parts.Rows[part.Row].Refuses
			next.alone = []*arm[S]{next}
			for _, to := range part.To {
				if to.Computed > 0 {
					next.isFixed = false
					next.to = append(next.to, -to.Computed)
				} else {
					next.to = append(next.to, t.positions[to.Leaf])
				}
			}
			t.arms[key] = append(t.arms[key], next)
			number++
		}
	}
	return t
}

func all(names []string, positions map[string]int) []int {
	found := make([]int, len(names))
	for idx, it := range names {
		found[idx] = positions[it]
	}
	return found
}

func kinds[K ~string](names []string) []K {
	found := make([]K, len(names))
	for idx, it := range names {
		found[idx] = K(it)
	}
	return found
}

func (t *Chart[C, E, P, F, S, K]) cause(on string) int {
	nEvents, nNodes := len(t.parts.Events), len(t.parts.Nodes)
	switch on[0] {
	case '>':
		return nEvents + t.positions[on[2:]]
	case '=':
		return nEvents + nNodes + t.positions[on[2:]]
	case '*':
		return nEvents + 2*nNodes
	default:
		return t.events[on]
	}
}

func (t *Chart[C, E, P, F, S, K]) causeName(cause int) string {
	nEvents, nNodes := len(t.parts.Events), len(t.parts.Nodes)
	switch {
	case cause < nEvents:
		return t.parts.Events[cause].Name
	case cause < nEvents+nNodes:
		return "> " + t.parts.Nodes[cause-nEvents].Name
	case cause < nEvents+2*nNodes:
		return "= " + t.parts.Nodes[cause-nEvents-nNodes].Name
	default:
		return "*"
	}
}

func (t *Chart[C, E, P, F, S, K]) node(at int) *Node {
	return &t.parts.Nodes[at]
}

// isIn is whether a state is another one or lies inside it.
func (t *Chart[C, E, P, F, S, K]) isIn(at, whole int) bool {
	for ; at != none; at = t.node(at).parent {
		if at == whole {
			return true
		}
	}
	return false
}

func (t *Chart[C, E, P, F, S, K]) spot(leaves []int) *spot[S] {
	it := &spot[S]{leaves, make([]S, len(leaves)), make([]bool, len(t.parts.Nodes))}
	for idx, leaf := range leaves {
		it.states[idx] = S(t.node(leaf).Name)
		for _, state := range t.node(leaf).around {
			it.active[state] = true
		}
	}
	return it
}

// at is the spot of some states; nil if this is nowhere in the machine.
func (t *Chart[C, E, P, F, S, K]) at(states []S) *spot[S] {
	if !t.hasRegion {
		if len(states) != 1 {
			return nil
		}
		at, is := t.positions[string(states[0])]
		if !is || at == none || !t.node(at).Leaf {
			return nil
		}
		return t.spots[at]
	}
	var buffer [64]byte
	key := buffer[:0]
	for _, it := range states {
		at, is := t.positions[string(it)]
		if !is || at == none || !t.node(at).Leaf {
			return nil
		}
		key = append(key, byte(at), byte(at>>8))
	}
	t.lock.RLock()
	found := t.known[string(key)]
	t.lock.RUnlock()
	if found != nil {
		return found
	}
	var leaves []int
	for _, it := range states {
		leaves = append(leaves, t.positions[string(it)])
	}
	if found = t.spot(leaves); !t.isWhole(found) {
		return nil
	}
	return keep(t, t.known, string(key), found)
}

func keep[V any, C, E, P, F any, S, K ~string](t *Chart[C, E, P, F, S, K], cache map[string]V, key string, value V) V {
	t.lock.Lock()
	defer t.lock.Unlock()
	if len(cache) < maxKnown {
		cache[key] = value
	}
	return value
}

// isWhole is whether leaves are in the order of the spec, and are active together: one in each region.
func (t *Chart[C, E, P, F, S, K]) isWhole(at *spot[S]) bool {
	for idx, it := range at.leaves {
		if idx > 0 && it <= at.leaves[idx-1] {
			return false
		}
	}
	wholes := func(inside []int, parallel bool) bool {
		count := 0
		for _, it := range inside {
			if at.active[it] {
				count++
			}
		}
		return count == 1 && !parallel || count == len(inside) && parallel
	}
	if !wholes(t.top, t.parts.Parallel) {
		return false
	}
	for idx := range t.parts.Nodes {
		if it := t.node(idx); at.active[idx] && !it.Leaf && !wholes(it.inside, it.Parallel) {
			return false
		}
	}
	return true
}

// isActive is whether one of these leaves is a state or lies inside it.
func (t *Chart[C, E, P, F, S, K]) isActive(states []S, whole int) bool {
	for _, it := range states {
		if at, is := t.positions[string(it)]; is && t.isIn(at, whole) {
			return true
		}
	}
	return false
}

// IsIn is whether one of these leaves is a state or lies inside it.
func (t *Chart[C, E, P, F, S, K]) IsIn(states []S, whole string) bool {
	at, is := t.positions[whole]
	return is && at != none && t.isActive(states, at)
}

// Successors are the leaves that a row leads to from a state, guards aside.
func (t *Chart[C, E, P, F, S, K]) Successors(state S) []S {
	at, is := t.positions[string(state)]
	if !is || at == none {
		return nil
	}
	return kinds[S](t.node(at).Successors)
}

// Knows is whether some states are a state of the machine.
func (t *Chart[C, E, P, F, S, K]) Knows(states []S) bool {
	return t.at(states) != nil
}

// Allowed are the events that some row accepts, guards and timers aside; without states, at creation.
func (t *Chart[C, E, P, F, S, K]) Allowed(states ...S) []K {
	return append([]K{}, t.allowed(states, nil)...)
}

func (t *Chart[C, E, P, F, S, K]) allowed(states []S, actor *string) []K {
	lists := [][]K{t.created}
	if len(states) > 0 {
		lists = nil
		for _, it := range states {
			if at, is := t.positions[string(it)]; is && at != none {
				lists = append(lists, t.accepted[at])
			}
		}
	}
	if len(lists) == 1 && actor == nil {
		return lists[0]
	}
	var found []K
	for idx, it := range t.parts.Events {
		kind := K(it.Name)
		for _, list := range lists {
			if In(kind, list) {
				if actor == nil || t.mayRaise(*actor, idx) {
					found = append(found, kind)
				}
				break
			}
		}
	}
	return found
}

// MayRaise is whether an actor may raise an event. Nobody raises a timer.
func (t *Chart[C, E, P, F, S, K]) MayRaise(actor string, event K) bool {
	idx, is := t.events[string(event)]
	return is && t.mayRaise(actor, idx)
}

func (t *Chart[C, E, P, F, S, K]) mayRaise(actor string, event int) bool {
	it := &t.parts.Events[event]
	return it.Timer == nil && (len(it.By) == 0 || In(actor, it.By))
}

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

// MarshalStates writes the states that are active together: the name of the leaf, or an object with a member for each region.
func (t *Chart[C, E, P, F, S, K]) MarshalStates(states []S) []byte {
	if at := t.at(states); at != nil {
		return t.appendInside(nil, at, t.top, t.parts.Parallel)
	}
	return AppendText(nil, strings.Join(textsOf(states), "+"))
}

func (t *Chart[C, E, P, F, S, K]) appendInside(out []byte, at *spot[S], inside []int, parallel bool) []byte {
	if parallel {
		out = append(out, '{')
		for idx, it := range inside {
			if idx > 0 {
				out = append(out, ',')
			}
			out = append(AppendText(out, t.node(it).Name), ':')
			out = t.appendInside(out, at, t.node(it).inside, t.node(it).Parallel)
		}
		return append(out, '}')
	}
	for _, it := range inside {
		node := t.node(it)
		switch {
		case !at.active[it]:
		case node.Leaf:
			return AppendText(out, node.Name)
		case node.Parallel:
			out = append(AppendText(append(out, '{'), node.Name), ':')
			return append(t.appendInside(out, at, node.inside, true), '}')
		default:
			return t.appendInside(out, at, node.inside, false)
		}
	}
	return out
}

// ReadStates reads the states of a machine with regions.
func (t *Chart[C, E, P, F, S, K]) ReadStates(value any, what string) ([]S, error) {
	leaves, err := t.decodeInside(nil, value, what, t.top, t.parts.Parallel)
	if err != nil {
		return nil, err
	}
	sort.Ints(leaves)
	return t.spot(leaves).states, nil
}

func (t *Chart[C, E, P, F, S, K]) decodeInside(leaves []int, value any, what string, inside []int, parallel bool) ([]int, error) {
	if parallel {
		members := Object(value, what)
		for name := range members.members {
			if names := t.namesOf(inside); !In(name, names) {
				return nil, &UnknownState{name, names}
			}
		}
		for _, it := range inside {
			node := t.node(it)
			member := members.Member(node.Name)
			if members.err != nil {
				break
			}
			leaves, members.err = t.decodeInside(leaves, member, "`"+node.Name+"`", node.inside, node.Parallel)
		}
		return leaves, members.err
	}
	name, data, err := Only(value, what)
	if err != nil {
		return nil, err
	}
	within := t.within(nil, inside)
	for _, it := range within {
		node := t.node(it)
		switch {
		case node.Name != name:
		case node.Leaf:
			return append(leaves, it), NoData(name, data).err
		default:
			return t.decodeInside(leaves, data, "`"+name+"`", node.inside, true)
		}
	}
	return nil, &UnknownState{name, t.namesOf(within)}
}

// within are the leaves and parallel states inside some states, not those in regions of these.
func (t *Chart[C, E, P, F, S, K]) within(found, inside []int) []int {
	for _, it := range inside {
		if node := t.node(it); node.Leaf || node.Parallel {
			found = append(found, it)
		} else {
			found = t.within(found, node.inside)
		}
	}
	return found
}

func (t *Chart[C, E, P, F, S, K]) namesOf(states []int) []string {
	var names []string
	for _, it := range states {
		names = append(names, t.node(it).Name)
	}
	return names
}
