// Package api holds the nouns of Search MCP: what every other package speaks about and no package needs an
// implementation to name. Plain data, error kinds and their texts; no logic, no goroutines, no locks, standard library
// only.
package api
