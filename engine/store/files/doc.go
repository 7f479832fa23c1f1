// Package files owns the plain files of a data folder: fingerprints with their journals, stamps, metadata,
// configuration of projects and of the app, dirty files. It writes each of them atomically.
//
// It must not know the text index, the vector table or what a fingerprint is used for. It starts no goroutine. Each
// type has one mutex, a leaf, that is held over the write of its own file: they have a single writer each.
package files

import "searchmcp/engine/files/policy"

// Stamp is what a file looked like when it was read.
type Stamp = policy.Stamp
