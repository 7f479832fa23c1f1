// Package share owns the shared index of a project: its form on S3-compatible storage, publishing, and a reader's
// copy. It opens network connections only when requested.
//
// # On the storage
//
//	manifest.json            the parts of the newest publication; replaced last, unless another publisher was faster
//	objects/<sha256>         files with their chunks, some megabytes of compressed JSON lines each; immutable
//	vectors/<time>/…         a LanceDB database with the tables of RFC 3.2, of one publication
//
// Parts are cut at paths chosen by hash, so that a changed file changes one part. Tables are immutable once a
// manifest names them: a publication makes the storage copy the previous tables and changes the copy's rows, or
// names the same tables if no row differs. Only keys, and rows that differ, are transferred. After many
// replacements (vectors.go), all rows are written anew. A publication keeps the objects of itself and of the
// previous one, for readers that have not updated yet.
//
// # A reader's copy
//
// The texts become an ordinary store without vectors. The vectors are read once through LanceDB's object store, and
// their sketch is kept; until then semantic searches use the network. A new publication is a new copy in its own
// folder; the old one is removed after its last reader.
//
// All data from the storage is checked before use: hashes, sizes, the form of paths. Objects are decoded by
// ReadPart, in the worker (package part), and their files are committed in groups, so that neither exhausts the
// app's memory. The user of the package decides whether a path may be shown (engine/files/policy), and applies
// local files.
//
// It must not know the local files.
//
// # Goroutines and locks
//
// No goroutines that outlive a call. Copy.mu is a leaf; Refresh is for one caller at a time and locks
// Copy.refreshing over its downloads.
package share
