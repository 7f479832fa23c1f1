// Package site serves the search indexes of static sites (docs/specification.md#sites): it fetches an index from a
// file, an http(s) address or an S3-compatible bucket, validates it, keeps a copy, searches it, and makes an index
// of a folder of pages.
//
// The list of sites is sites.json in the data folder; copies of the indexes are in sites/. A copy is replaced only
// by a complete and valid index. Only sites that the user added are fetched.
//
// It must not know tools, sessions or projects. It starts no goroutine. Registry.mu guards the list and is never locked
// over I/O. site.loading guards the index of one site and is locked while it is read. They are never locked together.
package site
