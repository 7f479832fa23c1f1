// Package site serves the search indexes of static sites (docs/specification.md#sites): it fetches an
// index from a file, an http(s) address or an S3-compatible bucket, checks it, keeps a copy, searches it, and makes an
// index of a folder of pages.
//
// The list of sites is sites.json in the data folder; copies of the indexes stand under sites/. A copy is replaced only
// by an index that was read whole and has no problem. Nothing is fetched but what a person has added.
//
// It must not know tools, sessions or projects. Run is its only goroutine, the caller's. Registry.mu guards the list,
// and site.loading one site's index while it is read; neither is held while the other is taken, Registry.mu over no
// I/O.
package site
