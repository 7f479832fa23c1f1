package watch

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func at(ms int) time.Time { return time.UnixMilli(1_700_000_000_000 + int64(ms)) }

func replay(t *testing.T, changes map[int][]string, until int) []string {
	t.Helper()
	p := newDebouncer(defaultLimits)
	var notified []string
	for ms := 0; ms <= until; ms++ {
		for _, c := range changes[ms] {
			p.touch(c, at(ms))
		}
		if due, ok := p.due(); ok && !at(ms).Before(due) {
			if b := p.take(at(ms)); !b.Empty() {
				notified = append(notified, fmt.Sprintf("%d: %v", ms, b.Paths))
			}
			if again, ok := p.due(); ok && !again.After(at(ms)) {
				t.Fatalf("at %d ms a batch was due and taking it changed nothing", ms)
			}
		}
	}
	return notified
}

func TestStability(t *testing.T) {
	every := func(step, from, to int, path string) map[int][]string {
		m := map[int][]string{}
		for ms := from; ms <= to; ms += step {
			m[ms] = append(m[ms], path)
		}
		return m
	}
	logAndEdit := every(100, 0, 25000, "app.log")
	logAndEdit[5000] = append(logAndEdit[5000], "a.go")
	storm := map[int][]string{}
	for i := range 90 {
		storm[i*100] = []string{fmt.Sprintf("f%02d", i)}
	}
	tests := []struct {
		name    string
		changes map[int][]string
		until   int
		want    []string
	}{
		{"one save", map[int][]string{0: {"a"}}, 3000, []string{"500: [a]"}},
		{"saved twice", map[int][]string{0: {"a"}, 300: {"a"}}, 3000, []string{"800: [a]"}},
		{"two files together", map[int][]string{0: {"a"}, 400: {"b"}}, 3000, []string{"900: [a b]"}},
		{"two files apart", map[int][]string{0: {"a"}, 600: {"b"}}, 3000, []string{"500: [a]", "1100: [b]"}},
		// The file is noisy after 2 s, and is sent after 10 s and when it is quiet.
		{"copied for 12 s", every(100, 0, 12000, "big"), 20000, []string{"10000: [big]", "12500: [big]"}},
		// A continuously written log must not delay an edit for longer.
		{"log and edit", logAndEdit, 30000, []string{"5500: [a.go]", "10000: [app.log]", "20100: [app.log]",
			"25500: [app.log]"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			wantList(t, replay(t, tt.changes, tt.until), tt.want, "replay")
		})
	}
	t.Run("storm of 9 s", func(t *testing.T) {
		wantEqual(t, len(replay(t, storm, 20000)), 1, "replay")
	})
}

func TestRescanForgetsPaths(t *testing.T) {
	p := newDebouncer(defaultLimits)
	p.touch("a", at(0))
	p.forceRescan(CauseOverflow, at(100))
	p.touch("b", at(200))
	b := p.take(at(700))
	if !b.Rescan || len(b.Paths) != 0 || b.Cause != CauseOverflow {
		t.Errorf("%+v", b)
	}
	if _, ok := p.due(); ok {
		t.Error("a batch is still due")
	}
	for i := range p.maxPending + 1 {
		p.touch(fmt.Sprint(i), at(1000))
	}
	if b := p.take(at(2000)); !b.Rescan || b.Cause != CauseOverflow {
		t.Errorf("more paths than are remembered: %+v", b)
	}
}

func TestCollapse(t *testing.T) {
	many := func(dir string, n int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprintf("%s%d", dir, i))
		}
		return list
	}
	tests := []struct {
		name   string
		in     []string
		want   []string
		rescan bool
	}{
		{"nothing", nil, []string{}, false},
		{"sorted", []string{"b", "a/c", "a.go"}, []string{"a.go", "a/c", "b"}, false},
		{"below another", []string{"a", "a/b", "a/b/c", "ab/c"}, []string{"a", "ab/c"}, false},
		{"the root", []string{".", "a"}, nil, true},
		{"many in one folder", many("d/", 5), []string{"d"}, false},
		{"as many as allowed", many("d/", 4), many("d/", 4), false},
		{"many at the top", many("", 5), nil, true},
		{"folders that merge upward", slices.Concat(many("x/a/", 5), many("x/b/", 5), many("x/c/", 5), many("x/d/", 5),
			many("x/e/", 5)), []string{"x"}, false},
		{"many in all", slices.Concat(many("a/", 4), many("b/", 4), many("c/", 4)), nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			set := map[string]struct{}{}
			for _, p := range tt.in {
				set[p] = struct{}{}
			}
			got, rescan := collapse(set, 4, 10)
			wantList(t, got, tt.want, "result")
			wantEqual(t, rescan, tt.rescan, "rescan")
		})
	}
}

func TestJoin(t *testing.T) {
	a := Batch{Paths: []string{"b", "c"}, Cause: CauseChange}
	b := Batch{Paths: []string{"a", "c"}, Ignore: true, Cause: CausePolicy}
	got := a.join(b)
	if !slices.Equal(got.Paths, []string{"a", "b", "c"}) || !got.Ignore || got.Cause != CausePolicy {
		t.Errorf("%+v", got)
	}
	got = got.join(Batch{Rescan: true, Full: true, Cause: CauseDaily})
	if got.Paths != nil || !got.Rescan || !got.Full || !got.Ignore || got.Cause != CauseDaily {
		t.Errorf("%+v", got)
	}
	wantList(t, (Batch{}).join(a).Paths, a.Paths, "paths")
}

func FuzzCollapse(f *testing.F) {
	f.Add("a/b\na/c\na/d\nx", 2, 3)
	f.Add("a\na/b\n.\n", 1, 1)
	f.Add("..\n../a\na//b\n/x", 0, 9)
	f.Fuzz(func(t *testing.T, text string, perDir, total int) {
		set := map[string]struct{}{}
		for _, p := range strings.Split(text, "\n") {
			if p = path.Clean(p); filepath.IsLocal(p) {
				set[p] = struct{}{}
			}
		}
		in := slices.Collect(maps.Keys(set))
		perDir, total = max(perDir, 0), max(total, 0)
		got, rescan := collapse(set, perDir, total)
		if len(got) > total || rescan && got != nil {
			t.Errorf("%d paths with a limit of %d, rescan %v", len(got), total, rescan)
		}
		for _, p := range in {
			if !contains([]Batch{{Paths: got, Rescan: rescan}}, p) {
				t.Errorf("%q is not covered by %q", p, got)
			}
		}
	})
}
