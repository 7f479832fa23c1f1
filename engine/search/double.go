package search

import (
	"hash/maphash"
	"slices"
	"strings"
)

const (
	// alike is the share of lines that two chunks have in common when one is a copy of the other with a word changed here and
	// there; functions of one shape share a third.
	alike = 0.85
	// tellingLine is the least that a line of a copy shows; shorter ones close what others open, and are everywhere.
	tellingLine = 5
)

// doubles knows the lines of the chunks that it was asked about.
type doubles struct {
	seed  maphash.Seed
	lines map[uint64][]int // numbers of the chunks that have a line
	sizes []int            // telling lines of each chunk
	// of the chunk in hand
	own    []uint64
	shared []int // lines that it shares with each of the others
}

func newDoubles() *doubles { return &doubles{seed: maphash.MakeSeed(), lines: map[uint64][]int{}} }

// of returns which of the texts that it was asked about before a text is, but for white space and few lines: its number among those
// that were no doubles themselves, or -1.
func (d *doubles) of(text string) int {
	d.own = d.own[:0]
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); len(line) >= tellingLine {
			d.own = append(d.own, maphash.String(d.seed, line))
		}
	}
	slices.Sort(d.own)
	d.own = slices.Compact(d.own)
	d.shared = append(d.shared[:0], make([]int, len(d.sizes))...)
	for _, h := range d.own {
		for _, i := range d.lines[h] {
			d.shared[i]++
			if float64(d.shared[i]) >= alike*float64(max(len(d.own), d.sizes[i])) {
				return i
			}
		}
	}
	for _, h := range d.own {
		d.lines[h] = append(d.lines[h], len(d.sizes))
	}
	d.sizes = append(d.sizes, len(d.own))
	return -1
}
