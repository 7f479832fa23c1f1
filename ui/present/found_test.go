package present

import (
	"slices"
	"testing"

	"searchmcp/engine/api"
)

func TestLead(t *testing.T) {
	lines := func(texts ...string) (all []api.Line) {
		for i, text := range texts {
			all = append(all, api.Line{Number: i + 1, Text: text})
		}
		return all
	}
	for _, c := range []struct {
		lines []api.Line
		best  int
		want  []int
	}{
		{lines("func run() {", "\tfor {", "\t\tretry()"), 3, []int{1, 3}},
		{lines("def sleep(seconds):", `    """`, "    Waits so long."), 1, []int{1, 3}},
		{lines("/** parses what is given", "*/", "def parse()"), 1, []int{1, 3}},
		{lines("", "}", "retry()"), 3, []int{3}},
		{lines("}", "—"), 1, []int{1}},
	} {
		var got []int
		for _, l := range lead(api.Hit{Lines: c.lines, Best: c.best}) {
			got = append(got, l.Number)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v, best %d: lines %v, want %v", c.lines, c.best, got, c.want)
		}
	}
}
