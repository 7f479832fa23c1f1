package text

// endings contains suffixes of related words, as in "parser" and "parsing". It excludes suffixes that change the
// meaning, as in "formal".
var endings = setOf(`s es e ed d er r ers rs or ors ing ings ion ions ation ations ment ments able ible
		ance ence ization izing ized izer ize isation ising ised iser ise ative ive ies ied
		y ier ic ically ly ness tion ting te tor tors`)

// MinFamily is the minimum length in bytes of the common prefix of related words.
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

// single removes the first letter of an ending if it repeats the last letter of w[:n], as in "stopped".
func single(w string, n int, ending string) string {
	if len(ending) > 1 && ending[0] == w[n-1] && endings[ending[1:]] {
		return ending[1:]
	}
	return ending
}
