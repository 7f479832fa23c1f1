package text

// endings lists suffixes of related words (parse, parser, parsing). Suffixes that change the meaning are excluded
// (form, formal).
var endings = setOf(`s es e ed d er r ers rs or ors ing ings ion ions ation ations ment ments able ible
		ance ence ization izing ized izer ize isation ising ised iser ise ative ive ies ied
		y ier ic ically ly ness tion ting te tor tors`)

// MinFamily is the number of first bytes that two different related words share.
const MinFamily = 4

// Related reports whether two lower-case words are equal except for an English ending.
func Related(a, b string) bool {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a == b || n >= MinFamily && ends(single(a, n, a[n:])) && ends(single(b, n, b[n:]))
}

func ends(rest string) bool { return rest == "" || endings[rest] }

// single removes the first letter of the ending rest if it repeats the last letter of w[:n], as in "stopped".
func single(w string, n int, rest string) string {
	if len(rest) > 1 && rest[0] == w[n-1] && endings[rest[1:]] {
		return rest[1:]
	}
	return rest
}
