package admin

import "searchmcp/app/socket/wire"

// table lists every private method but Hello, which the session's reader serves.
var table = []method{
	with(wire.MethodStatus, status),
	with(wire.MethodSubscribe, subscribe),
	with(wire.MethodSettingsGet, getSettings),
	with(wire.MethodSettingsSet, setSettings),
	about(wire.MethodLogs, orAll, logs),
	with(wire.MethodActivity, listActivity),
	with(wire.MethodUsage, usage),
	with(wire.MethodAsked, asked),
	with(wire.MethodSessions, sessions),
	about(wire.MethodDoctor, orAll, doctor),
	with(wire.MethodShow, show),
	with(wire.MethodQuit, quit),

	with(wire.MethodQuestions, questions),
	with(wire.MethodAnswer, answer),

	with(wire.MethodSearch, search),
	with(wire.MethodFiles, findFiles),
	about(wire.MethodFileText, one, fileText),
	with(wire.MethodLanguages, languages),
	with(wire.MethodSymbol, findSymbol),
	with(wire.MethodOutline, outline),
	with(wire.MethodGrep, grep),
	about(wire.MethodPreview, one, preview),
	about(wire.MethodPause, orAll, pause),
	about(wire.MethodResume, orAll, resume),
	about(wire.MethodPurge, orAll, purge),
	with(wire.MethodCancel, cancel),
	about(wire.MethodRevoke, one, revoke),
	about(wire.MethodRootAdd, one, addRoot),
	about(wire.MethodRootDel, one, removeRoot),
	about(wire.MethodLocate, one, relocate),
	about(wire.MethodConfigGet, one, getConfig),
	about(wire.MethodConfigSet, one, setConfig),
	about(wire.MethodConfigTry, one, tryConfig),

	with(wire.MethodSources, listSources),
	with(wire.MethodSourcesSearch, searchSources),
	with(wire.MethodDocsSearch, searchDocuments),
	with(wire.MethodDocsAdd, addDocuments),
	with(wire.MethodDocsRemove, removeDocuments),
	with(wire.MethodSiteValidate, checkSite),
	with(wire.MethodSiteAdd, addSite),
	with(wire.MethodSiteRemove, removeSite),
	with(wire.MethodSiteRefresh, refreshSites),
	with(wire.MethodSiteBuild, buildSite),
	with(wire.MethodNamedRemove, removeNamed),
	with(wire.MethodArchiveImport, importArchive),
	with(wire.MethodArchiveRemove, removeFromArchive),

	about(wire.MethodShareAdd, one, addShared),
	about(wire.MethodShareRemove, one, removeShared),
	about(wire.MethodSharePublish, one, publishShared),
}

// Names lists every private method of the table.
func Names() []string {
	out := make([]string, len(table))
	for i, row := range table {
		out[i] = row.name
	}
	return out
}
