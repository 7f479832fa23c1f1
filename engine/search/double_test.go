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
	d := newDoubles()
	for _, tc := range []struct {
		what, text string
		want       bool
	}{
		{"first", original, false},
		{"same", original, true},
		{"other indentation", strings.ReplaceAll(original, "\t", "    "), true},
		{"one line changed", strings.Replace(original, "step3", "third", 1), true},
		{"half of it", original[:len(original)/2], false},
		{"of one shape", strings.ReplaceAll(original, "step", "other"), false},
		{"nothing telling", "}\n}\n", false},
		{"nothing telling again", "}\n}\n", false},
	} {
		if got := d.seen(tc.text); got != tc.want {
			t.Errorf("%s: %v", tc.what, got)
		}
	}
}

// As many chunks as a search compares, of 40 lines.
func BenchmarkDoubles(b *testing.B) {
	var texts []string
	for i := range compared {
		var t strings.Builder
		for k := range 40 {
			fmt.Fprintf(&t, "\tline %d of chunk %d, as long as lines are\n", k, i)
		}
		texts = append(texts, t.String())
	}
	for b.Loop() {
		d := newDoubles()
		for _, t := range texts {
			d.seen(t)
		}
	}
}
