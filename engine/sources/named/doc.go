// Package named owns the named full-text indexes that assistants fill and search
// (docs/specification.md#named-indexes). They are in memory, shared by all sessions, and lost when the app exits.
//
// A search compares every document with the query, which takes 40 ms for 10,000 documents. Package fulltext would be
// faster, but has no configurable tokenizer, exact phrases or memory limit.
//
// It must not depend on tools, sessions or the disk. It starts no goroutine. Registry.mu guards all fields. Searches
// read-lock it.
//
// # Scores
//
// For a query term t that occurs f times in a document of length l, in an index of N documents of average length a, df
// of which contain t:
//
//	weight(t) = √f · ln(1 + N/df) / (1 − s + s·l/a),  s = 0.2
//
// This is TF-IDF with pivoted length normalization (Singhal, Buckley, Mitra 1996), without which long documents would
// rank first. Words match by their stems. A document's score is the sum of the weights of the query's distinct terms,
// including terms in phrases and after "+".
package named
