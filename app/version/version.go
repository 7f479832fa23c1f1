// Package version owns the programs' version. It imports nothing of this module.
package version

// Version is the semantic version of the programs, without a leading v. The Makefile sets it.
var Version = "dev"
