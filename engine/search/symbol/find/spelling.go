package find

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"searchmcp/engine/api"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/lang"
	"searchmcp/engine/search"
	"searchmcp/engine/search/symbol"
	"searchmcp/engine/store"
)

const (
	fewUses    = 10  // other spellings are searched for if a definition has fewer definite uses
	maxSpelled = 200 // maximum number of rows searched for other spellings
)

// wordsOf splits a name into lower-case words: "HTMLText" is {html, text}, and "flat_cents" is {flat, cents}.
func wordsOf(name string) []string {
	name = acronym.ReplaceAllString(capital.ReplaceAllString(name, "$1 $2"), "$1 $2")
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !inWord(r) })
}

// capital matches "tC" in "flatCents", and acronym matches "LTe" in "HTMLText".
var (
	capital = regexp.MustCompile(`([^\p{Lu}])(\p{Lu})`)
	acronym = regexp.MustCompile(`(\p{Lu})(\p{Lu}\p{Ll})`)
)

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// spellings returns the words of the name. It also returns the words without affixes that frameworks omit, such as
// "Home" for "HomeController".
func (f *finder) spellings(language string) (out [][]string) {
	words := wordsOf(f.name)
	out = append(out, words)
	for _, affix := range lang.Of(language).Affixes {
		prefix, suffix, _ := strings.Cut(affix, "-")
		before, after := wordsOf(prefix), wordsOf(suffix)
		from, to := len(before), len(words)-len(after)
		if from < to && slices.Equal(words[:from], before) && slices.Equal(words[to:], after) {
			out = append(out, words[from:to])
		}
	}
	return out
}

// annotated matches an annotation that gives a definition another name, such as @JvmName("isOpen") or @objc(isOpen:).
var annotated = regexp.MustCompile(`(?:(?:@|#?\[)(?:[\w:.]+\(\s*|[^\]"\n]*name\s*=\s*)"|@objc\()` +
	`([\pL_][\pL\pN_-]*)[\w:")\]]*(?:[\s\w"]|@[\w:.]+(?:\([^()]*\))?|#?\[[^\]]*\])*$`)

// spelled adds possible uses in other spellings, such as "flatCents", "FlatCents" and "flat-cents" for "flat_cents".
func (u *usage) spelled(ctx context.Context) error {
	none := u.count(symbol.Likely) == 0
	language := u.judge.All[u.asked[0]].Language
	spellings := u.f.spellings(language)
	for _, i := range u.asked[:min(len(u.asked), maxShown)] {
		c := &u.judge.All[i]
		if m := annotated.FindStringSubmatch(u.f.read[c.Path].text[max(0, c.At-200):c.At]); m != nil {
			spellings = append(spellings, wordsOf(m[1]))
		}
	}
	for _, words := range spellings {
		if len(words) > 1 || len(words) == 1 && none {
			if err := u.spelledAs(ctx, words, lang.Family(language), none); err != nil {
				return err
			}
		}
	}
	return nil
}

// spelledAs adds uses of names with the given words. If withDefined is false, it skips names with their own definition.
func (u *usage) spelledAs(ctx context.Context, words []string, family string, withDefined bool) error {
	f, reserve := u.f, time.Duration(0)
	if !withDefined {
		reserve = max(f.left()-spelledTime, 0)
	}
	patterns := map[bool]*regexp.Regexp{true: regexp.MustCompile(strings.Join(words, `[-_]?`)),
		false: regexp.MustCompile(strings.Join(words, `[-_ ]?`))} // keywords of Robot Framework contain spaces
	longest := slices.MaxFunc(words, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	reach, own := len(strings.Join(words, "-")), strings.Contains(f.tag, strings.Join(words, "-"))
	read, done := f.req.Open()
	defer done()
	defined := map[[2]string]bool{} // by family and name
	var found []func()
	rows, seen := 0, map[string]bool{}
	indexed := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return len(w) < 3 }) // without stop words
	if len(indexed) == 0 {
		indexed = words
	}
	for _, corpus := range api.Corpora {
		list, err := f.look(ctx, answerTime-reserve, store.Names{All: indexed, Corpus: corpus})
		if err != nil {
			return err
		}
		for _, row := range list.Rows[:min(len(list.Rows), maxSpelled-rows)] {
			if rows++; seen[row.Path] || f.left() <= reserve {
				continue
			}
			seen[row.Path] = true
			h := holder{path: row.Path, language: row.Language}
			spelled := patterns[chunk.HasGrammar(lang.OfFile(h.path, nil))]
			s, done, err := f.open(ctx, read, h, func(b []byte) bool {
				language, text := chunk.Read(h.path, b)
				return near(search.LowerASCII(b), longest, reach, reach, spelled.Match) &&
					len(f.spelledIn(lang.Of(language), text, spelled, len(words))) > 0
			})
			if err != nil {
				return err
			}
			if s == nil {
				continue
			}
			l := lang.Of(s.document.Language)
			for _, name := range f.spelledIn(l, s.document.Text, spelled, len(words)) {
				got, is := symbol.Extract(s.document, name), [2]string{l.Family, name}
				defined[is] = defined[is] || len(got.Definitions) > 0
				for _, d := range got.Definitions {
					got.References = append(got.References, symbol.Reference{Line: d.NameLine, Column: d.Column})
				}
				found = append(found, func() {
					for _, r := range got.References {
						code := r.Role < symbol.String || r.Role == symbol.String && own // not a string with another name
						if code && !r.Local && (withDefined || !defined[is] || l.Family != family) {
							r.Spelled = true
							u.add(read, h, r)
						}
					}
				})
			}
			done()
		}
	}
	for _, add := range found {
		add()
	}
	return nil
}

// spelledIn returns the names in a text, other than the requested name, that contain a match of spelled.
func (f *finder) spelledIn(l *lang.Language, text string, spelled *regexp.Regexp, words int) (names []string) {
	for _, m := range spelled.FindAllIndex(search.LowerASCII([]byte(text)), -1) {
		first, _ := utf8.DecodeRuneInString(text[m[0]:])
		last, _ := utf8.DecodeLastRuneInString(text[:m[1]])
		before, _ := utf8.DecodeLastRuneInString(text[:m[0]])
		after, _ := utf8.DecodeRuneInString(text[m[1]:])
		start, end := m[0], m[1]
		if words > 1 {
			if joined(before, first) && !strings.HasSuffix(text[:m[0]], "-D") || joined(last, after) {
				continue
			}
			start -= len(text[:start]) - len(strings.TrimRightFunc(text[:start], lang.WordRune))
			end += len(text[end:]) - len(strings.TrimLeftFunc(text[end:], lang.WordRune))
		} else if lang.WordRune(before) || lang.WordRune(after) {
			continue
		}
		if rest := text[end:]; l.Marked && lang.BeginsWith(rest, "!", "?") && !strings.HasPrefix(rest[1:], "=") {
			end++
		}
		if name := text[start:end]; !l.Same(name, f.name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// joined reports whether two adjacent characters belong to the same word of a name.
func joined(a, b rune) bool {
	return inWord(a) && inWord(b) && !(unicode.IsUpper(b) && !unicode.IsUpper(a))
}
