package docs

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// promised are the rows that the reviews counted, by the heading of promises.md.
var promised = map[string]int{"RFC": 255, "Sites": 89, "Named indexes": 94, "Documents": 229, "Archives": 73}

// TestPromises: every row of the reviews can be found by its number, and says what happens now and what holds it.
func TestPromises(t *testing.T) {
	text := pages(t)["promises.md"].text
	row := regexp.MustCompile(`^\| (\d+)(?:–(\d+))? \|`)
	found := map[string]map[int]bool{}
	heading := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "## "); ok {
			heading = name
			found[heading] = map[int]bool{}
		}
		m := row.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		from, _ := strconv.Atoi(m[1])
		to := from
		if m[2] != "" {
			to, _ = strconv.Atoi(m[2])
		}
		for n := from; n <= to; n++ {
			found[heading][n] = true
		}
		cells := strings.Split(strings.Trim(line, "|"), " | ")
		if len(cells) != 4 || slices.ContainsFunc(cells, func(c string) bool { return strings.TrimSpace(c) == "" }) {
			t.Errorf("%s %s: %d cells, or an empty one", heading, m[0], len(cells))
		}
	}
	for name, rows := range promised {
		for n := 1; n <= rows; n++ {
			if !found[name][n] {
				t.Errorf("%s: row %d is missing", name, n)
			}
		}
		if len(found[name]) != rows {
			t.Errorf("%s: %d rows, want %d", name, len(found[name]), rows)
		}
	}
	if got := slices.Sorted(maps.Keys(found)); len(got) != len(promised) {
		t.Errorf("headings %q", got)
	}
}
