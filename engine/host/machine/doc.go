// Package machine measures the free capacity of the computer and lowers the priority of threads.
//
// It must not depend on how the results are used. It has no goroutines and no locks.
package machine
