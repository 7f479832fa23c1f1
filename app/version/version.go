// Package version owns the programs' version and the order of versions. It knows nobody and starts nothing.
package version

import "golang.org/x/mod/semver"

// Version is what packaging/version.sh said when the programs were built, after Semantic Versioning without a leading
// v; the linker sets it (Makefile, -X). Programs built with plain `go build` carry this value.
var Version = "dev"

// Valid reports whether v is a version after Semantic Versioning 2.0, without a leading v.
func Valid(v string) bool {
	return semver.IsValid("v"+v) && semver.Canonical("v"+v)+semver.Build("v"+v) == "v"+v
}

// Compare orders versions after Semantic Versioning 2.0: below 0 if a is older than b, 0 if neither is older, above 0
// else. What is no version ("dev") is older than any that is.
func Compare(a, b string) int { return semver.Compare("v"+a, "v"+b) }
