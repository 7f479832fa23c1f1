// Package site serves the search indexes of static sites (docs/specification.md#sites). It also creates an index of a
// folder of pages.
//
// The data folder contains the list of sites (sites.json) and copies of their indexes (sites/). A copy is replaced
// only by a complete and valid index. Only sites that the user added are fetched.
//
// It must not depend on tools, sessions or projects. It starts no goroutine. Registry.changing is locked while the
// list or a site changes, also during fetches. site.loading guards a site's index in memory and is locked while its
// copy is read.
package site
