package project

import (
	"path"
	"strings"
)

// priority says whose vectors are made first: what questions are mostly about before what they rarely are.
func vectorPriority(p string) int {
	lower := strings.ToLower(p)
	base := path.Base(lower)
	switch {
	case strings.HasPrefix(base, "readme"):
		return 3
	case isTest(lower, base):
		return 0
	case isData(base):
		return -1
	case strings.HasSuffix(base, ".md"):
		return 2
	}
	return 1
}

func isTest(lower, base string) bool {
	for _, dir := range []string{"test/", "tests/", "testdata/", "__tests__/", "spec/", "fixtures/"} {
		if strings.HasPrefix(lower, dir) || strings.Contains(lower, "/"+dir) {
			return true
		}
	}
	stem := strings.TrimSuffix(base, path.Ext(base))
	return strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec") ||
		strings.HasPrefix(stem, "test_")
}

func isData(base string) bool {
	switch path.Ext(base) {
	case ".json", ".csv", ".tsv", ".svg", ".xml", ".yaml", ".yml", ".toml", ".sql", ".po", ".golden", ".snap":
		return true
	}
	return false
}
