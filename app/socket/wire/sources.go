package wire

import "searchmcp/engine/api"

// Methods for sources other than projects, such as document folders. Each change triggers api.EventSources.
const (
	MethodSources Method[Empty, Sources] = Prefix + "sources"

	MethodSourcesSearch Method[SourceSearch, SourceResults] = Prefix + "sources/search"

	MethodDocsSearch Method[api.DocumentQuery, SourceResults] = Prefix + "documents/search"
	MethodDocsAdd    Method[Ref, Empty]                       = Prefix + "documents/add"
	MethodDocsRemove Method[Ref, Empty]                       = Prefix + "documents/remove"

	MethodSiteValidate Method[api.SiteLocation, api.SiteReport] = Prefix + "site/validate" // stores nothing
	MethodSiteAdd      Method[SiteAdd, api.Site]                = Prefix + "site/add"
	MethodSiteRemove   Method[Ref, api.Site]                    = Prefix + "site/remove"
	MethodSiteRefresh  Method[Empty, []api.Site]                = Prefix + "site/refresh"
	MethodSiteBuild    Method[api.SiteBuild, api.SiteBuilt]     = Prefix + "site/build"

	MethodNamedRemove Method[Ref, Empty] = Prefix + "named/remove" // the default index is only emptied

	// MethodArchiveImport sends notifications/progress. If it is cancelled, the archive keeps the documents that were
	// already imported.
	MethodArchiveImport Method[ArchiveImport, api.ArchiveReport] = Prefix + "archive/import"
	MethodArchiveRemove Method[Ref, api.ArchiveInfo]             = Prefix + "archive/remove"
)

type Sources struct {
	Documents []api.DocumentSource `json:"documents"`
	Sites     []api.Site           `json:"sites"`
	Named     api.NamedIndexes     `json:"named"`
	Archive   api.ArchiveInfo      `json:"archive"`
}

type SourceSearch struct {
	Text  string `json:"text"`
	Limit int    `json:"limit"` // maximum results per source
}

type SourceResults struct {
	Documents      []api.DocumentHit   `json:"documents"`
	TotalDocuments int                 `json:"totalDocuments"`
	Sites          []SitePages         `json:"sites,omitempty"`
	Archive        []api.ArchiveResult `json:"archive,omitempty"`
	TotalArchive   int                 `json:"totalArchive,omitempty"`
	Notes          []string            `json:"notes,omitempty"` // a sentence for each source whose search failed
}

type SitePages struct {
	Name  string         `json:"name"`
	Pages []api.SitePage `json:"pages"`
	Total int            `json:"total"`
}

// SiteAdd adds a site. If Prefix is empty, the site's index determines the name of its tool.
type SiteAdd struct {
	api.SiteLocation
	Prefix string `json:"prefix,omitempty"`
}

// ArchiveImport imports the documents in Dir. Broad means that the user has confirmed a home folder or whole disk
// twice.
type ArchiveImport struct {
	Dir   string `json:"dir"`
	Broad bool   `json:"broad,omitempty"`
}

// Methods for shared indexes. Clients must first get the user's approval to connect to the storage.
const (
	MethodShareAdd     Method[Share, api.Project]      = Prefix + "share/add" // returns after the first fetch
	MethodShareRemove  Method[ProjectRef, api.Project] = Prefix + "share/remove"
	MethodSharePublish Method[Share, api.Publication]  = Prefix + "share/publish" // sends notifications/progress
)

type Share struct {
	ProjectRef
	Location string `json:"location"` // s3://bucket/prefix?endpoint=…&region=…
}
