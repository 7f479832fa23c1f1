package translations

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Sentence translates an English sentence of another package, such as an error message. Names and numbers in the
// sentence may vary. Unknown sentences are returned unchanged.
func Sentence(l Language, s string) string {
	switch {
	case l == English:
		return s
	case Known(s):
		return l.Text(Text(s))
	}
	for _, f := range forms() {
		if found := f.pattern.FindStringSubmatch(s); found != nil {
			if args, ok := f.arguments(l, found[1:]); ok {
				return fmt.Sprintf(l.Text(f.text), args...)
			}
		}
	}
	return list(l, s)
}

// Cause translates an error at the end of another sentence. An error without a translation is quoted.
func Cause(l Language, s string) string {
	said := Sentence(l, s)
	if said != s || l == English || !prose.MatchString(s) {
		return said
	}
	return fmt.Sprintf(l.Text("“%s”"), strings.TrimSuffix(s, "."))
}

// prose matches text with at least two words.
var (
	prose = regexp.MustCompile(`[a-z]['’:]? [a-z]{2}`)
	place = regexp.MustCompile(`^(?:[/~@]|[A-Za-z]:\\)`)
	cause = regexp.MustCompile(`(?:[:.] |\(|because )\z`)
)

func (f form) arguments(l Language, parts []string) (args []any, ok bool) {
	before := strings.Split(string(f.text), "%s")
	for i, part := range parts {
		said := part
		if strings.Contains(part, " ") { // a single word may be a name
			said = Sentence(l, part)
		}
		switch {
		case said != part, !prose.MatchString(part), place.MatchString(part), strings.HasSuffix(before[i], "'"):
		case cause.MatchString(before[i]):
			said = Cause(l, part)
		default:
			return nil, false
		}
		args = append(args, said)
	}
	return args, true
}

// list translates a list such as "a.md: too large; b.md: unreadable".
func list(l Language, s string) string {
	if at := strings.LastIndex(s, ": "); at >= 0 && Known(s[at+2:]) && !strings.Contains(s[:at], "; ") {
		return Sentence(l, s[:at]) + ": " + Sentence(l, s[at+2:])
	}
	elements := strings.Split(s, "; ")
	if len(elements) == 1 {
		return s
	}
	for i, e := range elements {
		if elements[i] = Sentence(l, e); elements[i] == e {
			return s
		}
	}
	return strings.Join(elements, "; ")
}

type form struct {
	text    Text
	pattern *regexp.Regexp
}

var forms = sync.OnceValue(func() []form {
	var all []form
	for s := range english.read().texts {
		if strings.Contains(string(s), "%s") && !strings.Contains(string(s), "%d") && own(s) >= leastOwn {
			all = append(all, form{s, pattern(s)})
		}
	}
	slices.SortFunc(all, func(a, b form) int { // the most specific text first
		return cmp.Or(cmp.Compare(own(b.text), own(a.text)), cmp.Compare(a.text, b.text))
	})
	return all
})

// leastOwn is the minimum length of a text such as "%s can't be read." without its placeholders. Shorter texts match
// unrelated sentences.
const leastOwn = 9

func pattern(s Text) *regexp.Regexp {
	parts := strings.Split(string(s), "%s")
	for i, p := range parts {
		parts[i] = regexp.QuoteMeta(strings.ReplaceAll(p, "%%", "%"))
	}
	return regexp.MustCompile(`(?s)\A` + strings.Join(parts, `(.+?)`) + `\z`)
}

func own(s Text) int { return len(s) - len("%s")*strings.Count(string(s), "%s") }

func Clause(s string) string {
	s, _, _ = strings.Cut(s, "; ")
	s, _, _ = strings.Cut(s, ". ")
	return strings.TrimSuffix(s, ".")
}
