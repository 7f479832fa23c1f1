// Package machine measures the free capacity of the computer, and lowers the priority of threads.
//
// It must not know how the results are used. It has no goroutines and no locks.
package machine

type Battery interface {
	// False if there is no battery or its state is unknown.
	OnBattery() (bool, error)
}

type Load interface {
	// Others is the part of all cores, in [0, 1], that other processes have used since the last call, at first 0.
	Others() (float64, error)
}
