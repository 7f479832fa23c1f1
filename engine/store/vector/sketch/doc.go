// Package sketch finds the nearest rows of a vector table without reading the vectors. Each row has two codes. A search
// compares all codes of one bit per dimension with the query, and ranks the resulting candidates by their codes of
// eight bits. The codes need no training, so adding and removing rows costs the same at any size, and a search needs 64
// bytes of memory per row.
//
// The one-bit estimate is that of RaBitQ (Gao and Long, SIGMOD 2024) without its random rotation, which made no
// measurable difference for the vectors of a language model. BENCHMARKS.md contains its figures.
//
// It must not know LanceDB, nor which rows are current. A sketch is derived data: the caller remakes a damaged or
// missing one from the table's rows.
//
// # Files
//
//	bits   a header and 64 bytes a row: one-bit code, factor, marks, hash of the path, CRC; with it a row exists
//	codes  448 bytes a row: eight-bit code, lines, id, offset of the file's entry in names, CRC
//	names  path and content hash, once for the rows of a file that were added together
//
// They are written in the opposite order and never synced. The table's files are not synced either, and the caller
// compares row counts.
//
// # Goroutines
//
// Search divides large tables, and the rows that it reads, among goroutines and waits for them.
//
// # Locks
//
// Sketch.mu: searches read-lock it, also over their reads; Append and Remove write-lock it while they write.
package sketch
