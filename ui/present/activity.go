package present

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

type Call struct {
	Time, Lead, Detail, Result      string
	Failed, Routine, Plain, Nothing bool
}

func CallOf(calls []api.Activity, home string, now time.Time) Call {
	a := calls[0]
	c := Call{Time: a.Time.Local().Format("15:04"), Lead: line(a.Query), Detail: Join(Client(a.Client), what(a)),
		Routine: routine(a)}
	switch {
	case a.Client == "":
		c.Lead, c.Detail, c.Routine = what(a), Join(Home(a.Project, home), since(calls, "update", now)), false
	case len(calls) > 1:
		c.Lead, c.Detail = Count(len(calls), "routine request"), Join(Client(a.Client), kinds(calls), since(calls, "", now))
	case a.Query == "":
		c.Lead, c.Detail = what(a), Client(a.Client)
	}
	switch {
	case a.Error == wire.ActivityDeclined, a.Error == wire.ActivityCancelled, a.Error == string(api.AlreadyIndexed):
		c.Result = failure(a)
	case a.Error != "":
		c.Failed, c.Result = true, failure(a)
	case a.Client == "":
		files, took := 0, time.Duration(0)
		for _, x := range calls {
			files, took = files+x.Results, took+x.Took
		}
		c.Result = Join(Count(files, filesOf(a)), Took(took))
	case len(calls) > 1:
	case ended(a) != "":
		c.Result = ended(a)
	case a.Query != "":
		c.Result, c.Nothing = Join(Count(a.Results, "result"), Took(a.Took)), a.Results == 0
	default:
		c.Result = Took(a.Took)
	}
	return c
}

var results = map[string]Text{
	string(api.ActionCreate): "Indexed", string(api.ActionReindex): "Rebuilt", string(api.ActionDelete): "Deleted",
}

// ended describes the result of a request that waited for the user, such as "Allowed · rebuilt".
func ended(a api.Activity) string {
	var did string
	switch {
	case a.Error != "":
		return ""
	case a.Outcome == api.OutcomeGoesOn:
		did = T("Continued in the background")
	case a.Outcome == api.OutcomeStopped:
		did = T("Stopped")
	case a.Outcome == api.OutcomeDone:
		did = T(results[a.Tool])
	}
	if a.Allowed && a.Role != api.RoleTerminal {
		return Join(T("Allowed"), small(did))
	}
	return did
}

func filesOf(a api.Activity) Plural {
	if a.Tool == string(api.ActionUpdate) {
		return "file change"
	}
	return "file"
}

func routine(a api.Activity) bool {
	return a.Error == "" && (a.Tool == "get_index_status" || a.Tool == "list_projects" ||
		a.Client == "" && a.Tool == string(api.ActionUpdate))
}

// since returns a text such as "3 searches · since 10:15".
func since(calls []api.Activity, noun Plural, now time.Time) string {
	if len(calls) < 2 {
		return ""
	}
	n, began := "", ""
	if noun != "" {
		n = Count(len(calls), noun)
	}
	if first := calls[len(calls)-1].Time; calls[0].Time.Sub(first) >= time.Minute {
		began = T("since %s", Clock(first, now))
	}
	return Join(n, began)
}

func kinds(calls []api.Activity) string {
	var all []string
	for _, a := range calls {
		if w := what(a); !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return Join(all...)
}

const foldGap = 30 * time.Minute

// Fold combines the routine calls of each client, and the updates of each project, into one row. The newest calls are
// first.
func Fold(calls []api.Activity) [][]api.Activity {
	var all [][]api.Activity
	type who struct{ client, project string }
	lines := map[who]int{}
	for _, a := range calls {
		if !routine(a) {
			all = append(all, []api.Activity{a})
			continue
		}
		by := who{client: a.Client}
		if a.Client == "" {
			by.project = a.Project
		}
		if at, known := lines[by]; known {
			if line := all[at]; line[len(line)-1].Time.Sub(a.Time) <= foldGap {
				all[at] = append(line, a)
				continue
			}
		}
		lines[by] = len(all)
		all = append(all, []api.Activity{a})
	}
	return all
}

func CallFacts(a api.Activity, home string, now time.Time) []Fact {
	facts := []Fact{{"When", Clock(a.Time, now)}}
	add := func(label Text, value string) {
		if value != "" {
			facts = append(facts, Fact{label, value})
		}
	}
	if a.Client != "" {
		add("Asked by", Client(a.Client))
	}
	if a.Query != "" || a.Client != "" && routine(a) { // the title is not the action
		add("Action", what(a))
	}
	add("Project", Home(a.Project, home))
	switch {
	case a.Error != "":
	case a.Client == "" && a.Tool == string(api.ActionUpdate):
		add("Files", Count(a.Results, filesOf(a)))
	case a.Client == "":
		add("Files", Number(a.Results))
	case a.Query != "" || a.Results > 0:
		found := Number(a.Results)
		if n := len(a.Places); n > 0 && n < a.Results {
			found = T("%s of %s shown", Number(n), found)
		}
		add("Results", found)
	}
	if said := ended(a); said != "" {
		add("Outcome", said)
	} else {
		add("Took", Took(a.Took))
	}
	return facts
}

func verbOf(a api.Activity) verb {
	if a.Client == "" {
		return happenings[a.Tool]
	}
	v, known := verbs[a.Tool]
	if !known && strings.HasPrefix(a.Tool, "search_") { // each site has its own tool
		return verb{alone: "Searched a site", icon: "site"}
	}
	return v
}

// Icon returns the name of the glyph for a call.
func Icon(a api.Activity) string { return cmp.Or(verbOf(a).icon, "activity") }

func what(a api.Activity) string {
	v := verbOf(a)
	switch {
	case v.alone == "" && a.Project == "":
		return strings.ReplaceAll(a.Tool, "_", " ")
	case v.alone == "":
		return T("%s in %s", strings.ReplaceAll(a.Tool, "_", " "), filepath.Base(a.Project))
	case a.Project == "":
		return T(v.alone)
	}
	return T(v.about, filepath.Base(a.Project))
}

// verb describes a call. icon is the name of a glyph.
type verb struct {
	about, alone Text
	icon         string
}

var verbs = map[string]verb{
	"search_code":         {"Searched code in %s", "Searched code", "search"},
	"search_docs":         {"Searched documents in %s", "Searched documents", "sources"},
	"search_by_path":      {"Searched file names in %s", "Searched file names", "projects"},
	"grep_code":           {"Searched text in %s", "Searched text", "search"},
	"find_symbol":         {"Looked up a name in %s", "Looked up a name", "name"},
	"outline":             {"Asked for an outline of %s", "Asked for an outline", "outline"},
	"get_index_status":    {"Checked the state of %s", "Checked the state", "activity"},
	"list_projects":       {"Listed projects in %s", "Listed projects", "activity"},
	"create_index":        {"Asked to index %s", "Asked to index a project", "question"},
	"reindex_project":     {"Asked to rebuild %s", "Asked for a rebuild", "question"},
	"reindex_file":        {"Updated a file in %s", "Updated a file", "updated"},
	"delete_index":        {"Asked to delete the index of %s", "Asked to delete an index", "question"},
	"search_documents":    {"Searched documents in %s", "Searched documents", "sources"},
	"search_index":        {"Searched a named index in %s", "Searched a named index", "editor-note"},
	"search_create_index": {"Created a named index in %s", "Created a named index", "editor-note"},
	"search_add_document": {"Added to a named index in %s", "Added to a named index", "editor-note"},
	"searchLocalArchives": {"Searched the archive in %s", "Searched the archive", "archive"},
}

var happenings = map[string]verb{
	string(api.ActionCreate):  {"Indexed %s", "Indexed a project", "indexed"},
	string(api.ActionReindex): {"Rebuilt the index of %s", "Rebuilt an index", "rebuilt"},
	string(api.ActionUpdate):  {"Updated %s", "Updated a project", "updated"},
	string(api.ActionDelete):  {"Deleted the index of %s", "Deleted an index", "deleted"},
}

const (
	windowClient   = "the Search MCP window"
	terminalClient = "the terminal"
)

func Client(name string) string {
	switch name {
	case "":
		return "Search MCP"
	case windowClient:
		return T("This window")
	case terminalClient:
		return T("A command in the terminal")
	case "an unnamed assistant":
		return T("An unnamed assistant")
	}
	for own, known := range clients {
		if rest, is := strings.CutPrefix(name, own); is && (rest == "" || rest[0] == ' ') {
			return known + rest
		}
	}
	return Capital(name)
}

var clients = map[string]string{
	"claude-code": "Claude Code", "claude-ai": "Claude", "codex-mcp-client": "Codex", "cursor-vscode": "Cursor",
	"gemini-cli-mcp-client": "Gemini CLI", "opencode": "OpenCode",
	"Visual Studio Code": "VS Code",
}

func Outcome(a api.Activity) Text {
	switch {
	case a.Error == wire.ActivityDeclined || a.Error == wire.ActivityCancelled:
		return ""
	case a.Error != "" && a.Error != string(api.AlreadyIndexed):
		return "Failed"
	case a.Query != "" && a.Results == 0:
		return "Nothing found"
	}
	return "Answered"
}

func failure(a api.Activity) string {
	f, _ := outcomeOf(a)
	return T(cmp.Or(f.label, "Failed"))
}

// outcomeOf returns the description of a failure. A command in the terminal may end without asking anyone.
func outcomeOf(a api.Activity) (o outcome, known bool) {
	if a.Error == wire.ActivityDeclined && a.Role == api.RoleTerminal {
		return outcome{label: "Not approved", message: "The command was not approved. Nothing was changed."}, true
	}
	o, known = failures[api.Code(a.Error)]
	return o, known
}

const rejected Text = "Rejected"

func Failure(a api.Activity) (message string, do Do, label Text) {
	f, known := outcomeOf(a)
	if !known {
		return T("Search MCP could not do this: %s.", Cause(a.Error)), DoCheck, "Check everything"
	}
	if f.label == rejected && a.Detail != "" {
		return Sentence(folders.ReplaceAllString(a.Detail, "")), f.do, f.next
	}
	if f.do == DoAdd && a.Project == "" {
		return T(f.message), DoNone, ""
	}
	return T(f.message), f.do, f.next
}

// folders matches a folder in parentheses, such as " (/home/ada/shop)".
var folders = regexp.MustCompile(` \((?:/|[A-Za-z]:\\|\\\\)[^()]*\)`)

func Day(t, now time.Time) string {
	day := func(t time.Time) string { return t.Local().Format(time.DateOnly) }
	switch day(t) {
	case day(now):
		return T("Today")
	case day(now.AddDate(0, 0, -1)):
		return T("Yesterday")
	}
	return t.Local().Format(T(dateLayout))
}

type outcome struct {
	label, message Text
	do             Do
	next           Text
}

var failures = map[api.Code]outcome{
	api.IndexNotFound: {Text(api.StateNotIndexed.Term()),
		"This project has no index. Create one so that the assistant gets answers.", DoAdd, "Index…"},
	api.DocsIndexNotFound: {"No documents", "This project has no documents to search.", DoNone, ""},
	api.ProjectNotDetected: {"No project found",
		"The assistant named no project, and its working folder is not indexed.", DoNone, ""},
	api.ConfirmationRequired: {"Approval not possible",
		"This needs your approval, but neither a window nor the editor could ask you for it.", DoAdd, "Index…"},
	wire.ActivityDeclined: {"Declined", "You declined. Nothing was changed.", DoNone, ""},
	wire.ActivityUnanswered: {"No answer", "The question was not answered in time. Nothing was changed.", DoAdd,
		"Index…"},
	wire.ActivityCancelled: {"Cancelled",
		"The assistant cancelled it, or its editor was closed. This is not an error.",
		DoNone, ""},
	api.Busy:         {"Busy", "Too many requests at once. The assistant may have retried.", DoNone, ""},
	api.FileNotFound: {"File not found", "The assistant named a file that is not in this project.", DoNone, ""},
	api.FileNotIndexable: {"Excluded", "The assistant named a file that is excluded from this project's index.",
		DoNone, ""},
	api.InvalidArgument: {rejected, "Assistants usually retry.", DoNone, ""},
	api.InvalidPattern:  {rejected, "Assistants usually retry.", DoNone, ""},
	api.AlreadyIndexed:  {"Indexed already", "No change was necessary.", DoNone, ""},
	api.ProjectOffline:  {"Folder not found", "This project's folder can't be found.", DoOpen, "Details"},
	api.DiskFull:        {"Disk full", "Not enough disk space for the index. Free some space and try again.", DoNone, ""},
	api.ShuttingDown:    {"Quitting", "Search MCP was about to quit.", DoNone, ""},
	api.Internal: {"Error in Search MCP", "This is a bug in Search MCP. The log has the details.", DoCheck,
		"Check everything"},
}

func Filter[T any](all []T, text string, of func(T) string) []T {
	text = strings.ToLower(strings.TrimSpace(text))
	return slices.DeleteFunc(slices.Clone(all), func(x T) bool { return !strings.Contains(strings.ToLower(of(x)), text) })
}

func Report(version, system string, findings []api.Finding, lines []string, home string) string {
	var b strings.Builder
	b.WriteString("Search MCP " + version + ", " + system + "\n")
	for _, f := range findings {
		mark := "ok  "
		if !f.OK {
			mark = "FAIL"
		}
		b.WriteString(mark + " " + f.Subject + ": " + Join(f.Text, f.Detail) + "\n")
	}
	b.WriteString("\n" + strings.Join(lines, "\n") + "\n")
	text := b.String()
	if home != "" && home != "/" {
		text = strings.ReplaceAll(text, home, "~")
	}
	return text
}

type LogLine struct {
	Time, Level, Message, Detail string
}

var Levels = []string{"DEBUG", "INFO", "WARN", "ERROR"}

// LogLineOf parses a line in slog's text format. Any other line becomes the message.
func LogLineOf(s string, now time.Time) LogLine {
	var l LogLine
	var detail []string
	for rest := s; rest != ""; {
		key, after, found := strings.Cut(rest, "=")
		if !found || key == "" || strings.ContainsAny(key, " \"") {
			return LogLine{Message: line(s)}
		}
		var value string
		if quoted, err := strconv.QuotedPrefix(after); err == nil {
			value, _ = strconv.Unquote(quoted)
			rest = strings.TrimPrefix(after[len(quoted):], " ")
		} else {
			value, rest, _ = strings.Cut(after, " ")
		}
		switch {
		case key == "time" && l.Time == "":
			if at, err := time.Parse(time.RFC3339, value); err == nil {
				value = Clock(at, now)
			}
			l.Time = value
		case key == "level" && l.Level == "" && slices.Contains(Levels, value):
			l.Level = value
		case key == "msg" && l.Message == "":
			l.Message = line(Capital(value))
		case key == "line" && strings.Contains(value, "msg="): // a line of a worker, passed on by the app
			said := LogLineOf(value, now)
			l.Level, l.Message = cmp.Or(said.Level, l.Level), said.Message
			if said.Detail != "" {
				detail = append(detail, said.Detail)
			}
		default:
			detail = append(detail, key+" "+line(value))
		}
	}
	l.Detail = strings.Join(detail, " · ")
	return l
}
