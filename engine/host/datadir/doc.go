// Package datadir excludes other users and the system's desktop search from the data folder.
//
// It must not know the folder's contents. It has no goroutines and no locks.
package datadir
