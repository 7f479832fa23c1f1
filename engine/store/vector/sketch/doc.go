// Package sketch finds the nearest rows of a vector table without visiting the vectors: each row has a code of one
// bit a dimension, which all are compared with a query, and one of eight bits, which decides among those that the
// first let through. It needs no training, so rows come and go at any size for the same cost, and memory while
// searching is 64 bytes a row.
//
// The estimate from one bit is that of RaBitQ (Gao and Long, SIGMOD 2024) without its random rotation, which was
// measured to change nothing for the vectors of a language model. Figures: BenchmarkNearest of engine/store/vector,
// BENCHMARKS.md.
//
// It must not know LanceDB, nor which rows are current. A sketch is derived: whoever finds it damaged or missing
// makes another from the table's rows.
//
// # Files
//
//	bits   a header and 64 bytes a row: one-bit code, factor, marks, hash of the path, CRC; with it a row exists
//	codes  448 bytes a row: eight-bit code, lines, id, place of the file's entry in names, CRC
//	names  path and content hash, once for the rows of a file that were added together
//
// They are written in the opposite order, never synced: the table's files are not either, and the caller compares
// row counts.
//
// # Goroutines
//
// Search divides large tables, and the rows that it reads, among goroutines and waits for them.
//
// # Locks
//
// Sketch.mu: searches share it, also over their reads; Append and Remove hold it alone while they write.
package sketch
