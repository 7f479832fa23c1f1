// Package quality measures how good search is: questions about open-source projects, written and labelled by reading
// them, asked of the product's own chunker, text index, model and ranking, and of baselines in the same run.
//
// It owns the questions (testdata), the pins of the projects, and the measures: how files are ranked, whether an answer
// tells the place, and what it costs a reader until the place has been read. Nothing of the product imports it. It
// calls the product's packages as the engine does, renders answers by the tool's own code, and keeps vectors in memory
// and in a cache of its own, so that a run takes seconds once they are made.
//
// The sets differ by who asks: questions written by reading the code (written), bare names of types (symbols), entries
// of changelogs (changes) and messages of commits (commits). Of a question's place is known what its author called the
// relevant lines, or which lines the change touched. A quarter of the projects, by a hash of their names, is put aside:
// nothing is chosen by it. Requests about something else than software count how often nothing is found.
//
// Goroutines: Open works on the cores' number of projects at once and waits; measuring does the same. Locks: listing,
// a leaf, and bleve's.
package quality
