// Package fulltext is full-text search over documents of several weighted fields in memory, by bleve: words are found
// in other forms and in spite of typing errors. Sites and document folders search with it; the archive and named
// indexes take its words, forms and excerpts.
//
// It must not know files, tools or what the documents are. bleve's goroutines end when an Index is garbage. Index.mu is
// held while changes are put into bleve's index, which the next search does; the cache of stems has a lock of its own,
// a leaf.
//
// # Scores
//
// bleve's TF-IDF of the query's terms, as stems, in all fields together, times the share of the terms that a document
// has; the fields by themselves add to that by their weights. A score s is shown as s/(s+c), in [0,1]. A term that does
// not occur stands for words within two typing errors (Damerau's four), that begin with it or have it as a part, each
// with less weight.
//
// 10,000 pages of 430 words take 71 MB. `make bench-sources` compares the ranking with other tools.
package fulltext
