package archive

import (
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"

	"searchmcp/engine/sources/fulltext"
)

type query struct {
	terms         []string
	raw           map[string]string // words as typed, by term
	phrases       []string
	after, before string // inclusive dates; a month or a year includes all of its days
	source        string // "research" or "url"
	folder        string // part of a document's absolute path
}

var (
	quoted = regexp.MustCompile(`"([^"]+)"`)
	filter = regexp.MustCompile(`(?i)(?:^|\s)(after|before|date|source|in):(\S+)`)
	day    = regexp.MustCompile(`^\d{4}(-\d{2}(-\d{2})?)?$`)
)

// parse parses a query with phrases in double quotes and filters: after:2025-01-31, before:2025, date:2025-03,
// source:research, source:url, in:folder. An invalid filter is searched as text.
func parse(text string) query {
	var q query
	text = filter.ReplaceAllStringFunc(text, func(s string) string {
		m := filter.FindStringSubmatch(s)
		value := strings.ToLower(m[2])
		switch name := strings.ToLower(m[1]); {
		case name == "in":
			q.folder = m[2]
		case name == "source" && (value == "research" || value == "url"):
			q.source = value
		case name == "source" || !day.MatchString(value):
			return s
		case name == "after":
			q.after = value
		case name == "before":
			q.before = value + "~" // sorts after every day with this prefix
		case name == "date":
			q.after, q.before = value, value+"~"
		}
		return " "
	})
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		var words []string
		for w := range fulltext.EachWord(m[1]) {
			words = append(words, written(m[1], w))
		}
		if len(words) > 0 {
			q.phrases = append(q.phrases, strings.Join(words, " "))
		}
	}
	q.terms, q.raw = fulltext.Terms(text), map[string]string{}
	for w := range fulltext.EachWord(text) {
		q.raw[w.Text] = written(text, w)
	}
	return q
}

func written(text string, w fulltext.Word) string {
	if raw := fulltext.Visible(norm.NFC.String(text[w.Start:w.End])); raw != "" {
		return raw
	}
	return w.Text
}

func (q query) filters() bool { return q.after+q.before+q.source+q.folder != "" }

func (q query) where() (sql string, values []any) {
	add := func(condition, value string) {
		if value != "" {
			sql, values = sql+" AND "+condition, append(values, value)
		}
	}
	add("d.date >= ?", q.after)
	add("d.date <= ?", q.before)
	add("d.source = ?", q.source)
	add("instr(lower(d.origin || '/' || d.path), lower(?)) > 0", q.folder)
	return sql, values
}

func (r *reading) newest(q query, limit int) ([]document, error) {
	where, values := q.where()
	out, err := collect(r.ctx, r.tx, (*document).fields, "SELECT "+documentColumns+" WHERE 1"+where+
		" ORDER BY d.date DESC, d.path LIMIT ?", append(values, limit)...)
	for i := range out {
		out[i].score = 1
	}
	return out, err
}
