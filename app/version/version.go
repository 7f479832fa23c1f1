// Package version owns the programs' version. It imports nothing of this module.
package version

// Version is the version from packaging/version.sh, by Semantic Versioning without a leading v. The linker sets it
// (Makefile, -X); plain `go build` keeps this value.
var Version = "dev"
