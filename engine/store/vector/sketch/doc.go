// Package sketch finds the nearest rows of a vector table without reading the vectors. A search compares the query with
// the one-bit code of every row, and ranks the best candidates by their eight-bit codes. The codes need no training, so
// adding and removing rows costs the same at any size. A search needs 64 bytes of memory per row.
//
// The one-bit estimate is RaBitQ (Gao and Long, SIGMOD 2024) without its random rotation, which made no measurable
// difference for vectors of a language model (BENCHMARKS.md).
//
// It must not depend on LanceDB or on which rows are current. The caller recreates a damaged or missing sketch from the
// table.
//
// # Files
//
//	bits   a header and 64 bytes a row: one-bit code, factor, marks, hash of the path, CRC; written last
//	codes  448 bytes a row: eight-bit code, lines, id, offset of the file's entry in names, CRC
//	names  path and content hash, once for the rows of a file that were added together
//
// The files are written in the opposite order and never synced, like the table's files. The caller detects losses by
// comparing the numbers of rows.
//
// # Goroutines
//
// Search divides large tables and the rows to read among goroutines and waits for them.
//
// # Locks
//
// Searches read-lock Sketch.mu, also during their reads. Append and RemovePaths lock it while they write. The
// caller of an unexported method must have locked it.
package sketch
