// Package corpus generates secrets of common kinds in typical places, for measurements and tests. Each is generated
// from a seed in the format documented by its service and grants no access. The source contains no values, so that
// scanners find none here.
//
// It must not know the rules of package secret: the forms (testdata) were written from the services' documentation,
// and those of ordinary passwords without knowledge of the rules. Only tests and benchmarks import it.
package corpus
