// Package vector stores the vectors of a corpus in LanceDB tables. Package lance runs LanceDB.
//
// Searches read a sketch of the table (package sketch), which contains quantized vectors. A sketch is outdated if its
// number of rows differs from the table's.
//
// The package must not depend on fingerprints or the text index. Callers ignore outdated rows. It starts no goroutines.
//
// # Locks
//
// Calls hold Table.mu for reading, also during the native call. Close waits for these calls. sketched.opening is
// held while a sketch is opened.
package vector
