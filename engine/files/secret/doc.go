// Package secret finds passwords, keys and tokens in the bytes of a file and replaces them with markers, so that
// chunks, vectors and answers never contain them. It must not depend on the source or use of the bytes, and it opens
// no files.
//
// An automaton built from the keywords of all rules (keyword.go) scans the bytes once. A rule runs only on the text
// around its keyword:
//
//   - tables of formats of tokens (gitleaks.txt, formats.txt) and expressions for commands and headers (rules.go);
//   - key material (keyblock.go);
//   - the value after a name, in any syntax (assign.go), in calls (call.go), tables (place.go), lists of accounts
//     (accounts.go) and sentences (near.go). The form of the value decides whether it is a password (judge.go).
//
// The work is limited in proportion to the file's size. Callers treat a file that exceeds the limit as a secret.
//
// # Markers
//
// A finding is replaced by «[secret: AWS key]». Line breaks within it are kept. A marker is not a finding, so
// redacting is idempotent. A finding is not replaced if its line or the line above contains search-mcp:allow,
// gitleaks:allow or detect-secrets' "pragma: allowlist secret".
//
// # Concurrency
//
// All functions are safe for concurrent use. Tables are built at first use, and an expression is compiled when its
// keyword first occurs.
package secret
