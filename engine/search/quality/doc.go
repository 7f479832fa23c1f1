// Package quality measures how good search is: questions about open-source projects, written and labelled by reading
// them, asked of the product's own chunker, text index, model and ranking, and of baselines in the same run.
//
// It owns the questions (testdata), the pins of the projects, and the measures. Nothing of the product
// imports it, and it must not change what it measures: it calls the packages as the engine does, but keeps vectors in
// memory and in a cache of its own, so that a run takes seconds once they are made.
//
// Projects are halved into dev and test. Constants are chosen on dev; a change that helps dev and not test has learnt
// the questions. Further parts, fresh, later, trees, logged, broad and unseen, were written without a search when the
// constants stood; logged is asked with a history, whose weights were chosen on it, and broad chose how much meaning
// counts in sentences, which unseen judges. The part training, which is none of these, is what the ranking's
// trees learn from (folder train). Requests about something else than software tell how often nothing is found.
//
// Goroutines: Open works on the cores' number of projects at once and waits; measuring does the same. Locks: listing,
// a leaf, and bleve's.
package quality
