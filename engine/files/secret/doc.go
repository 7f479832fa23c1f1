// Package secret finds passwords, keys and tokens in a file and replaces them with markers, so that chunks, vectors and
// answers never contain them. It must not depend on the source or use of the file, and it opens no files.
//
// # Rules
//
// An automaton finds the keywords of all rules in one pass (keyword.go). A rule checks the text around its keyword. The
// rules find:
//   - tokens of known formats (gitleaks.txt, formats.txt)
//   - passwords in commands and headers (formats.txt)
//   - private keys (keyblock.go)
//   - the value after the name of a variable or field, in any syntax (assign.go)
//   - passwords in calls (call.go), tables (place.go), lists of accounts (accounts.go) and sentences (near.go)
//
// judge.go decides whether a value looks like a password. shape.go recognizes files that are meant to store secrets.
//
// The work is limited in proportion to the file's size. Callers treat a file that exceeds the limit as a secret.
//
// # Markers
//
// Redact replaces a secret by a marker such as «[secret: AWS key]», and keeps line breaks. A secret is kept if its line
// or the line above contains search-mcp:allow, gitleaks:allow or "pragma: allowlist secret".
//
// # Concurrency
//
// All functions are safe for concurrent use.
package secret
