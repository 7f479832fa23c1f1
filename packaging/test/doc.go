// Package test holds the tests of what packaging's scripts make: packages of small stand-ins for the programs, built,
// signed and verified within seconds. What needs root and the real programs is clean-root.sh (make test-package) and
// container.sh (make test-container). It knows the scripts, and nothing of what the programs do.
package test
