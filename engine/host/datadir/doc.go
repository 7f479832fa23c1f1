// Package datadir controls access to the data folder: by other users of the computer, and by the system's own search.
//
// It must not know the folder's contents. It has no goroutines and no locks.
package datadir
