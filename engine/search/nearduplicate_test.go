package search

import (
	"fmt"
	"strings"
	"testing"
)

func TestDoubles(t *testing.T) {
	var body strings.Builder
	for i := range 10 {
		fmt.Fprintf(&body, "\tstep%d(ctx)\n", i)
	}
	original := "func run() {\n" + body.String() + "}"
	d := newNearDuplicates()
	for _, tc := range []struct {
		what, text string
		want       int
	}{
		{"first", original, -1},
		{"same", original, 0},
		{"other indentation", strings.ReplaceAll(original, "\t", "    "), 0},
		{"one line changed", strings.Replace(original, "step3", "third", 1), 0},
		{"half of it", original[:len(original)/2], -1},
		{"of one shape", strings.ReplaceAll(original, "step", "other"), -1},
		{"nothing telling", "}\n}\n", -1},
		{"nothing telling again", "}\n}\n", -1},
		{"the other again", strings.ReplaceAll(original, "step", "other"), 2},
	} {
		if got := d.find(d.lines(tc.text)); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.what, got, tc.want)
		}
	}
}

// As many chunks as a search compares, of 40 lines.
func BenchmarkDoubles(b *testing.B) {
	var texts []string
	for i := range maxRescored {
		var t strings.Builder
		for k := range 40 {
			fmt.Fprintf(&t, "\tline %d of chunk %d, as long as lines are\n", k, i)
		}
		texts = append(texts, t.String())
	}
	for b.Loop() {
		d := newNearDuplicates()
		for _, t := range texts {
			d.find(d.lines(t))
		}
	}
}
