package wire

import "searchmcp/engine/api"

// The methods about what is served beside the projects. Whatever they change is told by api.EventSources or, for a
// setting, api.EventSettings.
const (
	MethodSources Method[Empty, Sources] = Prefix + "sources"

	MethodSourcesSearch Method[SourceSearch, SourceResults] = Prefix + "sources/search"

	MethodDocsSearch Method[DocumentSearch, SourceResults] = Prefix + "documents/search" // those that the session has
	MethodDocsAdd    Method[DocumentsRef, Empty]           = Prefix + "documents/add"    // a folder for every session
	MethodDocsRemove Method[DocumentsRef, Empty]           = Prefix + "documents/remove" // of those that were added

	MethodSiteValidate Method[api.SiteLocation, api.SiteReport] = Prefix + "site/validate" // nothing is kept
	MethodSiteAdd      Method[SiteAdd, api.Site]                = Prefix + "site/add"
	MethodSiteRemove   Method[SiteRef, api.Site]                = Prefix + "site/remove"
	MethodSiteRefresh  Method[Empty, []api.Site]                = Prefix + "site/refresh"
	MethodSiteBuild    Method[api.SiteBuild, api.SiteBuilt]     = Prefix + "site/build"

	MethodNamedRemove Method[NamedRef, Empty] = Prefix + "named/remove" // the default index is emptied

	// MethodArchiveImport sends notifications/progress, documents of all, if the request has a token, and stops when it is
	// cancelled; what was taken in by then stays.
	MethodArchiveImport Method[ArchiveImport, api.ArchiveReport] = Prefix + "archive/import"
	MethodArchiveRemove Method[ArchiveRef, api.ArchiveInfo]      = Prefix + "archive/remove"
)

// Sources is what is served beside the projects, as this session has it.
type Sources struct {
	Documents []api.DocumentSource `json:"documents"` // of the session, of other projects, added
	Sites     []api.Site           `json:"sites"`
	Named     api.NamedIndexes     `json:"named"`
	Archive   api.ArchiveInfo      `json:"archive"` // the one that is searched
}

// SourceSearch looks into what is served beside the projects: folders of documents that a person added, sites, the
// archive.
type SourceSearch struct {
	Text  string `json:"text"`
	Limit int    `json:"limit"` // of each source
}

// DocumentSearch asks the documents that the session has.
type DocumentSearch struct {
	Query api.DocumentQuery `json:"query"`
}

// SourceResults are what each source has, best first.
type SourceResults struct {
	Documents      []api.DocumentHit   `json:"documents,omitempty"`
	TotalDocuments int                 `json:"totalDocuments,omitempty"`
	Sites          []SitePages         `json:"sites,omitempty"`
	Archive        []api.ArchiveResult `json:"archive,omitempty"`
	TotalArchive   int                 `json:"totalArchive,omitempty"`
	Notes          []string            `json:"notes,omitempty"` // a sentence for each source that did not answer
}

// SitePages are the pages of a site.
type SitePages struct {
	Name  string         `json:"name"` // of the site
	Pages []api.SitePage `json:"pages"`
	Total int            `json:"total"`
}

// DocumentsRef names a folder with documents, absolute.
type DocumentsRef struct {
	Dir string `json:"dir"`
}

// SiteAdd asks for a site; Prefix "" leaves the tool's name to the index.
type SiteAdd struct {
	api.SiteLocation
	Prefix string `json:"prefix,omitempty"`
}

// SiteRef names a site by its tool, prefix, address or name.
type SiteRef struct {
	Site string `json:"site"`
}

// NamedRef names a named index.
type NamedRef struct {
	Index string `json:"index"`
}

// ArchiveImport asks for a folder, absolute, to be taken into the session's archive. A home folder or a whole disk is
// CONFIRMATION_REQUIRED unless Broad says that the person was asked twice about it.
type ArchiveImport struct {
	Dir   string `json:"dir"`
	Broad bool   `json:"broad,omitempty"`
}

// ArchiveRef names a folder that was imported, as api.ArchiveInfo has it: its documents leave the session's archive.
type ArchiveRef struct {
	Folder string `json:"folder"`
}
