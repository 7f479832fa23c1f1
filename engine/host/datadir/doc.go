// Package datadir reports whether other users can access the data folder, and excludes the folder from the desktop
// search.
//
// It must not depend on the folder's contents. It has no goroutines and no locks.
package datadir
