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
