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
