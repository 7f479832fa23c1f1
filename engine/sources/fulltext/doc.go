// Package fulltext is an in-memory full-text search over documents of several weighted fields, built on bleve: it
// finds words in other forms and despite typing errors. Sites and document folders search with it; the archive and
// named indexes use its words, forms and excerpts.
//
// It must not know files, tools or the kind of documents. bleve's goroutines end when an Index is garbage. Index.mu is
// locked while a search applies changes to bleve's index. The lock of the cache of stems is a leaf.
//
// # Scores
//
// A score is bleve's TF-IDF of the query's stemmed terms in all fields together, times the fraction of the terms that
// the document contains. Each field adds to it according to its weight. A score s is shown as s/(s+c), in [0,1]. An
// unknown term matches words within two typing errors (Damerau's four), with it as a prefix, or as a part, each with
// less weight.
//
// 10,000 pages of 430 words take 71 MB. `make bench-sources` compares the ranking with other tools.
package fulltext
