// Package site serves the search indexes of static sites (docs/specification.md#sites): it fetches an index from a
// file, an http(s) address or an S3-compatible bucket, validates it, keeps a copy, searches it, and makes an index
// of a folder of pages.
//
// The list of sites is sites.json in the data folder; copies of the indexes are in sites/. A copy is replaced only
// by a complete and valid index. Only sites that the user added are fetched.
//
// It must not know tools, sessions or projects. Run is its only goroutine, the caller's. Registry.mu guards the
// list, and site.loading one site's index while it is read; they are never locked together, and Registry.mu never
// over I/O.
package site
