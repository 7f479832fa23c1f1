// Package corpus makes secrets of the kinds that people have, in the places where they keep them, to measure and test
// by. Each is made by a program from a seed in the form that its service documents, and opens nothing; no value stands
// in the source, so that scanners find none here.
//
// It knows no rule of package secret: forms (testdata) are written down once more, from the services' documentation,
// and those of ordinary passwords without having seen the rules. Nothing of the product imports it.
package corpus
