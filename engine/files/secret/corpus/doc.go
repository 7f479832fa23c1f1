// Package corpus generates secrets of common kinds in typical places, for tests and benchmarks. They have the formats
// that the services document, are generated from a seed, and grant no access. The source contains no values, so that
// scanners find no secrets in it.
//
// It must not depend on the rules of package secret. The forms (testdata) were written from the services'
// documentation, and those of ordinary passwords without knowledge of the rules.
package corpus
