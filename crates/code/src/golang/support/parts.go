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
