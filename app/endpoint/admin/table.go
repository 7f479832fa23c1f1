package admin

import (
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

// Who may call a method.
var (
	people = []api.Role{api.RoleWindow, api.RoleTerminal}
	window = []api.Role{api.RoleWindow} // a terminal is asked on its own connection
)

// table is every private method but Hello, which the session's reader serves itself. app/socket/wire gives parameters
// and results.
var table = []method{
	{wire.MethodStatus, people, with(status)},
	{wire.MethodSubscribe, people, with(subscribe)},
	{wire.MethodSettingsGet, people, with(getSettings)},
	{wire.MethodSettingsSet, people, with(setSettings)},
	{wire.MethodLogs, people, aboutAny(logs)},
	{wire.MethodActivity, people, with(listActivity)},
	{wire.MethodToday, people, with(today)},
	{wire.MethodSessions, people, with(sessions)},
	{wire.MethodDoctor, people, aboutAny(doctor)},
	{wire.MethodShow, people, with(show)},
	{wire.MethodQuit, people, with(quit)},

	{wire.MethodQuestions, people, with(questions)},
	{wire.MethodAnswer, window, with(answer)},

	{wire.MethodSearch, people, with(search)},
	{wire.MethodFiles, people, with(findFiles)},
	{wire.MethodFileText, people, about(fileText)},
	{wire.MethodLanguages, people, with(languages)},
	{wire.MethodSymbol, people, with(findSymbol)},
	{wire.MethodOutline, people, with(outline)},
	{wire.MethodPreview, people, about(preview)},
	{wire.MethodPause, people, aboutAny(pause)},
	{wire.MethodResume, people, aboutAny(resume)},
	{wire.MethodPurge, people, aboutAny(purge)},
	{wire.MethodCancel, people, with(cancel)},
	{wire.MethodRevoke, people, about(revoke)},
	{wire.MethodRootAdd, people, about(addRoot)},
	{wire.MethodRootDel, people, about(removeRoot)},
	{wire.MethodLocate, people, about(relocate)},
	{wire.MethodConfigGet, people, about(getConfig)},
	{wire.MethodConfigSet, people, about(setConfig)},
	{wire.MethodConfigTry, people, about(tryConfig)},

	{wire.MethodSources, people, with(listSources)},
	{wire.MethodSourcesSearch, people, with(searchSources)},
	{wire.MethodDocsSearch, people, with(searchDocuments)},
	{wire.MethodDocsAdd, people, with(addDocuments)},
	{wire.MethodDocsRemove, people, with(removeDocuments)},
	{wire.MethodSiteValidate, people, with(checkSite)},
	{wire.MethodSiteAdd, people, with(addSite)},
	{wire.MethodSiteRemove, people, with(removeSite)},
	{wire.MethodSiteRefresh, people, with(refreshSites)},
	{wire.MethodSiteBuild, people, with(buildSite)},
	{wire.MethodNamedRemove, people, with(removeNamed)},
	{wire.MethodArchiveImport, people, with(importArchive)},
	{wire.MethodArchiveRemove, people, with(removeFromArchive)},

	{wire.MethodShareAdd, people, about(addShared)},
	{wire.MethodShareRemove, people, about(removeShared)},
	{wire.MethodSharePublish, people, about(publishShared)},
}

// Names lists every private method of the table.
func Names() []string {
	out := make([]string, len(table))
	for i, row := range table {
		out[i] = row.name
	}
	return out
}
