package translations

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Sentence translates an English sentence from another package, such as an error message, also with names and figures
// filled in. It returns unknown sentences unchanged.
func Sentence(l Language, s string) string {
	if Known(s) {
		return l.Text(Text(s))
	}
	for _, f := range forms() {
		if found := f.pattern.FindStringSubmatch(s); found != nil {
			args := make([]any, 0, len(found)-1)
			for _, part := range found[1:] {
				if strings.Contains(part, " ") { // a single word may be a name
					part = Sentence(l, part)
				}
				args = append(args, part)
			}
			return fmt.Sprintf(l.Text(f.text), args...)
		}
	}
	return s
}

type form struct {
	text    Text
	pattern *regexp.Regexp
}

var forms = sync.OnceValue(func() []form {
	var all []form
	for s := range english.texts {
		if strings.Contains(string(s), "%s") && !strings.Contains(string(s), "%d") && own(s) >= leastOwn {
			all = append(all, form{s, pattern(s)})
		}
	}
	slices.SortFunc(all, func(a, b form) int { // the most specific first
		return cmp.Or(cmp.Compare(own(b.text), own(a.text)), cmp.Compare(a.text, b.text))
	})
	return all
})

// leastOwn is the minimum length, without placeholders, of a sentence that is compared with filled-in sentences.
// Shorter ones would match unrelated sentences.
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
