package site

import (
	"cmp"
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
	"unicode"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/sources/markup"
	"searchmcp/engine/sources/site/schema"
)

type Built struct {
	Index   *schema.Index
	Skipped []string
	Note    string // note about the index for the user, or ""
}

// maxPage is the maximum size of a page, in bytes. A page may be a whole manual.
const maxPage = 32 << 20

// Build creates an index of a folder of HTML or Markdown pages. It sets the site's missing fields from the pages. It
// skips denied files and redacts secrets, but includes ignored files, because a built site is usually in an ignored
// folder.
func Build(ctx context.Context, dir string, site schema.Site, r markup.Reader, now time.Time) (Built, error) {
	if site.ToolPrefix != "" && !schema.ValidPrefix(site.ToolPrefix) {
		return Built{}, refused(prefixRule, site.ToolPrefix)
	}
	c := api.DefaultConfig()
	c.RespectGitignore, c.MaxFileSize = false, maxPage
	p, err := policy.New(dir, c)
	if err != nil {
		return Built{}, fmt.Errorf("build index: %w", err)
	}
	b := builder{policy: p, reader: r, urls: map[string]string{}, hosts: map[string]int{}}
	if err := p.Walk(ctx, ".", func(e policy.Entry, _ []policy.Entry) (enter bool, err error) {
		return b.entry(ctx, e), nil
	}, b.unreadable); err != nil {
		return Built{}, fmt.Errorf("build index: %w", err)
	}
	if len(b.pages) == 0 {
		return Built{}, refused("There are no .html or .md files in %s.", dir)
	}
	b.abstracts()
	common := b.titles()
	slices.SortFunc(b.pages, func(a, c schema.Page) int { return strings.Compare(a.URL, c.URL) })
	known := b.complete(&site, dir, common)
	built := Built{Skipped: b.skipped, Index: &schema.Index{
		Version: schema.Version, Generated: now.UTC().Format("2006-01-02T15:04:05.000Z"), Site: &site,
		PageCount: len(b.pages), Pages: b.pages,
	}}
	if !known {
		built.Note = "Neither the pages nor you name the site's domain, so results have paths in place of addresses. " +
			"Build the index again with --domain to change that."
	}
	return built, nil
}

type builder struct {
	policy  *policy.Policy
	reader  markup.Reader
	pages   []schema.Page
	urls    map[string]string
	hosts   map[string]int // number of canonical links by host
	home    string
	own     []string // description taken from the text of each page
	skipped []string
}

func (b *builder) entry(ctx context.Context, e policy.Entry) (enter bool) {
	f, ok := markup.FormatOf(e.Path)
	switch page := ok && f != markup.Text; {
	case e.Reason != api.SkipNone && (e.Dir || page):
		b.leaveOut(e.Path, e.Reason)
	case e.Reason == api.SkipNone && page && !e.Dir:
		b.file(ctx, e.Path)
	}
	return e.Dir && e.Reason == api.SkipNone
}

func (b *builder) unreadable(rel string, err error) error {
	if rel != "." && (errors.Is(err, fs.ErrPermission) || api.CodeOf(err) == api.PermissionDenied) {
		b.skipped = append(b.skipped, rel+" can't be read.")
		return nil
	}
	return err
}

func (b *builder) file(ctx context.Context, rel string) {
	data, _, reason, err := b.policy.Read(rel)
	if err != nil || reason != api.SkipNone {
		b.leaveOut(rel, reason)
		return
	}
	d := b.reader.Parse(ctx, rel, data)
	why := ""
	switch {
	case d.Draft:
		why = "is a draft"
	case d.Redirect:
		why = "only leads to another page"
	case d.NoIndex:
		why = "asks search engines not to index it (noindex)"
	}
	if why != "" {
		b.skipped = append(b.skipped, fmt.Sprintf("%s was left out: it %s.", rel, why))
		return
	}
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
		URL: address, Title: d.Title, Abstract: d.Description, Date: d.Date, Topics: d.Tags,
		Body: d.Plain, Headings: headings(d),
	})
	b.own = append(b.own, d.Abstract)
}

func headings(d markup.Document) []schema.Heading {
	var out []schema.Heading
	for _, h := range d.Headings {
		if h.Anchor != "" {
			out = append(out, schema.Heading{Text: h.Text, Anchor: h.Anchor, At: h.At})
		}
	}
	return out
}

func (b *builder) leaveOut(rel string, reason api.Reason) {
	b.skipped = append(b.skipped, fmt.Sprintf("%s was left out: %s.", rel, reason.InWords()))
}

// sameAbstract is the number of pages with an equal description at which Build describes each page by its own text.
const sameAbstract = 3

func (b *builder) abstracts() {
	count := map[string]int{}
	for _, p := range b.pages {
		count[p.Abstract]++
	}
	for i, p := range b.pages {
		own := b.own[i]
		// Both texts may be parts of the same paragraph, but cut at different places.
		same := own != "" &&
			(strings.HasPrefix(p.Abstract, own) || strings.HasPrefix(own, strings.TrimSuffix(p.Abstract, "...")))
		if count[p.Abstract] >= sameAbstract || same || !markup.Informative(p.Abstract) {
			b.pages[i].Abstract = cmp.Or(own, p.Abstract)
		}
	}
}

var separators = []string{" | ", " - ", " – ", " — ", " · ", " :: "}

// sameTitle is the percentage of titles with the same end, such as " | My Site", at which Build removes this end.
const sameTitle = 80

func (b *builder) titles() (common string) {
	count, best := map[string]int{}, ""
	for _, p := range b.pages {
		if _, end := splitTitle(p.Title); end != "" {
			if count[end]++; count[end] > count[best] {
				best = end
			}
		}
	}
	if count[best] < sameAbstract || 100*count[best] < sameTitle*len(b.pages) {
		return ""
	}
	for i, p := range b.pages {
		if title, end := splitTitle(p.Title); end == best && title != "" {
			b.pages[i].Title = title
		}
	}
	return best
}

func splitTitle(s string) (title, end string) {
	at := -1
	for _, sep := range separators {
		if i := strings.LastIndex(s, sep); i > at {
			at, title, end = i, strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+len(sep):])
		}
	}
	if at < 0 {
		return s, ""
	}
	return title, end
}

// PageURL returns the address of a file: "docs/index.html" → "/docs", "docs/api.md" → "/docs/api".
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

// complete sets the missing name, domain and tool prefix of a site. The domain is the most frequent host of canonical
// links. Without a domain, complete returns false.
func (b *builder) complete(site *schema.Site, dir, common string) (domain bool) {
	site.Name = cmp.Or(site.Name, common, b.home, filepath.Base(dir))
	if site.Domain == "" {
		most := 0
		for host, n := range b.hosts {
			if n > most || n == most && host < site.Domain {
				site.Domain, most = host, n
			}
		}
	}
	site.ToolPrefix = cmp.Or(site.ToolPrefix, prefixOf(site.Name))
	domain = site.Domain != ""
	site.Domain = cmp.Or(site.Domain, schema.NoDomain)
	return domain
}

const maxPrefix = 24

// prefixOf returns the ASCII words of name in lower case, joined by underscores.
func prefixOf(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	prefix := ""
	for _, w := range words {
		if prefix == "" {
			w = strings.TrimLeft(w, "0123456789")
		}
		if w == "" || len(prefix)+len(w) > maxPrefix {
			continue
		}
		prefix = strings.TrimPrefix(prefix+"_"+w, "_")
	}
	return prefix
}
