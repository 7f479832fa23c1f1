// Package schema defines the format of a site's search index (docs/specification.md#sites): its fields, its rules,
// and the defaults for version 2. It imports only the standard library, so that the command line can check an index
// without the engine.
package schema

import "regexp"

const Version = "3.0"

type Index struct {
	Version   string `json:"version"`
	Generated string `json:"generated"`
	Site      *Site  `json:"site,omitempty"`
	PageCount int    `json:"pageCount"`
	Pages     []Page `json:"pages"`
}

type Site struct {
	Name        string `json:"name"`
	Domain      string `json:"domain"` // without protocol
	Description string `json:"description,omitempty"`
	ToolPrefix  string `json:"toolPrefix,omitempty"` // "" means DefaultPrefix
}

type Page struct {
	URL      string   `json:"url"` // begins with "/" and, except for the root, does not end with it
	Title    string   `json:"title"`
	Abstract string   `json:"abstract,omitempty"`
	Date     string   `json:"date,omitempty"` // YYYY-MM-DD
	Topics   []string `json:"topics,omitempty"`
	Body     string   `json:"body,omitempty"`

	// Headings is an addition to the specification. Without headings, results link only to pages.
	Headings []Heading `json:"headings,omitempty"`
}

type Heading struct {
	Text   string `json:"text"`
	Anchor string `json:"anchor"`
	At     int    `json:"at"` // offset in the body, in bytes of UTF-8
}

// DefaultPrefix is the prefix for an index without toolPrefix.
const DefaultPrefix = "website"

// DefaultSite describes the site of an index of version 2, which lacks a description ("Migration from v2.x").
var DefaultSite = Site{Name: "Website", Domain: "example.com", Description: "Search this website"}

func (x *Index) Meta() Site {
	if x.Site == nil {
		return DefaultSite
	}
	return *x.Site
}

func (s Site) Prefix() string {
	if s.ToolPrefix == "" {
		return DefaultPrefix
	}
	return s.ToolPrefix
}

// NoDomain is the domain of an index that was built without a known domain. No such domain can exist (RFC 2606).
const NoDomain = "site.invalid"

func (s Site) Absolute(url string) string {
	if s.Domain == NoDomain {
		return url
	}
	return "https://" + s.Domain + url
}

var prefixForm = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

func ValidPrefix(s string) bool { return prefixForm.MatchString(s) }
