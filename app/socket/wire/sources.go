package wire

import "searchmcp/engine/api"

// Methods for sources other than projects. Their changes send api.EventSources, or api.EventSettings for a setting.
const (
	MethodSources Method[Empty, Sources] = Prefix + "sources"

	MethodSourcesSearch Method[SourceSearch, SourceResults] = Prefix + "sources/search"

	MethodDocsSearch Method[DocumentSearch, SourceResults] = Prefix + "documents/search" // of the session
	MethodDocsAdd    Method[DocumentsRef, Empty]           = Prefix + "documents/add"    // adds a folder for every session
	MethodDocsRemove Method[DocumentsRef, Empty]           = Prefix + "documents/remove" // removes an added folder

	MethodSiteValidate Method[api.SiteLocation, api.SiteReport] = Prefix + "site/validate" // stores nothing
	MethodSiteAdd      Method[SiteAdd, api.Site]                = Prefix + "site/add"
	MethodSiteRemove   Method[SiteRef, api.Site]                = Prefix + "site/remove"
	MethodSiteRefresh  Method[Empty, []api.Site]                = Prefix + "site/refresh"
	MethodSiteBuild    Method[api.SiteBuild, api.SiteBuilt]     = Prefix + "site/build"

	MethodNamedRemove Method[NamedRef, Empty] = Prefix + "named/remove" // the default index is emptied instead

	// MethodArchiveImport sends notifications/progress. If it is cancelled, the documents imported so far stay.
	MethodArchiveImport Method[ArchiveImport, api.ArchiveReport] = Prefix + "archive/import"
	MethodArchiveRemove Method[ArchiveRef, api.ArchiveInfo]      = Prefix + "archive/remove"
)

// Sources are the sources other than projects, as this session sees them.
type Sources struct {
	Documents []api.DocumentSource `json:"documents"` // documents of the session and of other projects, and added folders
	Sites     []api.Site           `json:"sites"`
	Named     api.NamedIndexes     `json:"named"`
	Archive   api.ArchiveInfo      `json:"archive"` // the searched archive
}

// SourceSearch searches the added documents, the sites and the archive.
type SourceSearch struct {
	Text  string `json:"text"`
	Limit int    `json:"limit"` // per source
}

type DocumentSearch struct {
	Query api.DocumentQuery `json:"query"`
}

// SourceResults are the results of each source, best first.
type SourceResults struct {
	Documents      []api.DocumentHit   `json:"documents,omitempty"`
	TotalDocuments int                 `json:"totalDocuments,omitempty"`
	Sites          []SitePages         `json:"sites,omitempty"`
	Archive        []api.ArchiveResult `json:"archive,omitempty"`
	TotalArchive   int                 `json:"totalArchive,omitempty"`
	Notes          []string            `json:"notes,omitempty"` // a sentence for each failed source
}

type SitePages struct {
	Name  string         `json:"name"` // the site's name
	Pages []api.SitePage `json:"pages"`
	Total int            `json:"total"`
}

type DocumentsRef struct {
	Dir string `json:"dir"`
}

// SiteAdd adds a site. If Prefix is empty, the site's index determines the tool's name.
type SiteAdd struct {
	api.SiteLocation
	Prefix string `json:"prefix,omitempty"`
}

// SiteRef names a site by its tool, prefix, address or name.
type SiteRef struct {
	Site string `json:"site"`
}

type NamedRef struct {
	Index string `json:"index"`
}

// ArchiveImport imports the folder Dir, an absolute path. A home folder or a whole disk is refused with
// CONFIRMATION_REQUIRED unless Broad is set, which requires that the user has confirmed twice.
type ArchiveImport struct {
	Dir   string `json:"dir"`
	Broad bool   `json:"broad,omitempty"`
}

// ArchiveRef names an imported folder.
type ArchiveRef struct {
	Folder string `json:"folder"`
}

// Methods for an index that a team shares on S3-compatible storage. Callers must get the user's approval first, because
// the app then connects to that storage.
const (
	MethodShareAdd     Method[Share, api.Project]      = Prefix + "share/add" // returns after the first fetch
	MethodShareRemove  Method[ProjectRef, api.Project] = Prefix + "share/remove"
	MethodSharePublish Method[Share, api.Publication]  = Prefix + "share/publish" // sends notifications/progress
)

// Share names a project, as in ProjectRef, and a location on S3-compatible storage.
type Share struct {
	Project  string `json:"project,omitempty"`
	Location string `json:"location"` // s3://bucket/prefix?endpoint=…&region=…
}
