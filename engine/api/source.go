package api

import (
	"encoding/json"
	"time"
)

type DocumentFolder struct {
	Root   string `json:"root"`
	Prefix string `json:"prefix,omitempty"`
}

const (
	OriginSession = "session"
	OriginProject = "project"
	OriginAdded   = "added"
)

type DocumentSource struct {
	DocumentFolder
	Origin    string   `json:"origin"`
	Documents int      `json:"documents"`
	Reading   bool     `json:"reading,omitempty"` // being read; an EventSources event with SourceRead follows
	Problem   string   `json:"problem,omitempty"` // why the folder is not served, as a sentence
	LeftOut   []string `json:"leftOut,omitempty"`
}

type Document struct {
	URI         string   `json:"uri"`
	Name        string   `json:"name"`
	Title       string   `json:"title"`
	Description string   `json:"description,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	MIMEType    string   `json:"mimeType"`
}

type DocumentText struct {
	MIMEType string
	Text     string
}

type DocumentQuery struct {
	Text      string
	In        string
	Limit     int
	FileTypes []string
}

type DocumentHit struct {
	File    string  `json:"file"` // absolute
	Root    string  `json:"root"`
	Title   string  `json:"title"`
	Section string  `json:"section,omitempty"`
	Excerpt string  `json:"excerpt"`
	Score   float64 `json:"score"` // in [0,1]
}

// SiteLocation is the location of a site's search index: an absolute path, a URL or s3://bucket/key.
type SiteLocation struct {
	URL      string `json:"url"`
	Endpoint string `json:"endpoint,omitempty"` // endpoint of the bucket, https://host[:port]; "" means Amazon S3
	Region   string `json:"region,omitempty"`
}

type Site struct {
	SiteLocation
	SiteWords
	Tool      string    `json:"tool"`
	Version   string    `json:"version"`
	Generated string    `json:"generated"`
	Pages     int       `json:"pages"`
	ETag      string    `json:"etag,omitempty"`
	Checked   time.Time `json:"checked,omitzero"`
	Problem   string    `json:"problem,omitempty"` // why the previous copy is still served
	Note      string    `json:"note,omitempty"`    // shown after the site has been added
	// PrefixGiven reports whether the user chose the prefix.
	PrefixGiven bool `json:"prefixGiven,omitempty"`
	// Offered is the site's new description. The old description is used until the user approves the new one.
	Offered SiteWords `json:"offered,omitzero"`
}

type SiteWords struct {
	Name        string `json:"name"`
	Domain      string `json:"domain"`
	Description string `json:"description,omitempty"`
	Prefix      string `json:"prefix"`
}

type SiteProblem struct {
	Path    string `json:"path"` // path in the JSON, such as "pages[3].url"; "$" is the whole file
	Message string `json:"message"`
}

// SiteReport is the result of checking a site's search index. The fields after Problems are set only for a valid index.
type SiteReport struct {
	Valid    bool          `json:"valid"`
	Problems []SiteProblem `json:"problems"`
	Name     string        `json:"name,omitempty"`
	Domain   string        `json:"domain,omitempty"`
	About    string        `json:"about,omitempty"`
	Pages    int           `json:"pages"`
	Tool     string        `json:"tool,omitempty"`
	Note     string        `json:"note,omitempty"` // shown before the site is added
}

type SitePage struct {
	URL        string   `json:"url"` // absolute
	Title      string   `json:"title"`
	Abstract   string   `json:"abstract"`
	Date       string   `json:"date,omitempty"`
	Topics     []string `json:"topics"`
	Score      float64  `json:"score"` // in [0,1]; 1 is best
	Excerpt    string   `json:"excerpt"`
	Section    string   `json:"section,omitempty"`
	SectionURL string   `json:"sectionUrl,omitempty"`
}

// SiteBuild contains the options for building a site's search index.
type SiteBuild struct {
	Dir         string `json:"dir"`
	Out         string `json:"out"`
	Name        string `json:"name,omitempty"`
	Domain      string `json:"domain,omitempty"`
	Description string `json:"description,omitempty"`
	Prefix      string `json:"prefix,omitempty"`
}

type SiteBuilt struct {
	Out     string   `json:"out"`
	Name    string   `json:"name"`
	Domain  string   `json:"domain"`
	Pages   int      `json:"pages"`
	Skipped []string `json:"skipped,omitempty"`
	Note    string   `json:"note,omitempty"`
}

type NamedResult struct {
	DocID      string          `json:"doc_id"`
	Score      float64         `json:"score"`
	Highlights []string        `json:"highlights"`
	Metadata   json.RawMessage `json:"metadata"`
}

type NamedQuery struct {
	Terms   []string `json:"terms"`
	Must    []string `json:"must"`
	MustNot []string `json:"must_not"`
	Phrases []string `json:"phrases"`
}

// NamedAnswer is the answer to a search in a named index. Parsed is nil for an empty query.
type NamedAnswer struct {
	Results []NamedResult `json:"results"`
	Total   int           `json:"total_matches"`
	Parsed  *NamedQuery   `json:"query_parsed,omitempty"`
}

type NamedIndex struct {
	Name      string
	Backend   string
	Lowercase bool
	MinLength int // minimum length of an indexed term, in characters
}

type NamedSummary struct {
	Name      string `json:"name"`
	Backend   string `json:"backend"`
	Documents int    `json:"documents"`
	Bytes     int64  `json:"bytes"`
}

type NamedIndexes struct {
	Indexes []NamedSummary `json:"indexes"`
	Bytes   int64          `json:"bytes"`
	Limit   int64          `json:"limit"`
}

// SourceError is an error whose text is prescribed by a specification.
type SourceError string

func (e SourceError) Error() string { return string(e) }

const (
	SourceDocuments = "documents" // documents were added, removed or changed
	SourceRead      = "read"      // a document folder was read for the first time
	SourceSites     = "sites"
	SourceNamed     = "named"
	SourceArchives  = "archives"
)

const EventSources EventKind = "sources"
