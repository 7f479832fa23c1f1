// Package corpus generates files with secrets of common kinds, for tests and benchmarks. The secrets have the formats
// that services document. They are generated from a seed and grant no access. The source contains no secrets, so that
// scanners find none.
//
// The package must not depend on the rules of package secret. The templates in testdata were written from the
// documentation of services.
package corpus
