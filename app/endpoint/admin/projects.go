package admin

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"searchmcp/app/endpoint/display"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// Projects changes the state of projects.
type Projects interface {
	// Pause and Resume act on all projects if root is "".
	Pause(root string) error
	Resume(root string) error
	// Purge erases deleted or changed text of one project's index, or of all indexes, from disk.
	Purge(ctx context.Context, root string) error
	// Cancel stops a job and keeps the old index.
	Cancel(jobID string) error
	// Revoke revokes «always allow».
	Revoke(root string) error
	// AddRoot, RemoveRoot and Relocate change a project's folders. RemoveRoot accepts the folder or its name; Relocate
	// records that the project has moved to dir.
	AddRoot(ctx context.Context, root, dir, name string) (api.Project, error)
	RemoveRoot(ctx context.Context, root, dir string) (api.Project, error)
	Relocate(ctx context.Context, root, dir string) (api.Project, error)
}

func pause(_ context.Context, _ *call, e Projects, root string, _ wire.ProjectRef) (wire.Empty, error) {
	return done(e.Pause(root))
}

func resume(_ context.Context, _ *call, e Projects, root string, _ wire.ProjectRef) (wire.Empty, error) {
	return done(e.Resume(root))
}

func purge(ctx context.Context, _ *call, e Projects, root string, _ wire.ProjectRef) (wire.Empty, error) {
	return done(e.Purge(ctx, root))
}

func cancel(_ context.Context, _ *call, e Projects, p wire.CancelJob) (wire.Empty, error) {
	return done(e.Cancel(p.JobID))
}

func revoke(_ context.Context, _ *call, e Projects, root string, _ wire.ProjectRef) (wire.Empty, error) {
	return done(e.Revoke(root))
}

func addRoot(ctx context.Context, _ *call, e Projects, root string, p wire.RootChange) (api.Project, error) {
	return e.AddRoot(ctx, root, p.Dir, p.Name)
}

func removeRoot(ctx context.Context, _ *call, e Projects, root string, p wire.RootChange) (api.Project, error) {
	if p.Dir == "" {
		p.Dir = p.Name
	}
	return e.RemoveRoot(ctx, root, p.Dir)
}

func relocate(ctx context.Context, _ *call, e Projects, root string, p wire.RootChange) (api.Project, error) {
	return e.Relocate(ctx, root, p.Dir)
}

// Previews describes the effect of indexing.
type Previews interface {
	// Preview scans root and writes nothing.
	Preview(ctx context.Context, root string) (api.Preview, error)
	// Identify returns the identity of the folder at root, or nil if it can't be opened.
	Identify(root string) fs.FileInfo
	// PreviewConfig is Preview with an unsaved config.json. problems contains a sentence per invalid field; a text that
	// can't be parsed is an error.
	PreviewConfig(ctx context.Context, root, text string) (p api.Preview, problems []string, err error)
}

// preview records the folder's identity for the approval that may follow (confirm.Questions.Ask).
func preview(ctx context.Context, c *call, e Previews, root string, _ wire.ProjectRef) (api.Preview, error) {
	c.session.Previewed(root, e.Identify(root))
	return e.Preview(ctx, root)
}

func tryConfig(ctx context.Context, _ *call, e Previews, root string, p wire.ConfigText) (wire.ConfigTried, error) {
	preview, problems, err := e.PreviewConfig(ctx, root, p.Text)
	return wire.ConfigTried{Preview: preview, Problems: problems}, err
}

// Configuration is a project's config.json.
type Configuration interface {
	Config(root string) api.Config
	// ConfigText returns the file; SetConfigText replaces it. problems contains a sentence per invalid field with the
	// value used instead.
	ConfigText(root string) (text string, problems []string, err error)
	SetConfigText(ctx context.Context, root, text string) (problems []string, err error)
}

func getConfig(_ context.Context, _ *call, e Configuration, root string, _ wire.ProjectRef) (wire.ConfigText, error) {
	text, problems, err := e.ConfigText(root)
	return wire.ConfigText{Project: root, Text: text, Problems: problems}, err
}

func setConfig(ctx context.Context, c *call, e Configuration, root string, p wire.ConfigText) (wire.ConfigText, error) {
	before := e.Config(root).EnhancedToolDescriptions
	problems, err := e.SetConfigText(ctx, root, p.Text)
	if err != nil {
		return wire.ConfigText{}, err
	}
	if e.Config(root).EnhancedToolDescriptions != before {
		c.o.ToolsChanged()
	}
	text, _, err := e.ConfigText(root)
	return wire.ConfigText{Project: root, Text: text, Problems: problems}, err
}

// Searching answers queries.
type Searching interface {
	Search(ctx context.Context, roots []string, q api.Query) (api.Results, error)
	Files(ctx context.Context, roots []string, q api.FileQuery) (api.FileResults, error)
	// FileText returns at most count current lines of a file around line.
	FileText(ctx context.Context, root, path string, line, count int) (api.FileText, error)
	// Languages lists the names that filter a search.
	Languages() []string
	// LanguageNamed returns the language that the user means by typed.
	LanguageNamed(typed string) (name string, ok bool)
}

func search(ctx context.Context, c *call, e Searching, p wire.Search) (api.Results, error) {
	q := p.Query
	q.TopK, q.Corpus = cmp.Or(q.TopK, api.DefaultTopK), cmp.Or(q.Corpus, api.CorpusCode)
	if !slices.Contains(api.Corpora, q.Corpus) {
		return api.Results{}, api.ErrArgument("corpus", fmt.Sprintf("'code' or 'docs', not %s", display.Echo(q.Corpus)))
	}
	if q.TopK < 1 || q.TopK > api.MaxTopK {
		return api.Results{}, api.ErrArgument("top_k", fmt.Sprintf("a whole number from 1 to %d", api.MaxTopK))
	}
	if q.Language != "" {
		name, ok := e.LanguageNamed(q.Language)
		if !ok {
			return api.Results{}, unknownLanguage(q.Language, e.Languages())
		}
		q.Language = name
	}
	roots, err := c.find().All(ctx, p.Projects)
	if err != nil {
		return api.Results{}, err
	}
	return e.Search(ctx, roots, q)
}

// unknownLanguage suggests languages with the same first letter, or lists all languages if there are none.
func unknownLanguage(typed string, known []string) *api.Error {
	first, _ := utf8.DecodeRuneInString(strings.ToLower(typed))
	like := slices.DeleteFunc(slices.Clone(known), func(l string) bool { return !strings.HasPrefix(l, string(first)) })
	if len(like) == 0 {
		like = known
	}
	return api.ErrArgument("language", fmt.Sprintf("the name of a language such as %s; '%s' is none",
		strings.Join(like, ", "), display.Shorten(display.Visible(typed), display.MaxEcho)))
}

func languages(_ context.Context, _ *call, e Searching, _ wire.Empty) ([]string, error) {
	return e.Languages(), nil
}

// findFiles answers without limiting the size of the answer.
func findFiles(ctx context.Context, c *call, e Searching, p wire.Files) (api.FileResults, error) {
	q := p.Query
	if q.Limit < 1 || q.Limit > api.MaxGlob {
		return api.FileResults{}, api.ErrArgument("limit", fmt.Sprintf("a whole number from 1 to %d", api.MaxGlob))
	}
	roots, err := c.find().All(ctx, p.Projects)
	if err != nil {
		return api.FileResults{}, err
	}
	return e.Files(ctx, roots, q)
}

// shownLines is the number of lines shown around a line.
const shownLines = 1000

func fileText(ctx context.Context, _ *call, e Searching, root string, p wire.FileText) (api.FileText, error) {
	return e.FileText(ctx, root, p.Path, p.Line, shownLines)
}
