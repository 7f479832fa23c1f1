// Package files reads and atomically writes the plain files of a data folder: fingerprints, stamps, metadata,
// configurations and settings.
//
// It must not depend on the text index, the vector table or the use of fingerprints. It starts no goroutines. Each
// type has one mutex, a leaf, which is locked while the type's file is written, so that each file has a single writer.
package files

import "searchmcp/engine/files/policy"

type Stamp = policy.Stamp
