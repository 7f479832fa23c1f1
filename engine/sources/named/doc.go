// Package named owns the named full-text indexes that assistants fill and search (docs/specification.md#named-indexes):
// TF-IDF over documents held in memory, shared by all sessions of the app and gone when it stops.
//
// It does not search by engine/sources/fulltext: a tokenizer that the caller chooses, phrases, required and forbidden
// terms, exact forms and a bound on memory are specified, and typing errors are not forgiven.
//
// It must not know tools, sessions or the disk. It starts no goroutine. Registry.mu guards everything; searches share
// it, changes hold it alone.
//
// # Scores
//
// For a query term t that occurs f times in a document of length l (average a), in df of the index's N documents:
//
//	weight(t) = √f · ln(1 + N/df) / (1 − s + s·l/a),  s = 0.2
//
// TF-IDF with pivoted length normalization (Singhal, Buckley, Mitra 1996): without it long documents, which have every
// word, stand first. `make bench-sources` compares it with others.
//
// Words count by their stems, and what stands together in a query (node.js, user_id) as one term. A document's score is
// the sum over the distinct terms of the query, those of phrases and of +term included.
package named
