// Package secret finds passwords, keys and tokens in a file and replaces them with markers, so that chunks, vectors and
// answers never contain them. It must not depend on the source or use of the file, and it opens no files.
//
// # Rules
//
// An automaton scans the file once for the keywords of all rules (keyword.go). A rule runs only on the text around its
// keyword. The rules find:
//   - tokens of known formats (gitleaks.txt, formats.txt)
//   - passwords in commands and headers (formats.txt)
//   - key material (keyblock.go)
//   - the value after the name of a variable or field, in any syntax (assign.go)
//   - passwords in calls (call.go), tables (place.go), lists of accounts (accounts.go) and sentences (near.go)
//
// judge.go decides whether a value looks like a password. shape.go recognizes files that are meant to store secrets.
//
// The work is limited in proportion to the file's size. Callers treat a file that exceeds the limit as a secret.
//
// # Markers
//
// A finding is replaced by «[secret: AWS key]». Line breaks within it are kept. A marker is not a finding, so redacting
// is idempotent. A finding is kept if its line or the line above contains search-mcp:allow, gitleaks:allow or "pragma:
// allowlist secret".
//
// # Concurrency
//
// All functions are safe for concurrent use. Tables are built at first use. An expression is compiled when its keyword
// first occurs.
package secret
