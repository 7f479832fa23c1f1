package project

import (
	"path"
	"strings"

	"searchmcp/engine/search"
)

// vectorPriority returns the priority of a file in the computation of vectors. Files that many queries find have high
// priorities.
func vectorPriority(p string) int {
	base := path.Base(strings.ToLower(p))
	switch {
	case strings.HasPrefix(base, "readme"):
		return 3
	case search.IsTest(p):
		return 0
	case isData(base):
		return -1
	case strings.HasSuffix(base, ".md"):
		return 2
	}
	return 1
}

func isData(base string) bool {
	switch path.Ext(base) {
	case ".json", ".csv", ".tsv", ".svg", ".xml", ".yaml", ".yml", ".toml", ".sql", ".po", ".golden", ".snap":
		return true
	}
	return false
}
