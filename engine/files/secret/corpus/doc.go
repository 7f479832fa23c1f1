// Package corpus generates files with secrets of common kinds, for tests and benchmarks. The secrets have the formats
// that services document, but grant no access. They are generated from a seed. The source contains no secrets, so that
// scanners find none.
//
// The package must not depend on the rules of package secret.
package corpus
