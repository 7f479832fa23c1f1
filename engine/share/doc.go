// Package share owns shared indexes: their form on S3-compatible storage, publishing, and a reader's local copy.
//
// # On the storage
//
//	manifest.json            the parts of the newest publication; replaced last, unless another publisher was faster
//	objects/<sha256>         files with their chunks: 1 to 8 MB of JSON lines, compressed; immutable
//	vectors/<time>/…         a LanceDB database with the tables of RFC 3.2, of one publication
//
// Hashes of paths determine where parts end, so that a changed file changes one part. Tables are immutable once a
// manifest names them. If rows differ, the storage service copies the previous tables, and the publisher changes the
// copy. This transfers only keys and changed rows. After many changes, the publisher writes all rows again. A
// publication keeps the objects of the previous publication for readers that have not updated yet.
//
// # A reader's copy
//
// The files become an ordinary store without vectors. The vectors are read once to create a local sketch. Each
// publication is copied to its own folder, and the old copy is removed after its last reader has finished.
//
// All data from the storage is checked before use: hashes, sizes, the form of paths. ReadPart decodes parts in the
// worker, and files are committed in groups, to bound memory. The caller decides whether a path may be shown
// (engine/files/policy) and whether a local file replaces it. The package must not depend on the local files.
//
// # Goroutines and locks
//
// No goroutine outlives a call. Copy.mu is a leaf. Copy.refreshing is held during downloads.
package share
