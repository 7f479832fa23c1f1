// Package machine senses what the computer has to spare, and makes a thread yield to a person's programs.
//
// It must not know what is done with the answers. It has no goroutines and no locks: every value belongs to whoever
// asks it, and nothing is asked by itself, so a computer at rest is left at rest.
package machine

// Battery says whether the computer draws from its battery.
type Battery interface {
	// OnBattery is false where there is no battery, and where nothing can be told.
	OnBattery() (bool, error)
}

// Load says how much of the processor other programs want.
type Load interface {
	// Others returns the share of all cores, in [0, 1], that other processes used since the last call; 0 at the first.
	Others() (float64, error)
}
