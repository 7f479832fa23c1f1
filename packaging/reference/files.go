package main

import (
	"fmt"
	"strings"
)

// file is a row of the table of files. pattern is a doublestar glob in the data folder.
type file struct{ pattern, what, gone string }

// The effects of deleting a file while the app is stopped.
const (
	costsTime  = "created again, which only takes time"
	costsIndex = "the index is rebuilt"
	lastValid  = "its copy is used"
	fromCopy   = "created again; if the original is missing or damaged too, see [recovery](../recovery.md)"
	again      = "created again"
	readAgain  = "the files in it are read again"
)

var dataFiles = []file{
	{"app.lock", "locked by the app that uses this folder", again},
	{"app.json", "identifies that app", again},
	{"start.lock", "locked while the app is being started", again},
	{"window.lock", "locked by the open window", again},
	{"tmp/*", "temporary files of the app and its processes", "created again; emptied at every start"},
	{"run/*", "the app's socket; in the user's runtime folder or /tmp if its path would be too long here",
		"created again at the next start"},
	{"settings.json", "[settings](settings.md) that differ from their defaults", lastValid},
	{"settings.valid.json", "a copy of the last valid settings", fromCopy},
	{"config.json", "your defaults for the [configuration](configuration.md) of all projects", lastValid},
	{"config.valid.json", "the last valid defaults, with every value", fromCopy},
	{"restart", "present for a moment while the app restarts because its program was replaced",
		"an editor's bridge may start the app itself"},
	{"quit", "present if the user quit the app and has not started it again",
		"an editor that was open then may start the app"},
	{"activity.jsonl", "the requests of the last seven days, if `activityKept` is on", "only this history is lost"},
	{"usage.json", "searches per day and last use of each assistant, unless `activity` is off", "counts start at zero"},
	{"sites.json", "the added sites", "add them again"},
	{"sites/*.json", "the last valid copy of each site's index", "add the site again"},
	{"archive/search.db", "the [archive](../archives.md)", "import the folders again"},
	{"logs/*", "the app's log, without file contents, and without queries unless the log level is debug", "only logs " +
		"are lost"},
	{"cache/vectors/*", "vectors by content, shared by all projects", costsTime},
	{"cache/crashes.json", "contents that crash native code in this version", "the crashes are forgotten"},
	{"cache/*", "measurements of this computer", costsTime},
	{"native.busy", "present while native code runs; if it exists at a start, that code crashed", "a crash is not " +
		"noticed"},
	{"indexes/*/config.json", "the project's [configuration](configuration.md)", lastValid},
	{"indexes/*/config.valid.json", "the last valid configuration, with every value", fromCopy},
	{"indexes/*/project.json", "folder, name, and the answer \"Always allow\"", "index the project again"},
	{"indexes/*/metadata.json", "versions, times and statistics", costsIndex},
	{"indexes/*/store.json", "the generation of the index in use", costsIndex},
	{"indexes/*/fingerprints.json", "path → SHA-256 of each committed code file", costsIndex},
	{"indexes/*/fingerprints.journal", "the latest changes to fingerprints.json", readAgain},
	{"indexes/*/docs-fingerprints.json", "path → SHA-256 of each committed documentation file", costsIndex},
	{"indexes/*/docs-fingerprints.journal", "the latest changes to docs-fingerprints.json", readAgain},
	{"indexes/*/dirty-files.json", "files that wait to be indexed (strategies `lazy` and `git`)",
		"the next full pass finds them"},
	{"indexes/*/git-head.json", "git's HEAD when the project was last watched (strategy `git`)",
		"a commit made while the app was stopped is indexed with the next commit"},
	{"indexes/*/stamps", "sizes and times of files, so that a start need not read them", costsTime},
	{"indexes/*/index.bleve/**", "text index of code", costsIndex},
	{"indexes/*/docs.bleve/**", "text index of documentation", costsIndex},
	{"indexes/*/index.lancedb/**", "vectors of code and their sketches", costsTime},
	{"indexes/*/docs.lancedb/**", "vectors of documentation and their sketches", costsTime},
	{"indexes/*/static/*", "quick vectors of code that has no vectors of the model yet", costsTime},
	{"indexes/*/docs-static/*", "quick vectors of documentation that has no vectors of the model yet", costsTime},
	{"indexes/*/.lock", "locked by the app that has the index open", again},
	{"indexes/*/native.busy", "present while native code works on this project", "a crash is not noticed"},
	{"indexes/*/next/**", "a generation that is being built", "the rebuild starts again"},
	{"indexes/*/switch.intent", "present while a finished generation replaces the old one; the next start completes it",
		costsIndex},
	{"indexes/*/logs/*", "the project's log", "only logs are lost"},
}

func filesPage() string {
	var b strings.Builder
	b.WriteString("# Files\n\n" + generated +
		"All data is stored in one folder, `~/.mcp/search` (or the folder in `SEARCH_MCP_HOME`), which only you can " +
		"read. Nothing is written to your\n" +
		"projects. Deleting the folder deletes everything, except a model that was downloaded because the program came " +
		"without one: it is in\n" +
		"`~/.cache/huggingface/search-mcp`. Stop the app before you change anything in the folder.\n\n" +
		"The name of an index's folder is the first 32 hex digits of the SHA-256 of the project's path. Folders of " +
		"earlier versions, with 16 digits, are\n" +
		"still used.\n\n" +
		"| file | content | if you delete it |\n" +
		"| --- | --- | --- |\n")
	for _, f := range dataFiles {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.pattern, f.what, f.gone)
	}
	return b.String()
}
