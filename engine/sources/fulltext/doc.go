// Package fulltext is a small full-text index in memory: documents of several weighted fields, words found in spite of
// typing errors, excerpts around what was found. Sites and document folders search with it.
//
// bleve in memory is no substitute: 10,000 pages of 430 words took 885 MB there and 67 MB here, and a query with typing
// errors 205 to 431 ms against 3 to 14 ms (match query, fuzziness 2); and this package's bonuses, bigrams and scores in
// [0,1] would still be ours.
//
// It must not know files, tools or what the documents are. It starts no goroutine. Index.mu is its only lock: searches
// share it, changes hold it alone.
//
// # Scores
//
// A query's word t stands for the words w of the index that it may mean, each with a quality q(t,w): 1 for the word
// itself, less for another form of it, its beginning, a word that it is part of, and a typing error (Damerau's four: a
// letter wrong, missing, too many, two swapped). With tf occurrences in a field of length n (average a):
//
//	field(t) = max over w of q(t,w) · tf / (tf + k·(1−b+b·n/a))     BM25's saturation, in [0,1)
//	raw      = Σ over fields of weight · Σ over t of idf(t)·field(t) / Σ over t of idf(t)
//
// Weights are scaled to a sum of 1. raw is lowered when words of the query are missing from the document, raised when
// one short field holds them all, and shown as its square root, which spreads the low end; so a score lies in [0,1].
// The first documents are then raised by how near to each other the words stand in their texts, where the caller can
// give those.
package fulltext
