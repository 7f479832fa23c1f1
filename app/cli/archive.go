package cli

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"searchmcp/app/cli/term"
	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/assets/translations"
	"searchmcp/engine/api"
)

func (v *invocation) archiveCommand() *cobra.Command {
	return v.group("archive", "Archives of research and saved pages", v.archiveImport(), v.archiveSearch(),
		listing(v, "Show the content of the archive", func(s wire.Sources) api.ArchiveInfo { return s.Archive },
			v.printArchiveInfo), v.archiveRemove())
}

func (v *invocation) archiveImport() *cobra.Command {
	const short = "Import a folder of notes, papers and saved pages; importing it again adds no duplicates"
	return v.connected("import DIR", short, func(ctx context.Context, c *client.Client, args []string) error {
		var r api.ArchiveReport
		dir := absolute(args[0])
		err := v.reporting(ctx, c, func(ctx context.Context, c wire.Caller) (err error) {
			r, err = wire.MethodArchiveImport.Call(ctx, c, wire.ArchiveImport{Dir: dir})
			if v.terminal && api.CodeOf(err) == api.ConfirmationRequired {
				if err = v.confirmBroad(ctx, dir); err == nil {
					r, err = wire.MethodArchiveImport.Call(ctx, c, wire.ArchiveImport{Dir: dir, Broad: true})
				}
			}
			return err
		}, "the documents imported so far stay in the archive; run the same command to continue")
		return printAnswer(v, r, err, func() {
			v.printf("%s\n%s\n", say("%s in the archive: %s added, %s updated, %s unchanged, %s removed.",
				many(r.Documents, "document"), thousands(r.Added), thousands(r.Updated), thousands(r.Unchanged),
				thousands(r.Removed)), v.citationsOf(r.Citations, r.Resolved)+".")
			for _, s := range r.Skipped {
				fmt.Fprintln(v.Err, say("Left out: %s", sentence(s)))
			}
		})
	})
}

// confirmBroad asks twice whether to import a home folder or a whole disk. --yes does not answer these questions.
func (v *invocation) confirmBroad(ctx context.Context, dir string) error {
	for _, question := range []translations.Text{
		"'%s' is a home folder or a whole disk. Assistants could search every document in it that no rule excludes.",
		"Do you really want to import all of '%s'?",
	} {
		fmt.Fprintln(v.Err, say(question, clean(dir)))
		if err := v.sure(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (v *invocation) printArchiveInfo(a api.ArchiveInfo) {
	switch {
	case a.Problem != "":
		v.printf("%s\n", v.style.Warning(sentence(a.Problem)))
	case a.Documents == 0:
		fmt.Fprintln(v.Err, say("The archive (%s) is empty.", clean(a.Path)))
	default:
		v.printf("%s  %s, %s\n", v.style.Bold(clean(a.Path)), many(a.Documents, "document"),
			v.citationsOf(a.Citations, a.Resolved))
		for _, f := range a.Folders {
			v.printf("  %s  %s\n", clean(f.Folder), v.style.Dim(many(f.Documents, "document")))
		}
	}
}

func (v *invocation) citationsOf(all, resolved int) string {
	return say("%s, %s of them to documents in the archive", many(all, "citation"), thousands(resolved))
}

func (v *invocation) archiveRemove() *cobra.Command {
	const short = "Remove the documents of an imported folder from the archive; the files are kept"
	return v.connected("remove DIR", short, func(ctx context.Context, c *client.Client, args []string) error {
		dir := absolute(args[0])
		a, err := wire.MethodArchiveRemove.Call(ctx, c, wire.Ref{Ref: dir})
		return printAnswer(v, a, err, func() {
			v.printf("%s\n", say("Removed %s.", clean(dir)))
			v.printArchiveInfo(a)
		})
	})
}

func (v *invocation) archiveSearch() *cobra.Command {
	exact, citations := false, false
	limit, depth, offset := 0, 0, 0
	cmd := v.connected("search QUERY", "Search the archive",
		func(ctx context.Context, c *client.Client, args []string) error {
			if err := v.archiveServed(ctx, c); err != nil {
				return err
			}
			at, err := v.locate(ctx, c)
			if err != nil {
				return err
			}
			return answer(ctx, v, c, "searchLocalArchives", map[string]any{
				"query": strings.Join(args, " "), "fuzzy": !exact, "includeCitations": citations,
				"citationDepth": depth, "limit": limit, "offset": offset,
			}, func(a api.ArchiveAnswer) { v.printArchive(a, at) }, func(a api.ArchiveAnswer) int { return len(a.Results) })
		})
	f := cmd.Flags()
	f.BoolVar(&exact, "exact", false, "do not correct spelling mistakes")
	f.BoolVar(&citations, "citations", false, "show what the results cite and what cites them")
	f.IntVar(&depth, "depth", api.DefaultCitationDepth, "levels of citations, 1 to 3")
	f.IntVar(&limit, "limit", api.DefaultArchiveLimit, "number of results, 1 to 50")
	f.IntVar(&offset, "offset", 0, "number of results to skip")
	return cmd
}

func (v *invocation) archiveServed(ctx context.Context, c *client.Client) error {
	s, err := wire.MethodSources.Call(ctx, c, wire.Empty{})
	if err != nil {
		return err
	}
	return served(ctx, c, "Archives", s.Archive.Exists,
		"There is no archive yet; 'search-mcp archive import DIR' creates one from a folder.")
}

func served(ctx context.Context, c *client.Client, sources string, exists bool, missing string) error {
	settings, err := wire.MethodSettingsGet.Call(ctx, c, wire.Empty{})
	setting := strings.ToLower(sources)
	switch {
	case err != nil:
		return err
	case settings[setting] == false:
		missing = fmt.Sprintf("%s are switched off; 'search-mcp settings set %s true' switches them on.", sources, setting)
	case exists:
		return nil
	}
	return api.New(api.InvalidArgument, missing, missing, nil)
}

func (v *invocation) printArchive(a api.ArchiveAnswer, at *locator) {
	all := make([]found, len(a.Results))
	for i, r := range a.Results {
		f := found{r.Document.URL, strings.TrimSpace(r.Document.Title + "  " + r.Document.Date), nil}
		if f.address == "" {
			f.address = at.file(r.Document.File)
		}
		for _, h := range r.Highlights {
			if h.Field != "title" {
				f.texts = append(f.texts, h.Snippets...)
			}
		}
		for i := range f.texts {
			f.texts[i] = v.marked(term.OneLine(paragraph(f.texts[i])))
		}
		if r.Citations != nil {
			f.texts = append(f.texts, v.citations(r.Citations)...)
		}
		all[i] = f
	}
	v.printFound(all, 0, "")
	if a.Metadata.NextOffset > 0 {
		v.note("For more results, use --offset %d", a.Metadata.NextOffset)
	}
}

func (v *invocation) citations(all *api.Citations) []string {
	var lines []string
	for _, c := range all.Citing {
		lines = append(lines, "→ "+term.OneLine(strings.TrimSpace(c.TargetTitle+"  "+c.TargetURL)))
	}
	for _, c := range all.Cited {
		lines = append(lines, "← "+v.style.Bold(term.OneLine(c.SourceTitle))+": "+term.OneLine(c.Context))
	}
	if all.Omitted > 0 {
		lines = append(lines, v.style.Dim(say("and %s more", thousands(all.Omitted))))
	}
	return lines
}

func (v *invocation) marked(s string) string {
	return mark.ReplaceAllStringFunc(s, func(found string) string {
		return v.style.Mark(mark.FindStringSubmatch(found)[1])
	})
}

var mark = regexp.MustCompile(`<mark>(.*?)(?:</mark>|$)`)
