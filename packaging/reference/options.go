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
		"Each project has a `config.json` in its folder under `~/.mcp/search/indexes/`; `search-mcp status` shows the " +
		"path. A `config.json`\n" +
		"in `~/.mcp/search` itself sets the defaults for all projects. Comments and trailing commas are allowed. A " +
		"change takes effect when the\n" +
		"file is saved. An invalid field gets its default and causes a warning. If the file can't be read, the last " +
		"valid configuration is used. A new\n" +
		"file ends with `_defaults`, the values it was created with. A field that still has this value uses the value " +
		"in the file for all projects.\n\n" +
		"| field | default | valid | meaning |\n" +
		"| --- | --- | --- | --- |\n")
	for _, o := range files.Options() {
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", o.Name, o.Default, cell(o.Want), cell(o.Help))
	}
	b.WriteString(
		"\n## Globs\n\n" +
			"`*` matches within a name, `**` matches across folders, and `{a,b}` matches either text. A pattern without a " +
			"slash (`*.go`,\n" +
			"`src/`) matches at any depth. A pattern with a slash (`src/**`) starts at the project's folder. If you set " +
			"`include`, files that match none\n" +
			"of its patterns are excluded.\n\n" +
			"## .searchignore\n\n" +
			"This file has the syntax of `.gitignore` and can be in any folder. It excludes more files. A negated line " +
			"(`!pattern`) only reverses lines of\n" +
			"the same file, not exclusions by git or by [the other rules](../guide.md#what-is-indexed).\n")
	return b.String()
}

func settingsPage() string {
	var b strings.Builder
	b.WriteString("# Settings of the app\n\n" + generated +
		"You can change settings on the window's Settings page, at the terminal with `search-mcp settings get [KEY]` " +
		"and\n" +
		"`search-mcp settings set KEY VALUE`, or in `settings.json` in the data folder, which is read when the app " +
		"starts.\n\n" +
		"| setting | default | valid | meaning |\n" +
		"| --- | --- | --- | --- |\n")
	list := engine.SettingsReference()
	slices.SortFunc(list, func(a, c files.Setting) int { return strings.Compare(a.Key, c.Key) })
	for _, s := range list {
		def, err := json.Marshal(s.Default)
		if err != nil {
			continue // bools, numbers and texts can always be encoded
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", s.Key, def, cell(s.Want), cell(s.Help))
	}
	b.WriteString("\n## Environment\n\n| variable | meaning |\n| --- | --- |\n")
	for _, e := range environment {
		fmt.Fprintf(&b, "| `%s` | %s |\n", e[0], e[1])
	}
	return b.String()
}

// environment describes the environment variables of the programs.
var environment = [][2]string{
	{"SEARCH_MCP_HOME", "The data folder, instead of `~/.mcp/search`: an absolute path, or `~/…`, in an existing " +
		"folder. A folder that contains other files is refused. Each data folder has its own app."},
	{"SEARCH_MCP_DESKTOP",
		"`off`: no icon and no window, as on a machine without a desktop. `environment`: the desktop in the " +
			"environment, for example that of a test, instead of the user's own; it needs a window manager. Only an app " +
			"that is started by hand or by a command reads this variable. `search-mcp mcp` ignores it, so that an editor's " +
			"entry doesn't decide where questions of all sessions are shown."},
	{"SEARCH_DB_PATH", "The archive that `searchLocalArchives` searches in the editor's session."},
	{"CLAUDE_PROJECT_DIR", "The project of the editor's session, if neither `--project` nor the editor names one."},
	{"NO_COLOR", "Commands print without colour, unless `--color always` is given."},
	{"PAGER", "The program that shows output longer than the terminal (default: less). If empty or `cat`, there is no " +
		"pager."},
	{"AWS_ACCESS_KEY_ID",
		"With `AWS_SECRET_ACCESS_KEY` and, for credentials that expire, `AWS_SESSION_TOKEN`: credentials for buckets. " +
			"Otherwise `MINIO_ACCESS_KEY` and `MINIO_SECRET_KEY` are used, or else the profile in `AWS_PROFILE` of " +
			"`~/.aws/credentials`."},
	{"AWS_ENDPOINT_URL_S3", "Or `AWS_ENDPOINT_URL`: the storage of a shared index, if its location does not contain it."},
	{"AWS_REGION", "Or `AWS_DEFAULT_REGION`: the region of a shared index, if its location does not contain it."},
	{"HTTPS_PROXY", "And `HTTP_PROXY`, `NO_PROXY`: proxies for the few requests that leave the machine."},
}
