package secret

import "strings"

// Blank replaces each marker in text with NUL, so that a pattern does not match markers.
func Blank(text string) string {
	if !strings.Contains(text, markOpen) {
		return text
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, markOpen)
		_, after, closed := strings.Cut(rest, markClose)
		if !ok || !closed {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(before + "\x00")
		text = after
	}
}

func Moved(line, blank string, spans [][]int) [][]int {
	at := make([]int, 0, len(blank)+1) // offsets in line, indexed by offsets in blank
	n := 0
	for i := range len(blank) {
		at = append(at, n)
		if blank[i] != 0 {
			n++
		} else if end := strings.Index(line[n:], markClose); end >= 0 {
			n += end + len(markClose)
		}
	}
	at = append(at, n)
	out := make([][]int, len(spans))
	for i, s := range spans {
		out[i] = []int{at[s[0]], at[s[1]]}
	}
	return out
}
