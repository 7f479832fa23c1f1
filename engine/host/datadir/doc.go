// Package datadir is what the computer does with the data folder: whether others of its users reach into it, and
// whether the system's own search reads it.
//
// It must not know what lies in the folder. It starts no goroutines and holds no locks.
package datadir
