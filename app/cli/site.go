package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"searchmcp/app/highlight"
	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
	"searchmcp/engine/sources/site/schema"
)

func (v *invocation) siteCommand() *cobra.Command {
	return v.group("site", "Check, add, search, remove and build search indexes of websites",
		v.siteValidate(), v.siteAdd(), v.siteRemove(),
		listing(v, "List the sites", func(s wire.Sources) []api.Site { return s.Sites }, v.printSites),
		v.siteSearch(), v.siteRefresh(), v.siteBuild())
}

// validate checks the index at a path or URL. It needs the app only for a URL.
func (v *invocation) validate(ctx context.Context, at string) (r api.SiteReport, err error) {
	if strings.Contains(at, "://") {
		err = v.with(ctx, func(c *client.Client) (err error) {
			r, err = wire.MethodSiteValidate.Call(ctx, c, api.SiteLocation{URL: at})
			return err
		})
		return r, err
	}
	var data []byte
	info, err := os.Stat(at)
	if err == nil && !info.Mode().IsRegular() { // reading a device may never end
		err = fmt.Errorf("%s is not a regular file", at)
	}
	if err == nil {
		data, err = os.ReadFile(at)
	}
	if err != nil {
		return r, api.New(api.FileNotFound, fmt.Sprintf("The file '%s' can't be read: %s.", at, api.InWords(err)),
			err.Error(), err)
	}
	x, problems := schema.Parse(data)
	if problems != nil {
		return api.SiteReport{Problems: problems}, nil
	}
	return api.SiteReport{Valid: true, Pages: len(x.Pages), Tool: "search_" + x.Meta().Prefix()}, nil
}

func (v *invocation) siteValidate() *cobra.Command {
	const short = "Check a site's index and list all problems"
	return command("validate FILE|URL", short, func(ctx context.Context, args []string) error {
		r, err := v.validate(ctx, args[0])
		err = printAnswer(v, r, err, func() {
			if r.Valid {
				v.printf("%s\n", say("%s is valid: %s, tool %s.", clean(args[0]), many(r.Pages, "page"), r.Tool))
				return
			}
			for _, p := range r.Problems {
				v.printf("%s: %s\n", v.style.Bold(clean(p.Path)), sentence(p.Message))
			}
			v.printf("%s\n", say("%s is not valid: %s.", clean(args[0]), many(len(r.Problems), "problem")))
		})
		if err == nil && !r.Valid {
			return errShown
		}
		return err
	})
}

func (v *invocation) siteAdd() *cobra.Command {
	var s wire.SiteAdd
	cmd := methodCommand(v, "add FILE|URL|s3://BUCKET/KEY", "Add a site, which gets its own search tool",
		wire.MethodSiteAdd, func(args []string) (wire.SiteAdd, error) {
			if s.URL = args[0]; !strings.Contains(s.URL, "://") {
				s.URL = absolute(s.URL)
			}
			return s, nil
		}, func(site api.Site) {
			v.printf("%s\n", say("Added %s (%s): %s, tool %s.", paragraph(site.Name), paragraph(site.Domain),
				many(site.Pages, "page"), site.Tool))
			if site.Description != "" {
				v.printf("  %s\n", say("Description: %s", paragraph(site.Description)))
			}
			if site.Note != "" {
				v.printf("%s\n", sentence(site.Note))
			}
		})
	f := cmd.Flags()
	f.StringVar(&s.Prefix, "prefix", "", "name of the tool after search_ (default: the index's toolPrefix, else website)")
	f.StringVar(&s.Endpoint, "endpoint", "", "endpoint of an S3-compatible bucket, such as https://host:9000")
	f.StringVar(&s.Region, "region", "", "region of the bucket")
	return cmd
}

func (v *invocation) siteRemove() *cobra.Command {
	return methodCommand(v, "remove SITE", "Remove a site, given its tool, prefix, address or name",
		wire.MethodSiteRemove, func(args []string) (wire.Ref, error) {
			ref := args[0]
			if _, err := os.Stat(ref); err == nil {
				ref = absolute(ref)
			}
			return wire.Ref{Ref: ref}, nil
		}, func(site api.Site) { v.printf("%s\n", say("Removed %s (%s).", clean(site.Name), site.Tool)) })
}

func (v *invocation) siteSearch() *cobra.Command {
	limit := 0
	const short = "Search a site, given its tool, prefix or name"
	cmd := v.connected("search SITE QUERY", short, func(ctx context.Context, c *client.Client, args []string) error {
		s, err := wire.MethodSources.Call(ctx, c, wire.Empty{})
		if err != nil {
			return err
		}
		at := slices.IndexFunc(s.Sites, func(x api.Site) bool {
			return args[0] == x.Tool || args[0] == x.Prefix || args[0] == x.Name
		})
		if at < 0 {
			text := fmt.Sprintf("There is no site '%s'; 'search-mcp site list' lists them.", args[0])
			return api.New(api.InvalidArgument, text, text, nil)
		}
		query := strings.Join(args[1:], " ")
		return answer(ctx, v, c, s.Sites[at].Tool, map[string]any{"query": query, "limit": limit},
			func(a pages) { v.printPages(a, query) }, func(a pages) int { return len(a.Results) })
	})
	cmd.Flags().IntVar(&limit, "limit", 10, "number of results, 1 to 50")
	return cmd
}

type pages struct {
	Results      []api.SitePage
	TotalResults int
}

func (v *invocation) printPages(a pages, query string) {
	words := highlight.Question(query)
	all := make([]found, len(a.Results))
	for i, p := range a.Results {
		all[i] = found{p.URL, under(p.Title, p.Section), []string{v.lineOf(p.Excerpt, words)}}
		if p.Section != "" {
			all[i].address = p.SectionURL
		}
	}
	v.printFound(all, a.TotalResults, "page")
}

func (v *invocation) siteRefresh() *cobra.Command {
	return v.connected("refresh", "Check every site for a newer index now",
		func(ctx context.Context, c *client.Client, _ []string) error {
			sites, err := wire.MethodSiteRefresh.Call(ctx, c, wire.Empty{})
			err = printAnswer(v, sites, err, func() { v.printSites(sites) })
			if err == nil && slices.ContainsFunc(sites, func(s api.Site) bool { return s.Problem != "" }) {
				return errShown
			}
			return err
		})
}

func (v *invocation) printSites(sites []api.Site) {
	if len(sites) == 0 {
		fmt.Fprintln(v.Err, say("No site has been added."))
	}
	for _, s := range sites {
		v.printf("%s  %s (%s), %s\n  %s\n", v.style.Bold(s.Tool), clean(s.Name), clean(s.Domain),
			many(s.Pages, "page"), v.style.Dim(clean(s.URL)))
		if s.Problem != "" {
			v.printf("  %s\n", v.style.Warning(say("Not refreshed: %s", sentence(s.Problem))))
		}
		if o := s.Offered; o != (api.SiteWords{}) {
			v.printf("  %s\n  %s\n", say("Its description has changed: %s (%s), tool search_%s. %s", paragraph(o.Name),
				paragraph(o.Domain), o.Prefix, paragraph(o.Description)), say("Assistants see the earlier description until you "+
				"add the site again: search-mcp site add %s", clean(s.URL)))
		}
	}
}

func paragraph(text string) string { return clean(strings.Join(strings.Fields(text), " ")) }

func (v *invocation) siteBuild() *cobra.Command {
	var b api.SiteBuild
	const short = "Build an index from a folder of HTML or Markdown pages"
	cmd := methodCommand(v, "build DIR", short, wire.MethodSiteBuild, func(args []string) (api.SiteBuild, error) {
		b.Dir, b.Out = absolute(args[0]), absolute(b.Out)
		return b, nil
	}, func(r api.SiteBuilt) {
		v.printf("%s\n%s\n", say("Wrote %s: %s of %s (%s).", clean(r.Out), many(r.Pages, "page"), clean(r.Name),
			clean(r.Domain)), say("Publish it next to the pages, or add it here: search-mcp site add %s", clean(r.Out)))
		if r.Note != "" {
			fmt.Fprintf(v.Err, "%s\n", sentence(r.Note))
		}
		v.printNotes(r.Skipped)
	})
	f := cmd.Flags()
	f.StringVarP(&b.Out, "out", "o", "search-index.json", "the file to write")
	f.StringVar(&b.Name, "name", "", "name of the site (default: the title of its first page)")
	f.StringVar(&b.Domain, "domain", "", "domain without protocol (default: the domain in the pages' canonical links)")
	f.StringVar(&b.Description, "description", "", "one sentence about the site")
	f.StringVar(&b.Prefix, "prefix", "", "name of the tool after search_ (default: derived from the site's name)")
	return cmd
}
