// Package files owns the plain files of a data folder: fingerprints with their journals, stamps, metadata,
// configuration of projects and of the app, dirty files. It writes each of them atomically.
//
// It must not know the text index, the vector table or the use of fingerprints. It starts no goroutine. Each type
// has one mutex, a leaf, which is locked over the write of its own file: each file has a single writer.
package files

import "searchmcp/engine/files/policy"

// Stamp is the state of a file when it was read.
type Stamp = policy.Stamp
