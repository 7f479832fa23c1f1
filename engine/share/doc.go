// Package share owns the shared index of a project: its form on S3-compatible storage, publishing it, and the copy that
// a reader keeps. It opens network connections when it is told to and never by itself.
//
// # On the storage
//
//	manifest.json            what the newest publication consists of; replaced last, if nobody else did meanwhile
//	objects/<sha256>         files with their chunks, some megabytes of compressed JSON lines each; never changed
//	vectors/<time>/…         a LanceDB database with the tables of RFC 3.2, as some publication left it
//
// Parts are cut where the paths say so, so that a changed file changes one part. Tables are never changed once a
// manifest names them: a publication has the storage copy those of the one before and changes the copy's rows, or names
// the same ones if no row differs. Only keys, and rows that differ, travel. When much has been replaced (vectors.go),
// all rows are written anew. A publication leaves what it and the one before it need, for readers that have not looked
// yet.
//
// # A reader's copy
//
// The texts become an ordinary store without vectors. The vectors are read once through LanceDB's object store, and
// their sketch is kept; until it is there searches by meaning go through the network. A new publication is a new copy
// in a folder of its own beside the old one, which goes when its last reader has.
//
// Everything that comes from the storage is checked before use: hashes, sizes, the form of paths. Objects are decoded
// by ReadPart, in the worker (package part), and their files are committed some at a time, so that neither can take the
// app's memory. Whether a path may be shown is its user's to decide (engine/files/policy), as is what a file on this
// computer says.
//
// It must not know which files there are on this computer.
//
// # Goroutines and locks
//
// None that outlive a call. Copy.mu is a leaf; Refresh is for one caller at a time and holds Copy.refreshing over its
// downloads.
package share
