// Package e2e tests the programs as a person and an editor use them: built, started, spoken to over standard input and
// the socket, killed and started again. It has no code of its own outside its tests.
package e2e
