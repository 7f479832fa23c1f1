package present

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

type Source = Text

// SourceAll means all sources except SourceFiles, which finds names by pattern.
const (
	SourceAll       Source = "Everything"
	SourceCode      Source = "Code"
	SourceDocuments Source = "Documents"
	SourceSites     Source = "Sites"
	SourceArchive   Source = "Archive"
	SourceFiles     Source = "File names"
)

type Found struct {
	Source                Source
	Title, Where, Context string
	Stale                 bool
	Weak                  bool // if the first result is weak, all are
	Lines                 []api.Line
	Best                  int
	Score                 float64

	Project string
	Path    string // relative to Project; its extension determines the language
	File    string // absolute path, "" for a page
	Page    string
	Hit     *api.Hit // set for code and documents of projects
}

const shownLines = 2

// FoundHit returns the result for a hit in p. If several is true, it contains the name of p.
func FoundHit(s Source, p api.Project, h api.Hit, several bool) Found {
	dir, base := Base(h.Path)
	f := Found{Source: s, Title: base, Where: dir, Context: h.Breadcrumb, Stale: h.Stale, Weak: h.Weak,
		Score: h.Score, Project: p.Root(),
		Path: h.Path, File: File(p, h.Path), Best: max(h.Best, h.StartLine), Hit: &h}
	if f.Best > 0 {
		f.Title += fmt.Sprintf(":%d", f.Best)
	}
	if several {
		f.Where = Join(p.Name, f.Where)
	}
	f.Lines = lead(h)
	return f
}

// lead returns the lines of a search result that a list shows: the best line and the first other line with a search
// term.
func lead(h api.Hit) []api.Line {
	lines := h.Lines
	best := 0
	for i, l := range lines {
		if l.Number == h.Best {
			best = i
		}
	}
	shown := make([]api.Line, 0, shownLines)
	for i, l := range lines {
		room := shownLines - len(shown)
		if i == best || strings.ContainsFunc(l.Text, isWord) && (i > best && room > 0 || room > 1) {
			shown = append(shown, l)
		}
	}
	return shown
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func FoundLine(p api.Project, file api.GrepFile, line api.GrepHit, several bool) Found {
	f := FoundFile(p, file.Path, several)
	if line.Line == 0 {
		f.Where = Join(f.Where, T(fileKinds[file.Kind]))
		return f
	}
	f.Source, f.Context, f.Best = SourceCode, line.In, line.Line
	f.Title += fmt.Sprintf(":%d", line.Line)
	f.Lines = []api.Line{{Number: line.Line, Text: line.Text}}
	f.Hit = &api.Hit{Path: file.Path, StartLine: line.Line, EndLine: line.Line, Text: line.Text, Lines: f.Lines}
	return f
}

var fileKinds = map[string]Text{api.GrepTests: "test", api.GrepCopy: "generated or copied"}

func FoundFile(p api.Project, rel string, several bool) Found {
	dir, base := Base(rel)
	f := Found{Source: SourceFiles, Title: base, Where: dir, Project: p.Root(), Path: rel, File: File(p, rel)}
	if several {
		f.Where = Join(p.Name, f.Where)
	}
	return f
}

func FoundOutside(r wire.SourceResults, home string) []Found {
	var all []Found
	for _, d := range r.Documents {
		all = append(all, Found{Source: SourceDocuments, Title: d.Title, Where: Home(filepath.Dir(d.File), home),
			Context: d.Section,
			Lines:   excerpt(d.Excerpt), Score: d.Score, File: d.File})
	}
	for _, s := range r.Sites {
		for _, p := range s.Pages {
			all = append(all, Found{Source: SourceSites, Title: p.Title, Where: s.Name, Context: p.Section, Score: p.Score,
				Lines: excerpt(cmp.Or(p.Excerpt, p.Abstract)), Page: cmp.Or(p.SectionURL, p.URL)})
		}
	}
	for _, a := range r.Archive {
		var texts []string
		for _, h := range a.Highlights {
			if h.Field == "content" {
				texts = append(texts, h.Snippets...)
			}
		}
		f := Found{Source: SourceArchive, Title: a.Document.Title, Where: Join(T("Archive"), day(a.Document.Date)),
			Lines: excerpt(unmark.Replace(strings.Join(texts, " … "))), Score: a.Document.Score, File: a.Document.File}
		if u, err := url.Parse(a.Document.URL); err == nil && u.Host != "" {
			f.Page, f.Where = a.Document.URL, Join(T("Archive"), u.Host, day(a.Document.Date))
		}
		all = append(all, f)
	}
	return all
}

var unmark = strings.NewReplacer("<mark>", "", "</mark>", "")

func excerpt(text string) []api.Line {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return nil
	}
	return []api.Line{{Text: text}}
}

func (f Found) Text() string {
	parts := []string{f.Title, f.Context}
	for _, l := range f.Lines {
		parts = append(parts, l.Text)
	}
	return strings.Join(parts, "\n")
}

func (f Found) Prose() bool { return f.Hit == nil }

func (f Found) Name() string {
	if f.Source != SourceCode || f.Context == "" {
		return ""
	}
	crumbs := strings.Split(f.Context, " › ")
	return crumbs[len(crumbs)-1]
}

type Why struct {
	Label, Means, Note string
	Share              float64 // relative to the largest factor of the score, from -1 to 1
}

var factorWords = map[string]struct{ label, means Text }{
	"words":      {"Query terms", "Your words are in this passage; rare words count more."},
	"meaning":    {"Similar meaning", "The passage has a similar meaning, even in other words."},
	"outline":    {"Topic of the file", "The file's comments and names are about this."},
	"coverage":   {"Many of your words", "The passage contains several of your words, not only one."},
	"file":       {"The whole file matches", "Your words also occur in other parts of the file."},
	"trace":      {"Named in the stack trace", "The stack trace that you pasted names this file."},
	"line":       {"Contains the line you named", "The passage contains the line number in your search."},
	"system":     {"For another operating system", "The file's name belongs to another operating system."},
	"definition": {"Defines the name", "The passage defines a name in your search."},
	"phrase":     {"Terms are adjacent", "Your words are next to each other here."},
	"literal":    {"Contains the exact text", "Your text occurs here character by character."},
	"file name":  {"File name", "Your words are in the file's name or folder."},
	"history":    {"Related commits changed the file", "Commits about your words changed this file."},
	"scope":      {"Named in a commit message", "Commit messages use this word for the file's folder."},
	"size":       {"Large files change more often", "You described a change, and long files are changed more often."},
	"place":      {"Kind of file", "Code counts more than tests, examples and generated files."},
	"repeat":     {"Another result in the same file", "A better result is in the same file."},
}

func WhyOf(factors []api.Factor) []Why {
	most := 0.0
	for _, f := range factors {
		most = max(most, math.Abs(f.Value))
	}
	var all []Why
	for _, f := range factors {
		share := f.Value / max(most, 1e-9)
		if math.Abs(share) < 0.01 {
			continue
		}
		words := factorWords[f.Name]
		all = append(all, Why{cmp.Or(T(words.label), f.Name), T(words.means), f.Note, share})
	}
	return all
}

func day(date string) string {
	if at, err := time.Parse(time.DateOnly, date); err == nil {
		return at.Format(T(dateLayout))
	}
	return date
}
