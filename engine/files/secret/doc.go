// Package secret finds passwords, keys and tokens in the bytes of a file and replaces them by markers, so that chunks,
// vectors and answers never contain them.
//
// It owns the formats of tokens (gitleaks.txt, formats.txt), rules for commands and headers (rules.go), names of secrets
// (assign.go), passwords in calls (call.go), tables (place.go), sentences (near.go) and lists of accounts (accounts.go),
// the form of passwords (judge.go), key material (keyblock.go), and files that contain only secrets (shape.go). It must
// not depend on the source or use of the bytes, and it opens no files.
//
// # Algorithm
//
// An automaton built from the keywords of all rules (keyword.go) scans the bytes once, at about 1.3 ns per byte. A
// rule's expression runs only on the text around its keyword. The work is limited in proportion to the file's size. A
// file that exceeds the limit can't be checked, and callers treat the whole text as a secret.
//
// # Markers
//
// A finding is replaced by «[secret: AWS key]». Line breaks within it are kept, so that line numbers don't change. A
// marker is not a finding, so redacting is idempotent. A finding is not replaced if its line or the line above contains
// search-mcp:allow, gitleaks:allow or detect-secrets' "pragma: allowlist secret".
//
// # Concurrency
//
// All functions are safe for concurrent use. Tables are built at first use, and an expression is compiled when its
// keyword first occurs.
package secret
