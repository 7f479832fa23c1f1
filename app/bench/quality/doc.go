// Package quality measures the quality of search with labelled questions about open-source projects. It asks the
// product's chunker, text index, embedding model and ranking, and baselines in the same run.
//
// The questions and the pinned versions of the projects are in testdata. The package measures the ranking of files,
// whether an answer shows a relevant line, and the tokens that an assistant reads until it has seen this line with
// its context. The product does not import it. It calls the product's packages like the engine and renders answers
// with the code of the tools. Vectors are cached on disk, so a repeated run takes seconds.
//
// The sets of questions have different sources: questions written by reading the code (written), names of types
// (symbols), entries of changelogs (changes) and messages of commits (commits). The relevant lines of an answer are
// marked by the question's author, or are those that the commit changed. A quarter of the projects, chosen by a hash
// of their names, is held out and not used for tuning. Requests that are not about software measure how often search
// returns no result.
//
// Goroutines: Each processes as many projects at once as there are cores. Locks: listing, under which no other lock
// is acquired, and those of bleve.
package quality
