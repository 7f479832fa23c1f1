// Package version owns the programs' version. It imports nothing of this module.
package version

// Version is a semantic version without a leading v, from packaging/version.sh. The linker sets it (Makefile, -X).
var Version = "dev"
