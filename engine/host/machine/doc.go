// Package machine measures the free capacity of the computer, and lowers the priority of threads.
//
// It must not know how the results are used. It has no goroutines and no locks. It measures only when called, so that
// an idle computer remains idle.
package machine

// Battery reports whether the computer runs on battery.
type Battery interface {
	// OnBattery returns false if there is no battery or its state is unknown.
	OnBattery() (bool, error)
}

type Load interface {
	// Others returns the fraction of all cores, in [0, 1], that other processes used since the last call, at first 0.
	Others() (float64, error)
}
