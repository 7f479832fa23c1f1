// Package files reads the small files of a data folder and writes them atomically: fingerprints, file times, metadata,
// configurations and settings.
//
// It must not depend on the text index or the vector table. It starts no goroutines. Its only lock, Settings.mu, is
// held while the settings are written.
package files

import "searchmcp/engine/files/policy"

type Stamp = policy.Stamp
