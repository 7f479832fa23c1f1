// Package baseline searches the same files for the same queries as the product, with bleve alone, SQLite's FTS5 and
// ripgrep. It must not import the engine.
package baseline
