// Package test contains the tests of packaging's scripts, which build, sign and verify packages of small fakes of the
// programs. clean-root.sh (make test-package) and container.sh (make test-container) test the real programs as root.
package test
