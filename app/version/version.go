// Package version owns the programs' version. It knows nobody and starts nothing.
package version

// Version is what packaging/version.sh said when the programs were built, after Semantic Versioning without a leading
// v; the linker sets it (Makefile, -X). Programs built with plain `go build` carry this value.
var Version = "dev"
