// Package fulltext is an in-memory full-text search over documents with weighted fields, built on bleve. It also
// finds other forms of words and misspelt words. Archives and named indexes use its functions for words, forms and
// excerpts.
//
// It must not depend on files, tools or the kind of documents. bleve's goroutines end when an Index is
// garbage-collected. Index.mu is locked while a search applies changes to bleve's index.
//
// # Scores
//
// A document's score is the sum of bleve's TF-IDF scores of the query's stemmed terms. The text of all fields counts,
// and each field again with its weight. bleve multiplies the sum by the fraction of the terms that the document
// contains. A score s is shown as s/(s+halfScore), in [0,1]. A term that is not in the index matches, with less weight,
// words within two typing errors, and words that begin with or contain the term.
//
// An index of 10,000 pages of 430 words takes 71 MB.
package fulltext
