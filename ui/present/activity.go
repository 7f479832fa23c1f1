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
	c := Call{Time: Clock(a.Time, now), Client: Client(a.Client), What: verbs[a.Tool], Query: a.Query}
	if c.What == "" {
		c.What = strings.ReplaceAll(a.Tool, "_", " ")
	}
	if a.Project != "" {
		preposition := " in "
		if strings.HasSuffix(c.What, " of") || strings.HasSuffix(c.What, " index") {
			preposition = " "
		}
		c.What += preposition + filepath.Base(a.Project)
	} else {
		c.What = strings.TrimSuffix(c.What, " of")
	}
	switch {
	case a.Error != "":
		c.Failed, c.Result = true, failure(a.Error)
	case strings.HasPrefix(a.Tool, "search"):
		c.Result = join(Count(a.Results, "result"), Took(a.Took))
	default:
		c.Result = Took(a.Took)
	}
	return c
}

var verbs = map[string]string{
	"search_code": "Searched code", "search_docs": "Searched documents", "search_by_path": "Looked for files",
	"get_index_status": "Asked for the state of", "list_projects": "Listed projects", "create_index": "Wanted to index",
	"reindex_project": "Wanted a rebuild of", "reindex_file": "Had a file read again", "delete_index": "Wanted to delete the index of",
}

// Client is the name of a program that is connected, as its makers write it where it does not say so itself.
func Client(name string) string {
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
	if s := failures[api.Code(code)]; s != "" {
		return s
	}
	if code == strings.ToUpper(code) {
		return capital(strings.ReplaceAll(strings.ToLower(code), "_", " "))
	}
	return code
}

var failures = map[api.Code]string{
	api.IndexNotFound: "Not indexed yet", api.ProjectNotDetected: "No project found", api.ConfirmationRequired: "Nobody could be asked",
	api.Busy: "Busy", api.FileNotFound: "No such file", api.InvalidArgument: "Asked wrongly",
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

// Report is what «copy for a bug report» puts on the clipboard: versions, the self-examination, the log. home is written as ~.
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
