package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"searchmcp/engine"
	"searchmcp/engine/store/files"
)

func configurationPage() string {
	var b strings.Builder
	b.WriteString("# Configuration of a project\n\n" + generated +
		"Each project has a `config.json` in its folder under `~/.mcp/search/indexes/`; `search-mcp status` says " +
		"where. A `config.json`\n" +
		"in `~/.mcp/search` itself gives the defaults of all projects. Comments and trailing commas are allowed. A " +
		"change is in force as soon\n" +
		"as the file is saved. A field that is not valid gets its default and a warning; a file that can't be read " +
		"leaves the last valid\n" +
		"configuration in force. A new file ends with `_defaults`, the values it was written with: a field that still has " +
		"its value there follows\nthe file of all projects.\n\n" +
		"| field | default | valid | meaning |\n| --- | --- | --- | --- |\n")
	for _, o := range files.Options() {
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", o.Name, o.Default, cell(o.Want), cell(o.Help))
	}
	b.WriteString(
		"\n## Globs\n\n`*` matches within a name, `**` across folders, `{a,b}` either. A pattern without a slash matches " +
			"at any depth (`*.go`, `src/`), one with a\n" +
			"slash from the project's folder on (`src/**`). With an `include` of your own, a file that matches none of its " +
			"patterns is left out.\n\n" +
			"## .searchignore\n\nA file with the syntax of `.gitignore`, in any folder. It leaves out more; a negated line " +
			"(`!pattern`) takes back its own lines only,\nnot what git or [the other rules](../guide.md#what-is-indexed) " +
			"leave out.\n")
	return b.String()
}

func settingsPage() string {
	var b strings.Builder
	b.WriteString("# Settings of the app\n\n" + generated +
		"In the window on the page Settings; at the terminal `search-mcp settings get [KEY]` and `search-mcp settings set " +
		"KEY VALUE`; in the file\n" +
		"`settings.json` of the data folder, which is read when the app starts.\n\n" +
		"| setting | default | valid | meaning |\n| --- | --- | --- | --- |\n")
	list := engine.SettingsReference()
	slices.SortFunc(list, func(a, c files.Setting) int { return strings.Compare(a.Key, c.Key) })
	for _, s := range list {
		def, err := json.Marshal(s.Default)
		if err != nil {
			continue // a bool, a number or a text always encodes
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", s.Key, def, cell(s.Want), cell(s.Help))
	}
	b.WriteString("\n## Environment\n\n| variable | meaning |\n| --- | --- |\n")
	for _, e := range environment {
		fmt.Fprintf(&b, "| `%s` | %s |\n", e[0], e[1])
	}
	return b.String()
}

// environment lists the variables that the programs read.
var environment = [][2]string{
	{"SEARCH_MCP_HOME", "The data folder, in place of `~/.mcp/search`: an absolute path, or `~/…`, in a folder that " +
		"exists. One app serves one data folder."},
	{"SEARCH_MCP_DESKTOP",
		"`off`: no icon, no window, as on a machine without a desktop. `environment`: the desktop that the environment " +
			"names, which tests bring along, in place of the user's own. It needs a window manager as well. Only an app that " +
			"is started by hand or by a command reads it: `search-mcp mcp` ignores it, so that an editor's entry " +
			"doesn't decide where all sessions are asked."},
	{"SEARCH_DB_PATH", "The archive that `searchLocalArchives` searches, for the editor's session."},
	{"CLAUDE_PROJECT_DIR", "The project of the editor's session, after `--project` and the editor's own folders."},
	{"NO_COLOR", "The commands print without colour, unless `--color always`."},
	{"PAGER", "The program that shows output longer than the terminal (default: less); empty or `cat` for none."},
	{"AWS_ACCESS_KEY_ID",
		"With `AWS_SECRET_ACCESS_KEY` and, for credentials that expire, `AWS_SESSION_TOKEN`: credentials for buckets. Else " +
			"`MINIO_ACCESS_KEY` and `MINIO_SECRET_KEY`, else `~/.aws/credentials` with the profile that `AWS_PROFILE` names."},
	{"AWS_ENDPOINT_URL_S3",
		"Or `AWS_ENDPOINT_URL`: where the storage of a shared index is, if its location does not say."},
	{"AWS_REGION", "Or `AWS_DEFAULT_REGION`: the region of a shared index, if its location does not say."},
	{"HTTPS_PROXY", "And `HTTP_PROXY`, `NO_PROXY`: proxies, for the few requests that leave the machine."},
}
