// Package e2e tests the programs as a user and an editor use them: it builds and starts them, sends requests over
// standard input and the socket, and kills and restarts them. It contains only tests.
package e2e
