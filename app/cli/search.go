package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"searchmcp/app/cli/term"
	"searchmcp/app/highlight"
	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/assets/translations"
	"searchmcp/engine/api"
)

func (v *invocation) searchCommand() *cobra.Command {
	q := api.Query{Corpus: api.CorpusCode}
	docs, code, list, null := false, false, false, false
	p := &projects{}
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Search the project by meaning and by words",
		Long: "Search the code and documents of the project that contains the working directory. Outside any project, " +
			"search all projects. The best results come first. If the output is a pipe, each result is one line, " +
			"PATH:LINE:TEXT, in the format that grep, fzf, xargs and editors use.",
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Text = strings.Join(args, " ")
			if strings.TrimSpace(q.Text) == "" {
				return api.ErrArgument("QUERY", "a question or words to look for")
			}
			if docs {
				q.Corpus = api.CorpusDocs
			}
			if null && !list {
				return api.ErrArgument("null", "used with -l")
			}
			few := !cmd.Flags().Changed("top-k")
			if q.TopK < 1 || q.TopK > api.MaxTopK {
				return api.ErrArgument("top-k", fmt.Sprintf("a number from 1 to %d", api.MaxTopK))
			}
			q.PathGlob = v.placeRef(q.PathGlob, p)
			return look(cmd.Context(), v, p, v.searching(q, docs || code, few), codeAndDocs.len,
				func(r codeAndDocs, at *locator, everywhere int) error {
					if list {
						var paths []string
						for _, h := range slices.Concat(r.Hits, r.documents().Hits) {
							paths = append(paths, at.path(h.Project, h.Path))
						}
						return v.printPaths(paths, null)
					}
					return v.paged(func() { v.printAnswers(r, q, at, everywhere) })
				})
		},
	}
	f := cmd.Flags()
	f.BoolVar(&docs, "docs", false, "search only documents")
	f.BoolVar(&code, "code", false, "search only code")
	cmd.MarkFlagsMutuallyExclusive("docs", "code")
	f.IntVarP(&q.TopK, "top-k", "n", api.DefaultTopK, fmt.Sprintf("number of results, 1 to %d", api.MaxTopK))
	f.BoolVar(&q.Explain, "explain", false, "show the features of each result's score")
	f.StringVar(&q.PathGlob, "path", "", "search only files that match this pattern, such as 'src/**/*.go'")
	f.StringVar(&q.Language, "lang", "", "search only files in this language, such as go")
	f.BoolVarP(&list, "files-with-matches", "l", false, "print only the paths of the files")
	f.BoolVarP(&null, "null", "0", false, "end each path with a zero byte instead of a newline, for xargs -0 (with -l)")
	return v.withProjects(cmd, p)
}

type codeAndDocs struct {
	api.Results
	Documents *api.Results `json:"documents,omitempty"`
}

func (r codeAndDocs) len() int { return len(r.Hits) + len(r.documents().Hits) }

func (r codeAndDocs) documents() api.Results {
	if r.Documents == nil {
		return api.Results{}
	}
	return *r.Documents
}

const (
	documentsBeside = 5
	closest         = 3
)

// searching returns a function that searches code and documents, or only q.Corpus if single is set. If few is set, weak
// results are cut off.
func (v *invocation) searching(q api.Query, single, few bool) func(context.Context, *client.Client, []string) (
	codeAndDocs, error) {
	if !v.asJSON {
		q.Detail = api.DetailShort
	}
	return func(ctx context.Context, c *client.Client, projects []string) (r codeAndDocs, err error) {
		asked := wire.Search{Projects: projects, Query: q}
		if single {
			r.Results, err = wire.MethodSearch.Call(ctx, c, asked)
			return r.shortened(q, few), err
		}
		var docsErr error
		var work sync.WaitGroup
		work.Go(func() {
			beside := asked
			beside.Query.Corpus = api.CorpusDocs
			var docs api.Results
			docs, docsErr = wire.MethodSearch.Call(ctx, c, beside)
			r.Documents = &docs
		})
		code, err := wire.MethodSearch.Call(ctx, c, asked)
		work.Wait()
		if r.Results = code; docsErr != nil || err != nil { // show the results in code even if the search in documents failed
			r.Documents = nil
		}
		return r.shortened(q, few), err
	}
}

func (r codeAndDocs) shortened(q api.Query, few bool) codeAndDocs {
	if r.Documents != nil {
		hits := r.Documents.Hits
		if n := slices.IndexFunc(hits, func(h api.Hit) bool { return h.Weak }); n > 0 || n == 0 && len(r.Hits) > 0 {
			hits = hits[:n]
		}
		if len(r.Hits) > 0 {
			hits = hits[:min(len(hits), documentsBeside)]
		}
		if !few {
			hits = hits[:min(len(hits), max(q.TopK/2, q.TopK-len(r.Hits)))]
			r.Hits = r.Hits[:min(len(r.Hits), q.TopK-len(hits))]
		}
		r.Documents.Hits = hits
	}
	if few && len(r.Hits) > closest && r.Hits[0].Weak {
		r.Hits = r.Hits[:closest]
	}
	return r
}

func look[R any](ctx context.Context, v *invocation, p *projects,
	ask func(ctx context.Context, c *client.Client, projects []string) (R, error),
	hits func(R) int, show func(r R, at *locator, everywhere int) error,
) error {
	v.silent = true
	named := v.choose(p) // must precede v.with, which sends the session's project
	return v.with(ctx, func(c *client.Client) error {
		var r R
		everywhere, err := v.everywhere(ctx, c, named, func(projects []string) (err error) {
			r, err = ask(ctx, c, projects)
			return err
		})
		if err != nil {
			return err
		}
		if v.asJSON {
			return errors.Join(v.printJSON(r), some(hits(r)))
		}
		at, err := v.locate(ctx, c)
		if err != nil {
			return err
		}
		if at.only && v.project == "" && len(named) == 0 {
			everywhere = 1
		}
		return errors.Join(show(r, at, everywhere), some(hits(r)))
	})
}

// everywhere calls search with the projects. If the user is in none, it searches all and returns their number.
func (v *invocation) everywhere(ctx context.Context, c *client.Client, projects []string,
	search func(roots []string) error) (int, error) {
	err := search(projects)
	if v.project != "" || len(projects) > 0 || !errors.Is(err, &api.Error{Code: api.ProjectNotDetected}) {
		return 0, err
	}
	s, err := wire.MethodStatus.Call(ctx, c, wire.Empty{})
	if err != nil {
		return 0, err
	}
	return len(s.Projects), search([]string{"all"})
}

func (v *invocation) noteEverywhere(n int) {
	switch {
	case n == 1:
		v.note("The working directory is not in a project, so the search covered the only indexed project.")
	case n > 1:
		v.note("The working directory is not in a project, so the search covered all %s indexed projects.", thousands(n))
	}
}

func (v *invocation) printAnswers(r codeAndDocs, q api.Query, at *locator, everywhere int) {
	v.noteEverywhere(everywhere)
	if everywhere > 0 && v.screen.Interactive {
		v.printf("\n")
	}
	docs := r.documents()
	if len(docs.Hits) == 0 {
		v.printResults(r.Results, q, at, unsure)
		return
	}
	if len(r.Hits) > 0 {
		v.printResults(r.Results, q, at, "Code has only weak matches; --code lists them.")
	}
	if v.screen.Interactive {
		v.printf("%s%s\n\n", strings.Repeat("\n", min(len(r.Hits), 1)), v.style.Bold(say("Documents")))
	}
	docs.Total = len(docs.Hits)
	if len(r.Hits) > 0 {
		docs.Notes = slices.DeleteFunc(docs.Notes, func(n string) bool { return slices.Contains(r.Notes, n) })
	}
	v.printResults(docs, q, at, unsure)
}

const unsure translations.Text = "No confident match. Closest:"

func (v *invocation) printResults(r api.Results, q api.Query, at *locator, ifWeak translations.Text) {
	words := highlight.Question(q.Text, r.Forms...)
	if len(r.Hits) > 0 && r.Hits[0].Weak {
		v.note(ifWeak)
		if v.screen.Interactive {
			v.printf("\n")
		}
	}
	for i, h := range r.Hits {
		if h.Weak && i > 0 && !r.Hits[i-1].Weak && v.screen.Interactive {
			v.printf("\n")
			v.note("Weaker results:")
		}
		if !v.screen.Interactive && !q.Explain {
			v.printf("%s", v.record(h, at, words))
			continue
		}
		if i > 0 {
			v.printf("\n")
		}
		v.printHit(h, at, words)
	}
	if v.screen.Interactive && len(r.Hits) > 0 && (r.Total > len(r.Hits) || len(r.Notes) > 0) {
		v.printf("\n")
	}
	switch {
	case len(r.Hits) == 0:
		v.note("Nothing found. Try other words, or exact text with: search-mcp grep -F TEXT")
		v.notes("  nearest: ", r.Nearest)
	case r.Total > len(r.Hits) && v.screen.Interactive:
		v.note("%d of %s. More with -n.", len(r.Hits), many(r.Total, "result"))
	}
	v.notes("", r.Notes)
}

func (v *invocation) printHit(h api.Hit, at *locator, words highlight.Terms) {
	path := at.path(h.Project, h.Path)
	_, file := at.absolute(h.Project, h.Path)
	line := v.style.Link(file, v.style.Path(clean(path))+v.style.Bold(fmt.Sprintf(":%d", line(h))))
	after := ""
	if h.Stale {
		after = "  (" + say("changed since it was indexed") + ")"
	}
	space := 0
	if v.screen.Width > 0 {
		space = max(v.screen.Width-term.Columns(path)-len(":12345  ")-len(after), minContext)
	}
	if c := h.Context(); c != "" {
		line += "  " + term.Cut(clean(c), space)
	}
	v.printf("%s%s\n", line, v.style.Dim(after))
	x := term.Source{Best: h.Best, Marks: words}
	for _, l := range h.Lines {
		x.Lines = append(x.Lines, term.Line{Number: l.Number, Text: l.Text})
	}
	v.printf("%s", v.screen.Source(x))
	for _, l := range h.Also {
		l.Path = at.path(h.Project, l.Path)
		v.printf("%s\n", v.style.Dim("  "+say("also in %s", clean(l.String()))))
	}
	v.printFactors(h)
}

const minContext = 12

// factorWords describes the components of a score (docs/ranking.md).
var factorWords = map[string]string{
	"words":      "your words; rare words count more",
	"meaning":    "similar meaning",
	"outline":    "the file has a similar meaning",
	"coverage":   "how many of the words it contains",
	"file":       "how often the file contains the words",
	"definition": "it defines",
	"phrase":     "words that are adjacent, as in the query",
	"literal":    "it contains the text exactly as typed",
	"file name":  "the file's name contains the words",
	"history":    "commits about the subject changed the file",
	"folder":     "files beside it match",
	"scope":      "the message names it before its colon",
	"size":       "large files change oftener",
	"place":      "kind of file:",
	"repeat":     "a further result",
}

const maxBar = 20

func (v *invocation) printFactors(h api.Hit) {
	if len(h.Explain) == 0 {
		return
	}
	v.printf("%s\n", v.style.Dim(fmt.Sprintf("  score %.2f", h.Score)))
	width, most := 0, 0.0
	for _, f := range h.Explain {
		width, most = max(width, term.Columns(f.Name)), max(most, math.Abs(f.Value))
	}
	for _, f := range h.Explain {
		bar := ""
		if most > 0 {
			bar = strings.Repeat("▪", int(math.Round(math.Abs(f.Value)/most*maxBar)))
		}
		words := strings.TrimSpace(sentence(factorWords[f.Name]) + " " + sentence(f.Note))
		text := fmt.Sprintf("    %+.4f  %-*s  %-*s  %s", f.Value, width, f.Name, maxBar, bar, words)
		v.printf("%s\n", v.style.Dim(term.Cut(strings.TrimRight(text, " "), v.screen.Width)))
	}
}

func line(h api.Hit) int { return max(h.Best, h.StartLine) }

func (v *invocation) record(h api.Hit, at *locator, words highlight.Terms) string {
	text := ""
	for _, l := range h.Lines {
		if text == "" || l.Number == line(h) {
			text = l.Text
		}
	}
	return v.screen.Record(at.path(h.Project, h.Path), line(h), 0, text, words)
}

// printPaths prints each path once. If null is set, a zero byte follows each path instead of a newline.
func (v *invocation) printPaths(paths []string, null bool) error {
	seen := map[string]bool{}
	return v.paged(func() {
		for _, p := range paths {
			switch {
			case seen[p]:
			case null:
				v.printf("%s\x00", p)
			default:
				v.printf("%s\n", v.style.Path(clean(p)))
			}
			seen[p] = true
		}
	})
}
