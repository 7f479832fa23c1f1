// Package site serves the search indexes of static sites (docs/specification.md#sites). It also creates an index of a
// folder of pages.
//
// The data folder contains the list of sites, sites.json, and the copies of indexes in sites/. Only a complete and
// valid index replaces a copy. Only sites that the user added are fetched.
//
// It must not depend on tools, sessions or projects. It starts no goroutine. Registry.changing is locked while the
// list or a site changes, also during fetches. site.loading guards a site's index in memory and is locked while the
// copy is read.
package site
