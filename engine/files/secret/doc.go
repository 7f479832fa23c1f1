// Package secret finds passwords, keys and tokens in the bytes of a file and puts a mark in their place, so that
// nothing that is made from those bytes can hold them: no chunk, no vector, no answer.
//
// It owns the rules: the forms of tokens (gitleaks' table, gitleaks.go, and our own, rules.go), names to which a secret
// is assigned (assign.go), places of passwords in calls and test scripts (call.go), tables and sentences (place.go) and
// lists of accounts (accounts.go), what a password looks like (judge.go), key material (keyblock.go), and the shapes of
// files that hold nothing else (shape.go). It must not know where bytes come from or what becomes of them, and it opens
// no file.
//
// # How it looks
//
// One pass over the bytes with an automaton of all rules' keywords (keyword.go) costs about 2 ns a byte, and is all
// that most files get. A rule's expression runs on the surroundings of its keyword only, and work is bounded by the
// file's size: a file that asks for more is not to be checked, which its caller treats as a secret.
//
// # What becomes of a finding
//
// The span is replaced by «[secret: AWS key]». Line breaks inside it stay, so every other line keeps its number. A mark
// is no finding, so redacting twice is redacting once. A line with search-mcp:allow in it, or below one, is left alone;
// gitleaks:allow and detect-secrets' «pragma: allowlist secret» mean the same.
//
// # Concurrency
//
// All functions are safe for concurrent use. Tables are built at first use, expressions when their keyword is first
// met.
package secret
