package site

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/markup"
	"searchmcp/engine/policy"
	"searchmcp/engine/site/schema"
)

// Built is an index made of a folder, with what was left out.
type Built struct {
	Index   *schema.Index
	Skipped []string // one sentence each
}

// maxPage is larger than the RFC's limit for source files: a page on one topic may be long.
const maxPage = 8 << 20

// Build makes an index of a folder of HTML or Markdown pages. Fields of site that are empty are taken from the pages.
// The deny list and the secrets hold; ignore files don't, because a built site stands in an ignored folder as a rule.
func Build(ctx context.Context, dir string, site schema.Site, now time.Time) (Built, error) {
	if site.ToolPrefix != "" && !schema.ValidPrefix(site.ToolPrefix) {
		return Built{}, refused("The prefix '%s' must begin with a small letter and have only small letters, digits and underscores.", site.ToolPrefix)
	}
	c := api.DefaultConfig()
	c.RespectGitignore, c.MaxFileSize = false, maxPage
	p, err := policy.New(dir, policy.RulesOf(c))
	if err != nil {
		return Built{}, fmt.Errorf("build index: %w", err)
	}
	b := builder{policy: p, urls: map[string]string{}, hosts: map[string]int{}}
	if err := b.folder(ctx, "."); err != nil {
		return Built{}, fmt.Errorf("build index: %w", err)
	}
	if len(b.pages) == 0 {
		return Built{}, refused("There are no .html or .md files in %s.", dir)
	}
	slices.SortFunc(b.pages, func(a, c schema.Page) int { return strings.Compare(a.URL, c.URL) })
	b.complete(&site, dir)
	return Built{Skipped: b.skipped, Index: &schema.Index{
		Version: schema.Version, Generated: now.UTC().Format("2006-01-02T15:04:05.000Z"), Site: &site,
		PageCount: len(b.pages), Pages: b.pages,
	}}, nil
}

type builder struct {
	policy  *policy.Policy
	pages   []schema.Page
	urls    map[string]string // url → file
	hosts   map[string]int    // of canonical links
	home    string            // title of the root page
	skipped []string
}

func (b *builder) folder(ctx context.Context, rel string) error {
	entries, err := b.policy.ReadDir(rel)
	if err != nil {
		if rel != "." && (errors.Is(err, fs.ErrPermission) || api.CodeOf(err) == api.PermissionDenied) {
			b.skipped = append(b.skipped, rel+" can't be read.")
			return nil
		}
		return err
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch {
		case e.Reason != api.SkipNone:
		case e.Dir:
			if err := b.folder(ctx, e.Path); err != nil {
				return err
			}
		default:
			if f, ok := markup.FormatOf(e.Path); ok && f != markup.Text {
				b.file(e.Path)
			}
		}
	}
	return nil
}

func (b *builder) file(rel string) {
	data, _, reason, err := b.policy.Read(rel)
	if err != nil || reason != api.SkipNone {
		b.skipped = append(b.skipped, fmt.Sprintf("%s was left out (%s).", rel, reason))
		return
	}
	d := markup.Parse(rel, data)
	address := PageURL(rel)
	if u, err := url.Parse(d.Source); err == nil && d.Format == markup.HTML && u.Host != "" {
		b.hosts[u.Host]++
	}
	if other, taken := b.urls[address]; taken {
		b.skipped = append(b.skipped, fmt.Sprintf("%s has the address of %s, %s, and was left out.", rel, other, address))
		return
	}
	b.urls[address] = rel
	if address == "/" {
		b.home = d.Title
	}
	b.pages = append(b.pages, schema.Page{
		URL: address, Title: d.Title, Abstract: d.Description, Date: d.Date, Topics: d.Tags, Body: strings.TrimSpace(d.Plain),
	})
}

// PageURL is the address of a file of a site: index and README stand for their folder, Markdown is published without
// its extension, HTML under its name.
func PageURL(rel string) string {
	dir, base := path.Split(rel)
	stem := strings.TrimSuffix(base, path.Ext(base))
	f, _ := markup.FormatOf(base)
	switch {
	case strings.EqualFold(stem, "index"), f == markup.Markdown && strings.EqualFold(stem, "readme"):
		base = ""
	case f == markup.Markdown:
		base = stem
	}
	u := url.URL{Path: "/" + strings.TrimSuffix(dir+base, "/")}
	return u.EscapedPath()
}

// complete fills what was not given: the domain that most canonical links name, the root page's title.
func (b *builder) complete(site *schema.Site, dir string) {
	if site.Name == "" {
		if site.Name = b.home; site.Name == "" {
			site.Name = filepath.Base(dir)
		}
	}
	if site.Domain == "" {
		most := 0
		for host, n := range b.hosts {
			if n > most || n == most && host < site.Domain {
				site.Domain, most = host, n
			}
		}
		if site.Domain == "" {
			site.Domain = schema.DefaultSite.Domain
		}
	}
}
