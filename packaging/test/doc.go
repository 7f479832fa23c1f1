// Package test contains the tests of the packaging scripts, which build, sign and verify packages of fake programs.
// clean-root.sh (make test-package) and container.sh (make test-container) test the real programs as root.
package test
