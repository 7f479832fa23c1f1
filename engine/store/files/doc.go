// Package files owns the plain files of a data folder: fingerprints with their journals, stamps, metadata, the
// configuration of projects and of the app, and dirty files. It writes each file atomically.
//
// It must not know the text index, the vector table or the use of fingerprints. It starts no goroutine. Each type has
// one mutex, a leaf, which is locked over the write of the type's own file, so each file has a single writer.
package files

import "searchmcp/engine/files/policy"

// Stamp is the state of a file when it was read.
type Stamp = policy.Stamp
