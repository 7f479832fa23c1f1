package text

import "strings"

// endings lists suffixes in which related words differ (parse, parser, parsing), but not suffixes that change the
// meaning (form, formal).
var endings = setOf(`s es e ed d er r ers rs or ors ing ings ion ions ation ations ment ments able ible
		ance ence ization izing ized izer ize isation ising ised iser ise ative ive ies ied
		y ier ic ically ly ness tion ting te tor tors`)

// minFamily is the minimum length of the common beginning of related words.
const minFamily = 4

// Related reports whether two lower-case words are equal except for an English ending or British spelling (serialise,
// colour).
func Related(a, b string) bool {
	if a == b {
		return true
	}
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if a[i] != b[j] {
			if min(i, j) < minFamily || !british(a[i-1:], b[j-1:]) && !british(b[j-1:], a[i-1:]) {
				break
			}
			if a[i] == 'u' {
				i++
			}
			if b[j] == 'u' {
				j++
			}
		}
		i, j = i+1, j+1
	}
	if i < minFamily || j < minFamily {
		return false
	}
	return ends(single(a, i, a[i:])) && ends(single(b, j, b[j:]))
}

func ends(rest string) bool { return rest == "" || endings[rest] }

// british reports whether a begins with a British spelling (is, ys, our) and b with its American variant, after the
// same first letter.
func british(a, b string) bool {
	return (strings.HasPrefix(a, "is") || strings.HasPrefix(a, "ys")) && b[1] == 'z' ||
		strings.HasPrefix(a, "our") && b[1] == 'r'
}

// single removes the first letter of the ending rest if it repeats the last letter of w[:n], as in "stopped".
func single(w string, n int, rest string) string {
	if len(rest) > 1 && rest[0] == w[n-1] && endings[rest[1:]] {
		return rest[1:]
	}
	return rest
}
