// Package schema is the format of a site's search index (docs/specification.md#sites): its fields,
// its rules, and what an index of version 2 lacks. It needs nothing but the standard library, so that the command line
// can check a file without the engine. It starts no goroutine and holds no lock.
package schema

import "strings"

// Version is the version that is written.
const Version = "3.0"

// Index is the whole file.
type Index struct {
	Version   string `json:"version"`
	Generated string `json:"generated"` // ISO 8601
	Site      *Site  `json:"site,omitempty"`
	PageCount int    `json:"pageCount"`
	Pages     []Page `json:"pages"`
}

// Site names the site and its tool.
type Site struct {
	Name        string `json:"name"`
	Domain      string `json:"domain"` // without protocol
	Description string `json:"description,omitempty"`
	ToolPrefix  string `json:"toolPrefix,omitempty"` // "" means DefaultPrefix
}

// Page is one searchable page.
type Page struct {
	URL      string   `json:"url"` // begins with "/", no trailing slash but for the root
	Title    string   `json:"title"`
	Abstract string   `json:"abstract,omitempty"`
	Date     string   `json:"date,omitempty"` // YYYY-MM-DD
	Topics   []string `json:"topics,omitempty"`
	Body     string   `json:"body,omitempty"`

	// Headings are no field of the specification; an index without them is as good, but its results lead to pages only.
	Headings []Heading `json:"headings,omitempty"`
}

// Heading is a heading that an address can lead to.
type Heading struct {
	Text   string `json:"text"`
	Anchor string `json:"anchor"` // fragment
	At     int    `json:"at"`     // its place in the body, in bytes of UTF-8
}

// DefaultPrefix is the tool's prefix where the index names none: the tool is search_website then.
const DefaultPrefix = "website"

// DefaultSite is what an index of version 2, which has no site, is served with («Migration from v2.x»).
var DefaultSite = Site{Name: "Website", Domain: "example.com", Description: "Search this website"}

// Meta is the index's site, with the defaults of version 2.
func (x *Index) Meta() Site {
	if x.Site == nil {
		return DefaultSite
	}
	return *x.Site
}

// Prefix is the prefix of the site's tool.
func (s Site) Prefix() string {
	if s.ToolPrefix == "" {
		return DefaultPrefix
	}
	return s.ToolPrefix
}

// NoDomain is the domain of an index that was built without one, which the format requires: a name that can't exist
// (RFC 2606).
const NoDomain = "site.invalid"

// Absolute is a page's full address, its path where nobody has said the domain.
func (s Site) Absolute(url string) string {
	if s.Domain == NoDomain {
		return url
	}
	return "https://" + s.Domain + url
}

// ValidPrefix reports whether a tool prefix matches ^[a-z][a-z0-9_]*$.
func ValidPrefix(s string) bool {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' }) < 0
}
