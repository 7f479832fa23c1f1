// Package baseline is what the product is measured against: a bare bleve, SQLite's FTS5 and ripgrep, over the same
// files and for the same questions. It must not know the engine, and nothing of the product imports it.
package baseline
