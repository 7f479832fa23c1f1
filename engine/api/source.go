package api

import (
	"encoding/json"
	"time"
)

// DocumentFolder is a folder whose documents a session has. Prefix, "" or "@name/", begins the paths of its documents.
type DocumentFolder struct {
	Root   string `json:"root"`
	Prefix string `json:"prefix,omitempty"`
}

// Where a DocumentSource comes from.
const (
	OriginSession = "session" // --docs
	OriginProject = "project" // an indexed project
	OriginAdded   = "added"   // a person added it in the app
)

// DocumentSource is a document folder as a list of sources shows it.
type DocumentSource struct {
	DocumentFolder
	Origin    string `json:"origin"`
	Documents int    `json:"documents"`
	Reading   bool   `json:"reading,omitempty"` // not counted yet; an EventSources with SourceRead tells when it is
	Problem   string `json:"problem,omitempty"` // why it is not served, one sentence
	// LeftOut are documents that are not served and folders that are not looked into, each with the reason.
	LeftOut []string `json:"leftOut,omitempty"`
}

// Document is one document as it is listed; Name is unique within a session.
type Document struct {
	URI         string   `json:"uri"`
	Name        string   `json:"name"`
	Title       string   `json:"title"`
	Description string   `json:"description,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	MIMEType    string   `json:"mimeType"`
}

// DocumentText is a document's content as it is served.
type DocumentText struct {
	URI      string
	MIMEType string
	Text     string
}

// DocumentQuery is one search_documents. In is "title", "content" or "both".
type DocumentQuery struct {
	Text      string
	In        string
	Limit     int
	FileTypes []string
}

// DocumentHit is one document that a person's search found.
type DocumentHit struct {
	File    string  `json:"file"` // absolute
	Root    string  `json:"root"` // the folder of documents that it is in
	Title   string  `json:"title"`
	Section string  `json:"section,omitempty"` // the heading under which the excerpt stands
	Excerpt string  `json:"excerpt"`
	Score   float64 `json:"score"` // in [0,1]
}

// SiteLocation is where a site's index is: an absolute path, an http(s) URL or s3://bucket/key.
type SiteLocation struct {
	URL      string `json:"url"`
	Endpoint string `json:"endpoint,omitempty"` // of a bucket: https://host[:port]; "" is Amazon's
	Region   string `json:"region,omitempty"`
}

// Site describes a site in a list.
type Site struct {
	SiteLocation
	Tool        string    `json:"tool"`
	Prefix      string    `json:"prefix"`
	Name        string    `json:"name"`
	Domain      string    `json:"domain"`
	Description string    `json:"description,omitempty"`
	Version     string    `json:"version"`
	Generated   string    `json:"generated"`
	Pages       int       `json:"pages"`
	ETag        string    `json:"etag,omitempty"`
	Checked     time.Time `json:"checked,omitzero"`
	Problem     string    `json:"problem,omitempty"` // why the last refresh failed; the copy before it is served
	Note        string    `json:"note,omitempty"`    // of an addition: what a person should know
	// PrefixGiven is set when a person named the prefix; the index's own does not count then.
	PrefixGiven bool `json:"prefixGiven,omitempty"`
	// Offered is what the index says about itself since a refresh, if that is something else than what the person agreed
	// to, which is what its tool says until they agree to this.
	Offered SiteWords `json:"offered,omitzero"`
}

// SiteWords is what an index says about itself that its tool's name and description are made of.
type SiteWords struct {
	Name        string `json:"name"`
	Domain      string `json:"domain"`
	Description string `json:"description,omitempty"`
	Prefix      string `json:"prefix"`
}

// SiteProblem is one thing that is wrong with an index.
type SiteProblem struct {
	Path    string `json:"path"` // into the JSON: "pages[3].url", "$" for the whole
	Message string `json:"message"`
}

// SiteReport is what a check of an index found: with any problem it is not valid and the fields after Problems are
// empty.
type SiteReport struct {
	Valid    bool          `json:"valid"`
	Problems []SiteProblem `json:"problems"`
	Name     string        `json:"name,omitempty"`
	Domain   string        `json:"domain,omitempty"`
	About    string        `json:"about,omitempty"` // its description
	Pages    int           `json:"pages"`
	Tool     string        `json:"tool,omitempty"` // that the site would get
	Note     string        `json:"note,omitempty"` // what a person should know before adding it
}

// SitePage is one result of search_<prefix>.
type SitePage struct {
	URL      string   `json:"url"` // absolute
	Title    string   `json:"title"`
	Abstract string   `json:"abstract"`
	Date     string   `json:"date"`
	Topics   []string `json:"topics"`
	Score    float64  `json:"score"` // in [0,1], 1 is best
	Excerpt  string   `json:"excerpt"`
	// The heading under which the excerpt stands, and its address; "" where the index has no headings.
	Section    string `json:"section,omitempty"`
	SectionURL string `json:"sectionUrl,omitempty"`
}

// SiteBuild says what index to make of a folder. Fields that are empty are taken from the pages.
type SiteBuild struct {
	Dir         string `json:"dir"`
	Out         string `json:"out"` // the file to write, absolute
	Name        string `json:"name,omitempty"`
	Domain      string `json:"domain,omitempty"`
	Description string `json:"description,omitempty"`
	Prefix      string `json:"prefix,omitempty"`
}

// SiteBuilt is what was made.
type SiteBuilt struct {
	Out     string   `json:"out"`
	Name    string   `json:"name"`
	Domain  string   `json:"domain"`
	Pages   int      `json:"pages"`
	Skipped []string `json:"skipped,omitempty"` // one sentence each
	Note    string   `json:"note,omitempty"`
}

// NamedResult is one result of search_index.
type NamedResult struct {
	DocID      string          `json:"doc_id"`
	Score      float64         `json:"score"`
	Highlights []string        `json:"highlights"`
	Metadata   json.RawMessage `json:"metadata"`
}

// NamedQuery is a query taken apart (query_parsed).
type NamedQuery struct {
	Terms   []string `json:"terms"`
	Must    []string `json:"must"`
	MustNot []string `json:"must_not"`
	Phrases []string `json:"phrases"`
}

// NamedAnswer is the answer of search_index. Parsed is nil for a query without any word.
type NamedAnswer struct {
	Results []NamedResult `json:"results"`
	Total   int           `json:"total_matches"`
	Parsed  *NamedQuery   `json:"query_parsed,omitempty"`
}

// NamedIndex says what index to create. MinLength is in characters.
type NamedIndex struct {
	Name      string
	Backend   string
	Lowercase bool
	MinLength int
}

// NamedSummary describes a named index in a list.
type NamedSummary struct {
	Name      string `json:"name"`
	Backend   string `json:"backend"`
	Documents int    `json:"documents"`
	Bytes     int64  `json:"bytes"`
}

// NamedIndexes are all of them, by name, with the memory that they use and may use.
type NamedIndexes struct {
	Indexes []NamedSummary `json:"indexes"`
	Bytes   int64          `json:"bytes"`
	Limit   int64          `json:"limit"`
}

// SourceError is a failure whose text a tool gives word for word, because its specification prints it.
type SourceError string

// Error returns the text.
func (e SourceError) Error() string { return string(e) }

// Kinds of sources, as the Message of an EventSources.
const (
	SourceDocuments = "documents" // documents appeared, went or changed
	SourceRead      = "read"      // a document folder was read for the first time; what is served is the same
	SourceSites     = "sites"
	SourceNamed     = "named"
	SourceArchives  = "archives"
)

// EventSources says that what the sources serve has changed; Message is the kind.
const EventSources EventKind = "sources"
