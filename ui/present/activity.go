package present

import (
	"path/filepath"
	"strings"
	"time"

	"searchmcp/engine/api"
)

// Call is one served call in the activity list.
type Call struct {
	Time, Client, What, Query, Result string
	Failed                            bool
}

// CallOf words a call.
func CallOf(a api.Activity, now time.Time) Call {
	c := Call{Time: Clock(a.Time, now), Client: Client(a.Client), What: what(a), Query: a.Query}
	switch {
	case a.Error != "":
		c.Failed, c.Result = true, failure(a.Error)
	case a.Client == "":
		c.Result = Join(Count(a.Results, "file"), tookIfAny(a.Took))
	case strings.HasPrefix(a.Tool, "search"):
		c.Result = Join(Count(a.Results, "result"), Took(a.Took))
	default:
		c.Result = Took(a.Took)
	}
	return c
}

// what says in words which tool was called, or what happened to an index, and to which project.
func what(a api.Activity) string {
	table := verbs
	if a.Client == "" {
		table = happenings
	}
	v, known := table[a.Tool]
	switch {
	case !known && a.Project == "":
		return strings.ReplaceAll(a.Tool, "_", " ")
	case !known:
		return T("%s in %s", strings.ReplaceAll(a.Tool, "_", " "), filepath.Base(a.Project))
	case a.Project == "":
		return T(v.alone)
	}
	return T(v.about, filepath.Base(a.Project))
}

// verb is a tool in words: about a project, and without one.
type verb struct{ about, alone Text }

var verbs = map[string]verb{
	"search_code":         {"Searched code in %s", "Searched code"},
	"search_docs":         {"Searched documents in %s", "Searched documents"},
	"search_by_path":      {"Looked for files in %s", "Looked for files"},
	"find_symbol":         {"Looked up a name in %s", "Looked up a name"},
	"outline":             {"Asked for an outline of %s", "Asked for an outline"},
	"get_index_status":    {"Asked for the state of %s", "Asked for the state"},
	"list_projects":       {"Listed projects in %s", "Listed projects"},
	"create_index":        {"Wanted to index %s", "Wanted to index a project"},
	"reindex_project":     {"Wanted a rebuild of %s", "Wanted a rebuild"},
	"reindex_file":        {"Had a file read again in %s", "Had a file read again"},
	"delete_index":        {"Wanted to delete the index of %s", "Wanted to delete an index"},
	"search_documents":    {"Searched documents in %s", "Searched documents"},
	"search_index":        {"Searched a named index in %s", "Searched a named index"},
	"search_create_index": {"Made a named index in %s", "Made a named index"},
	"search_add_document": {"Added to a named index in %s", "Added to a named index"},
	"searchLocalArchives": {"Searched the archive in %s", "Searched the archive"},
}

// happenings are what the app did by itself, or at somebody's wish: entries without a client.
var happenings = map[string]verb{
	string(api.ActionCreate):  {"Indexed %s", "Indexed a project"},
	string(api.ActionReindex): {"Rebuilt the index of %s", "Rebuilt an index"},
	string(api.ActionUpdate):  {"Read changes in %s", "Read changes"},
	string(api.ActionDelete):  {"Deleted the index of %s", "Deleted an index"},
}

// Client is the name of a program that is connected, as its makers write it where it does not say so itself.
func Client(name string) string {
	if name == "" {
		return "Search MCP"
	}
	first, rest, _ := strings.Cut(name, " ")
	if known := clients[first]; known != "" {
		return strings.TrimSpace(known + " " + rest)
	}
	return capital(name)
}

var clients = map[string]string{
	"claude-code": "Claude Code", "claude-ai": "Claude", "codex-mcp-client": "Codex", "cursor-vscode": "Cursor",
	"gemini-cli-mcp-client": "Gemini CLI", "opencode": "OpenCode",
}

// Capital begins a text with a capital letter.
func Capital(s string) string { return capital(s) }

// failure is an error code as words.
func failure(code string) string {
	if t := failures[api.Code(code)]; t != "" {
		return T(t)
	}
	if code == strings.ToUpper(code) {
		return capital(strings.ReplaceAll(strings.ToLower(code), "_", " "))
	}
	return code
}

func tookIfAny(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return Took(d)
}

var failures = map[api.Code]Text{
	api.IndexNotFound: "Not indexed yet", api.ProjectNotDetected: "No project found",
	api.ConfirmationRequired: "Nobody could be asked",
	api.Busy:                 "Busy", api.FileNotFound: "No such file", api.InvalidArgument: "Asked wrongly",
}

// Level is the gravity of a log line in slog's text form, "" if it has none.
func Level(line string) string {
	for _, l := range Levels {
		if strings.Contains(line, "level="+l) {
			return l
		}
	}
	return ""
}

// Levels are the gravities of a log, least first.
var Levels = []string{"DEBUG", "INFO", "WARN", "ERROR"}

// Filter keeps the lines that hold a text, whatever its case.
func Filter(lines []string, text string) []string {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" {
		return lines
	}
	var kept []string
	for _, l := range lines {
		if strings.Contains(strings.ToLower(l), text) {
			kept = append(kept, l)
		}
	}
	return kept
}

// Report is what «copy for a bug report» puts on the clipboard: versions, the self-examination, the log. home is
// written as ~.
func Report(version, system string, findings []api.Finding, lines []string, home string) string {
	var b strings.Builder
	b.WriteString("Search MCP " + version + ", " + system + "\n")
	for _, f := range findings {
		mark := "ok  "
		if !f.OK {
			mark = "FAIL"
		}
		b.WriteString(mark + " " + f.Subject + ": " + f.Text + "\n")
	}
	b.WriteString("\n" + strings.Join(lines, "\n") + "\n")
	text := b.String()
	if home != "" && home != "/" {
		text = strings.ReplaceAll(text, home, "~")
	}
	return text
}
