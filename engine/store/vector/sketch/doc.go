// Package sketch finds the nearest rows of a vector table. It stores two codes per vector, with one and eight bits per
// component. A search compares the query with the one-bit codes of all rows. It then ranks the best candidates by their
// eight-bit codes. An open sketch needs 64 bytes of memory per row.
//
// The one-bit codes are those of RaBitQ (Gao and Long, SIGMOD 2024) without the random rotation, which made no
// measurable difference (BENCHMARKS.md). They need no training.
//
// The package must not depend on LanceDB. The caller recreates a damaged or missing sketch from the vector table.
//
// # Files
//
// Rows are written to three files, in this order:
//
//	names  path and content hash, once for all rows of a file that are added together
//	codes  448 bytes per row: eight-bit code, lines, id, offset of the path in names, CRC
//	bits   a header, and 64 bytes per row: one-bit code, factor, removed bit, hash of the path, CRC
//
// The files are not synced. After a crash, the caller detects missing rows by comparing the numbers of rows.
//
// # Goroutines and locks
//
// Search starts goroutines and waits for them. It holds Sketch.mu for reading, and Append and RemovePaths for writing.
// The caller of an unexported method must hold Sketch.mu.
package sketch
