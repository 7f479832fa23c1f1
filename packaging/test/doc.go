// Package test contains the tests of packaging's scripts: packages of small fakes of the programs are built, signed and
// verified within seconds. Tests with root and the real programs are clean-root.sh (make test-package) and container.sh
// (make test-container). It uses the scripts only.
package test
