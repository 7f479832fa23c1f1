package main

import (
	"fmt"
	"strings"
)

// file is a row of the table of files. A pattern is a doublestar glob below the data folder.
type file struct{ pattern, what, gone string }

// The effect of deleting a file while the app is stopped.
const (
	costsTime  = "made again; costs time only"
	costsIndex = "the index is rebuilt"
	lastValid  = "its copy stays in force"
	fromCopy   = "written again; if the file beside it is gone or damaged too, see [recovery](../recovery.md)"
)

var dataFiles = []file{
	{"app.lock", "held by the app that serves this folder", "made again"},
	{"app.json", "which app that is", "made again"},
	{"start.lock", "held while the app is being started", "made again"},
	{"window.lock", "held by the open window", "made again"},
	{"tmp/*", "temporary files of the app and its processes", "made again; emptied at every start"},
	{"run/*", "the app's socket; in the user's runtime folder or /tmp where its path would be too long",
		"made again at the next start"},
	{"settings.json", "[settings](settings.md) that differ from their defaults", lastValid},
	{"settings.valid.json", "a copy of the last valid ones", fromCopy},
	{"config.json", "defaults of the [configuration](configuration.md) of all projects; yours to write", lastValid},
	{"config.valid.json", "the last valid ones, with every value", fromCopy},
	{"connections.json", "what connecting added to editors' configurations around its entry, for disconnecting",
		"an empty list of servers may remain there"},
	{"answers.json", "the app's answer to an editor's first request, repeated while the app starts", costsTime},
	{"restart", "the app restarts because its program was replaced; there for a moment",
		"an editor's bridge may start the app itself"},
	{"quit", "a person has quit the app and not started it again",
		"an editor that was open then may start the app"},
	{"activity.jsonl", "what was asked in the last seven days, if `activityKept` is on", "nothing else is lost"},
	{"usage.json", "searches a day by assistant, and when each last asked, unless `activity` is off", "counts begin anew"},
	{"sites.json", "the sites that were added", "add them again"},
	{"sites/*.json", "a copy of each site's index, the last good one", "add the site again"},
	{"archive/search.db", "the [archive](../archives.md)", "import the folders again"},
	{"logs/*", "what the app did; no contents of files, no queries unless the log level is debug", "nothing"},
	{"cache/vectors/*", "vectors by content, shared by all projects", costsTime},
	{"cache/crashes.json", "which contents crash native code, in this version", "crashes are forgotten"},
	{"cache/*", "what was measured on this machine", costsTime},
	{"native.busy", "there while native code runs; found at a start, that run crashed", "a crash is not noticed"},
	{"indexes/*/config.json", "the project's [configuration](configuration.md)", lastValid},
	{"indexes/*/config.valid.json", "the last valid one, with every value", fromCopy},
	{"indexes/*/project.json", "root, name and the answer «always allow»", "index the project again"},
	{"indexes/*/metadata.json", "versions, times and figures", costsIndex},
	{"indexes/*/store.json", "which generation of the index is in use", costsIndex},
	{"indexes/*/fingerprints.json", "path → SHA-256 of each code file: what is committed", costsIndex},
	{"indexes/*/fingerprints.journal", "the newest of them", "those files are read again"},
	{"indexes/*/docs-fingerprints.json", "the same of documentation", costsIndex},
	{"indexes/*/docs-fingerprints.journal", "the newest of them", "those files are read again"},
	{"indexes/*/dirty-files.json", "files that wait to be indexed (strategies `lazy` and `git`)",
		"the next full pass finds them"},
	{"indexes/*/stamps", "sizes and times of files, so that a start need not read them", costsTime},
	{"indexes/*/index.bleve/**", "text index of code", costsIndex},
	{"indexes/*/docs.bleve/**", "text index of documentation", costsIndex},
	{"indexes/*/index.lancedb/**", "vectors of code and their sketches", costsTime},
	{"indexes/*/docs.lancedb/**", "the same of documentation", costsTime},
	{"indexes/*/static/*", "quick vectors of code that has none of the model's yet", costsTime},
	{"indexes/*/docs-static/*", "the same of documentation", costsTime},
	{"indexes/*/.lock", "held by the app that has the index open", "made again"},
	{"indexes/*/native.busy", "native code works on this project", "a crash is not noticed"},
	{"indexes/*/next/**", "a generation that is being built", "the rebuild begins again"},
	{"indexes/*/switch.intent", "a finished generation takes the old one's place; the next start finishes it", costsIndex},
	{"indexes/*/logs/*", "what happened to this project", "nothing"},
}

func filesPage() string {
	var b strings.Builder
	b.WriteString("# Files\n\n" + generated +
		"Everything is in one data folder, `~/.mcp/search` (`SEARCH_MCP_HOME` moves it), readable by you alone. " +
		"Nothing is written into your\n" +
		"projects. Removing the folder removes everything; a model that had to be fetched, because none came with " +
		"the program, is in\n" +
		"`~/.cache/huggingface/search-mcp`. Stop the app before you touch anything in it.\n\n" +
		"An index's folder is named by the first 32 hex digits of the SHA-256 of the project's path. Folders of earlier " +
		"versions with 16 digits are opened\n" +
		"where they are.\n\n| file | what it is | when it is deleted |\n| --- | --- | --- |\n")
	for _, f := range dataFiles {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.pattern, f.what, f.gone)
	}
	return b.String()
}
