package machine

// usage is processor time since some moment, in seconds over all cores.
type usage struct {
	all  float64 // what there was to have
	busy float64 // what was used, this process's included
	own  float64 // what this process used
}

// load compares two moments.
type load struct {
	read func() (usage, error)
	last usage
}

func (l *load) Others() (float64, error) {
	now, err := l.read()
	if err != nil {
		return 0, err
	}
	before := l.last
	l.last = now
	span := now.all - before.all
	if before.all == 0 || span <= 0 {
		return 0, nil
	}
	return min(1, max(0, (now.busy-before.busy-now.own+before.own)/span)), nil
}
