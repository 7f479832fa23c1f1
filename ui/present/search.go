package present

import (
	"errors"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"time"

	"searchmcp/engine/api"
)

func Results(n, total int) string { return listed(n, total, "result") }

func listed(n, total int, noun Plural) string {
	if total > n {
		return T("%s of %s", Number(n), Count(total, noun))
	}
	return Count(n, noun)
}

func Completeness(r api.Results, projects []api.Project) string {
	note, whole, growing := "", 0, false
	for _, p := range projects {
		if p.Vectors >= p.Chunks {
			whole++
		}
		growing = growing || p.State == api.StateEmbedding || p.State == api.StateIndexing
	}
	switch {
	case !r.Semantic:
		note = T("by words only")
	case growing && whole > 0 && whole < len(projects): // r.Coverage is an average, so count the projects
		note = T("by meaning in %d of %d projects", whole, len(projects))
	case r.Coverage < 0.01:
		note = T("by words only")
	case r.Coverage < 0.995:
		note = T("by meaning in %d %% of the project", int(100*r.Coverage))
	case r.Static > 0.005 && whole < len(projects): // the setting light needs no others
		note = T("with quick vectors until the model's are ready")
	}
	pending := ""
	if r.PendingFiles > 0 {
		pending = Count(r.PendingFiles, "file not read yet")
	}
	return Join(Took(r.Took), note, pending)
}

// Unfinished returns a line for each reason why searches of projects may be incomplete.
func Unfinished(projects []api.Project) (lines []string) {
	growing, broken := 0, 0
	for _, p := range projects {
		switch {
		case p.State == api.StateEmbedding || p.State == api.StateIndexing:
			growing++
		case p.NeedsAttention():
			broken++
		}
	}
	switch {
	case growing > 0 && len(projects) == 1:
		lines = append(lines, T("The index of this project is not complete yet."))
	case growing > 0:
		lines = append(lines, T("The indexes of %s of %s projects are not complete yet.", Number(growing),
			Number(len(projects))))
	}
	switch {
	case broken == 1:
		lines = append(lines, T("1 project needs attention"))
	case broken > 1:
		lines = append(lines, T("%s projects need attention", Number(broken)))
	}
	return lines
}

func PlaceOf(place string) (path string, line int, ok bool) {
	found := placeForm.FindStringSubmatch(place)
	if found == nil {
		return "", 0, false
	}
	line, err := strconv.Atoi(found[2])
	return found[1], line, err == nil
}

var placeForm = regexp.MustCompile(`^(.+):(\d+)(?: .*)?$`)

func FilesSummary(r api.FileResults) string {
	if len(r.Matches) == 0 {
		return ""
	}
	return listed(len(r.Matches), r.Total, "file")
}

func LinesSummary(r api.GrepResults, took time.Duration) string {
	if r.Total == 0 {
		return ""
	}
	return Join(T("%s in %s", Count(r.Total, "line"), Count(len(r.Files), "file")), Took(took))
}

// File returns the absolute path of rel. A prefix such as @name/ selects one of the project's roots.
func File(p api.Project, rel string) string {
	if name, rest, ok := strings.Cut(rel, "/"); ok && strings.HasPrefix(name, "@") {
		for _, r := range p.Roots {
			if r.Name != "" && r.Name == name[1:] {
				return filepath.Join(r.Path, filepath.FromSlash(rest))
			}
		}
	}
	return filepath.Join(p.Root(), filepath.FromSlash(rel))
}

type Typed struct {
	Words, Language, Path string
	Match                 Match
}

type Match struct{ Exact, Regex, Case bool }

const (
	prefixExact = "exact:"
	prefixRegex = "regex:"
	prefixCase  = "case:"
)

func (m Match) Lines() bool { return m.Exact || m.Regex }

func (m Match) Prefix() string {
	prefix := ""
	switch {
	case m.Regex:
		prefix = prefixRegex
	case m.Exact && !m.Case:
		prefix = prefixExact
	}
	if m.Case {
		prefix += prefixCase
	}
	return prefix
}

var matchWords = map[string]Text{prefixExact: "exact text", prefixCase: "exact text, match case",
	prefixRegex: "regular expression", prefixRegex + prefixCase: "regular expression, match case"}

// InWords describes a search of lines, and is "" for other searches.
func (m Match) InWords() string { return T(matchWords[m.Prefix()]) }

func MatchOf(query string) (m Match, text string) {
	for {
		if rest, ok := strings.CutPrefix(query, prefixExact); ok {
			m.Exact, query = true, rest
		} else if rest, ok := strings.CutPrefix(query, prefixRegex); ok {
			m.Regex, query = true, rest
		} else if rest, ok := strings.CutPrefix(query, prefixCase); ok {
			m.Case, query = true, rest
		} else {
			break
		}
	}
	m.Exact = !m.Regex && (m.Exact || m.Case)
	return m, query
}

var filterForm = regexp.MustCompile(`(?:^|\s)(lang|path):(\S*)`)

// TypedOf parses query. A path: filter without a wildcard matches any part of a path.
func TypedOf(query string) (t Typed) {
	t.Match, query = MatchOf(query)
	query = filterForm.ReplaceAllStringFunc(query, func(filter string) string {
		parts := filterForm.FindStringSubmatch(filter)
		path := parts[2]
		switch {
		case path == "" && t.Match.Lines():
			return filter
		case parts[1] == "lang":
			t.Language = strings.ToLower(parts[2])
		case path != "" && !strings.ContainsAny(path, "*?[{"):
			t.Path = "{**/*" + path + "*,**/*" + path + "*/**}"
		default:
			t.Path = path
		}
		return ""
	})
	t.Words = strings.TrimSpace(query)
	if !t.Match.Lines() {
		t.Words = strings.Join(strings.Fields(query), " ")
	}
	return t
}

var (
	languageForm = regexp.MustCompile(`((?:^|\s)lang:)\S*`)
	didYouMean   = regexp.MustCompile(`^No language is called '.*'\. Did you mean (\S+)\?`)
)

// WithLanguage replaces the lang: filter of query.
func WithLanguage(query, language string) string {
	return languageForm.ReplaceAllString(query, "${1}"+language)
}

// NearLanguage returns the language that the app suggests in err, or "".
func NearLanguage(err error) string {
	if e, ok := errors.AsType[*api.Error](err); ok {
		if found := didYouMean.FindStringSubmatch(e.UserMessage); found != nil {
			return found[1]
		}
	}
	return ""
}

// Pattern compiles the expression that selects lines, or returns a description of its error.
func (t Typed) Pattern() (*regexp.Regexp, string) {
	pattern := t.Words
	if t.Match.Exact {
		pattern = regexp.QuoteMeta(pattern)
	}
	if !t.Match.Case {
		pattern = "(?i)" + pattern
	}
	re, err := regexp.Compile(pattern)
	if err == nil {
		return re, ""
	}
	reason := T("not complete")
	if e, ok := errors.AsType[*syntax.Error](err); ok {
		if known, ok := syntaxWords[e.Code]; ok {
			reason = T(known)
		}
	}
	return nil, T("Not a regular expression: %s.", reason)
}

var syntaxWords = map[syntax.ErrorCode]Text{
	syntax.ErrMissingParen:          "a closing parenthesis is missing",
	syntax.ErrUnexpectedParen:       "a closing parenthesis without an opening one",
	syntax.ErrMissingBracket:        "a closing bracket is missing",
	syntax.ErrTrailingBackslash:     "\\ at the end",
	syntax.ErrMissingRepeatArgument: "nothing to repeat",
	syntax.ErrInvalidEscape:         "unknown escape sequence",
	syntax.ErrInvalidPerlOp:         "lookaround is not supported",
	syntax.ErrInvalidCharRange:      "invalid range of characters",
	syntax.ErrInvalidRepeatOp:       "two repetition operators in a row",
	syntax.ErrInvalidRepeatSize:     "too many repetitions",
}

func (t Typed) Grep(hits int) api.GrepQuery {
	return api.GrepQuery{Pattern: t.Words, Literal: t.Match.Exact, IgnoreCase: !t.Match.Case, Path: t.Path,
		Language: t.Language, Hits: hits}
}

func (t Typed) Filtered() bool { return t.Language != "" || t.Path != "" }

func (t Typed) Query(corpus api.Corpus, offset int) api.Query {
	return api.Query{Text: t.Words, Corpus: corpus, Language: t.Language, PathGlob: t.Path, TopK: api.MaxTopK,
		Offset: offset, Detail: api.DetailLong, Explain: true}
}
