// Package version owns the programs' version. It imports nothing of this module.
package version

// Version is a semantic version without a leading v, which packaging/version.sh determines. The linker sets it
// (Makefile, -X).
var Version = "dev"
