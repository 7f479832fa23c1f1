// Package share implements shared indexes: their format on S3-compatible storage, publishing, and a reader's local
// copy. It must not depend on the reader's project.
//
// # Storage
//
//	manifest.json      lists the objects of the newest publication; is written last
//	objects/<sha256>   a part: 1 to 8 MB of JSON lines, compressed; each line is a file with its chunks
//	vectors/<time>/…   a LanceDB database with the tables of RFC 3.2
//
// Only manifest.json changes. Writing it fails if another publisher has written it meanwhile.
//
// A publisher uploads only changed parts. Parts end at paths with certain hashes, so that a changed file usually
// changes one part.
//
// The storage service copies the previous vector tables, and the publisher then changes the rows of the copy. The
// publisher only transfers keys and changed rows. After many changes, it writes all rows to a new table.
//
// A publisher deletes objects only if neither the new nor the previous manifest lists them, because some readers still
// use the previous publication.
//
// # Local copy
//
// A reader copies the files with their chunks to a local store without vectors. It reads all vectors once, to make a
// local sketch (quantized vectors for the search). Each publication has its own folder. The folder of an old
// publication is removed after its last search.
//
// Data from the storage is untrusted. The package checks hashes, sizes and paths. ReadPart decodes parts in a worker.
// The caller checks with engine/files/policy whether a path may be shown.
//
// # Goroutines and locks
//
// No goroutine outlives a call. Copy.refreshing is locked during downloads, and before Copy.mu.
package share
