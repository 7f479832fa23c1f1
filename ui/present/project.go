package present

import (
	"slices"
	"strings"
	"time"

	"searchmcp/engine/api"
)

// Mark is the shape that stands for a state: told apart without colour.
type Mark string

// The marks.
const (
	MarkReady  Mark = "ready"  // dot
	MarkBusy   Mark = "busy"   // half a disc
	MarkPaused Mark = "paused" // two bars
	MarkNeeds  Mark = "needs"  // triangle with a mark: a person has to decide or repair
	MarkGone   Mark = "gone"   // ring: there is nothing to show yet or any more
)

// Do is what a button does.
type Do string

// The actions that a row or a message can offer.
const (
	DoNone    Do = ""
	DoOpen    Do = "open"
	DoReview  Do = "review"  // show the open question
	DoResume  Do = "resume"  // of a project or of everything
	DoCancel  Do = "cancel"  // the running job
	DoIndex   Do = "index"   // create the index
	DoReindex Do = "reindex" // rebuild
	DoLocate  Do = "locate"  // say where the folder has moved
	DoConfig  Do = "config"  // the project's settings
	DoAdd     Do = "add"     // a folder
	DoCheck   Do = "check"   // run the self-examination
	DoStart   Do = "start"   // the app
	DoRetry   Do = "retry"
)

// Row is one project in the list.
type Row struct {
	ID, Root, Name, Path string
	Mark                 Mark
	Line                 string  // the state in words, numbers after
	Urgent               bool    // Line is what a person has to act on
	Progress             float64 // [0,1]; negative: no bar
	Action               Do      // the one button of the row
	Label                Text    // what it says
	Waits                Text    // what its vectors wait for, in short; "": nothing keeps them
}

// RowOf words a project. questions are the open ones, home shortens paths.
func RowOf(p api.Project, questions []api.Question, home string, now time.Time) Row {
	r := Row{ID: p.ID, Root: p.Root(), Name: p.Name, Path: Home(p.Root(), home), Progress: -1}
	if n := len(p.Roots); n > 1 {
		r.Path = T("%s and %s", r.Path, Count(n-1, "more folder"))
	}
	if q := slices.IndexFunc(questions, func(q api.Question) bool { return q.Project == p.Root() }); q >= 0 {
		r.Mark, r.Urgent, r.Action, r.Label = MarkNeeds, true, DoReview, "Review"
		r.Line = T(ask(questions[q].Action))
		return r
	}
	switch p.State {
	case api.StateReady:
		r.Mark = MarkReady
		r.Line = Join(T("Ready"), Count(p.Files, "file"), T("updated %s", Ago(p.LastUpdated, now)))
		if p.Pending > 0 {
			r.Line = Join(T("Ready"), Count(p.Files, "file"), Count(p.Pending, "change to read"))
		}
	case api.StateIndexing, api.StateEmbedding:
		r.working(p, now)
	case api.StatePaused:
		if p.Problem != nil { // nobody can resume it before its configuration is put right
			r.Mark, r.Urgent, r.Action, r.Label = MarkNeeds, true, DoOpen, "Details"
			r.Line = Join(T("Paused"), problem(p.Problem))
			break
		}
		r.Mark, r.Action, r.Label = MarkPaused, DoResume, "Resume"
		r.Line = Join(T("Paused"), Count(p.Files, "file"))
		if p.Pending > 0 {
			r.Line = Join(T("Paused"), Count(p.Files, "file"), Count(p.Pending, "change waiting"))
		}
	case api.StateOffline:
		r.Mark, r.Urgent, r.Action, r.Label = MarkNeeds, true, DoLocate, "Locate…"
		r.Line = T("The folder is not there. The index is kept.")
	case api.StateDegraded:
		r.Mark, r.Urgent, r.Action, r.Label = MarkNeeds, true, DoOpen, "Details"
		r.Line = Join(T("Searchable by words only"), problem(p.Problem))
	case api.StateStalled:
		r.Mark, r.Urgent, r.Action, r.Label = MarkNeeds, true, DoOpen, "Details"
		r.Line = Join(T("Searchable, but changes can't be read"), problem(p.Problem))
	case api.StateError:
		r.Mark, r.Urgent, r.Action, r.Label = MarkNeeds, true, DoReindex, "Rebuild…"
		r.Line = Join(T("Not searchable"), problem(p.Problem))
	default:
		r.Mark, r.Action, r.Label = MarkGone, DoIndex, "Index…"
		r.Line = T("Not indexed yet")
	}
	if len(p.Warnings) > 0 && !r.Urgent && r.Action == DoNone {
		r.Mark, r.Action, r.Label = MarkNeeds, DoOpen, "Details"
		r.Line = Join(r.Line, Count(len(p.Warnings), "warning"))
	}
	return r
}

// working words a project with a running job. The sentence begins with what the person can do already.
func (r *Row) working(p api.Project, now time.Time) {
	if p.State == api.StateEmbedding && p.Waiting != "" {
		r.waiting(p)
		return
	}
	r.Mark = MarkBusy
	g := p.Progress
	if g == nil {
		r.Line = T("Preparing")
		if p.State == api.StateEmbedding {
			r.Line = Join(T("Searchable"), T("learning what the code means"))
		}
		return
	}
	if now.Sub(g.Started) > 10*time.Second && g.JobID != "" && g.Action != api.ActionUpdate {
		r.Action, r.Label = DoCancel, "Stop"
	}
	r.Progress = 0
	switch g.Phase {
	case api.PhaseWaiting:
		r.Line = T("Waiting for another project")
	case api.PhasePaused:
		r.Line = T("Paused")
	case api.PhaseScanning:
		r.Line = T("Looking for files")
		if g.FilesTotal > 0 {
			r.Line = Join(T("Looking for files"), Count(g.FilesTotal, "file so far"))
		}
	case api.PhaseIndexing:
		r.Progress = Share(g.FilesDone, g.FilesTotal)
		r.Line = Join(T("Reading files %s", Percent(g.FilesDone, g.FilesTotal)),
			T("%s of %s", Number(g.FilesDone), Number(g.FilesTotal)), speed(g), left(g))
	case api.PhaseEmbedding:
		r.Progress = Share(g.ChunksDone, g.ChunksTotal)
		r.Line = Join(T("Searchable"), T("understanding %s", Percent(g.ChunksDone, g.ChunksTotal)), left(g))
	default:
		r.Progress = 1
		r.Line = Join(T("Searchable"), T("finishing"))
	}
}

// waiting words a project whose vectors could be made and are not: nothing works, and nobody has to do anything.
func (r *Row) waiting(p api.Project) {
	r.Mark, r.Waits, r.Progress = MarkPaused, waits(p.Waiting), Share(p.Vectors, p.Chunks)
	r.Line = Join(T("Searchable"), T("understood %s", Percent(p.Vectors, p.Chunks)), lower(T(r.Waits)))
}

// waits is the short form of the sentence that says what vectors wait for.
func waits(sentence string) Text {
	switch Text(sentence) {
	case "Searching by meaning is prepared when the computer is plugged in again.":
		return "Waits for mains power"
	case "Searching by meaning is prepared when other programs leave room for it.":
		return "Waits for a quiet moment"
	}
	return "Waits"
}

func speed(g *api.Progress) string {
	if g.FilesPerSec < 1 {
		return ""
	}
	return T("%s files/s", Number(int(g.FilesPerSec)))
}

func left(g *api.Progress) string {
	if g.Left <= 0 {
		return ""
	}
	return T("%s left", Length(g.Left))
}

// ask is what a project waits for.
func ask(a api.Action) Text {
	switch a {
	case api.ActionReindex:
		return "Needs you: rebuild the index?"
	case api.ActionDelete:
		return "Needs you: delete the index?"
	}
	return "Needs you: index this folder?"
}

func problem(e *api.Error) string {
	if e == nil {
		return ""
	}
	return Said(e.UserMessage)
}

// Join puts the parts of a line together, leaving empty ones out.
func Join(parts ...string) string {
	kept := make([]string, 0, len(parts))
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, " · ")
}

// Sort puts projects into the order of the list: what needs a person, what works, the rest; each by name. The order
// changes only when a state does, so that nothing jumps while numbers tick.
func Sort(rows []Row) {
	slices.SortStableFunc(rows, func(a, b Row) int {
		if c := urgency(a) - urgency(b); c != 0 {
			return c
		}
		return compareNames(a.Name, b.Name, a.Root, b.Root)
	})
}

func compareNames(a, b, rootA, rootB string) int {
	if c := strings.Compare(strings.ToLower(a), strings.ToLower(b)); c != 0 {
		return c
	}
	return strings.Compare(rootA, rootB)
}

func urgency(r Row) int {
	switch r.Mark {
	case MarkNeeds:
		return 0
	case MarkBusy:
		return 1
	}
	return 2
}

// Fact is a label and its value.
type Fact struct {
	Label Text
	Value string
}

// Facts are the numbers of a project, for its details.
func Facts(p api.Project, now time.Time) []Fact {
	files := Number(p.Files)
	if p.DocFiles > 0 {
		files = T("%s (%s of them documents)", files, Number(p.DocFiles))
	}
	facts := []Fact{
		{"Files", files},
		{"Passages", Number(p.Chunks)},
	}
	if p.Vectors < p.Chunks {
		facts = append(facts, Fact{"Understood", T("%s of %s passages", Number(p.Vectors), Number(p.Chunks))})
	}
	facts = append(facts, Fact{"On disk", Size(p.SizeBytes)}, Fact{"Updated", Ago(p.LastUpdated, now)})
	if !p.LastFull.IsZero() {
		facts = append(facts, Fact{"Built", Ago(p.LastFull, now)})
	}
	if p.Pending > 0 {
		facts = append(facts, Fact{"Waiting", Count(p.Pending, "change")})
	}
	facts = append(facts, Fact{"Follows changes", watching(p)})
	if p.Shared != nil {
		facts = append(facts, Fact{"Shared index", sharedIndex(*p.Shared, now)})
	}
	return facts
}

// Note is what a person may want to know about how a project is kept up to date, "" if there is nothing to say.
func Note(p api.Project) string {
	return strings.TrimSpace(Said(p.Waiting) + " " + Said(p.WatcherNote))
}

// sharedIndex says where a shared index lies and what keeps it from answering in full.
func sharedIndex(s api.SharedIndex, now time.Time) string {
	line := Join(Location(s.Location), T("not fetched yet"))
	if !s.Published.IsZero() {
		line = Join(Location(s.Location), Count(s.Files, "file"), T("published %s", Ago(s.Published, now)))
	}
	return Join(line, Said(s.Note), Said(s.Problem))
}

func watching(p api.Project) string {
	switch {
	case p.State == api.StateNotIndexed:
		return T("not yet")
	case !p.WatcherActive:
		return T("not at the moment")
	case p.Strategy == api.Lazy:
		return T("when the computer is idle")
	case p.Strategy == api.Git:
		return T("with each commit")
	}
	return T("as they are saved")
}

// Notices are what keeps nothing from working and a person should know: files that can't be read, very many files, one of several
// folders away. What Warnings say is not said twice.
func Notices(p api.Project) []string {
	var lines []string
	for _, n := range p.Notices {
		switch n.Code {
		case api.FileLimitWarning: // a warning says it
		case api.PermissionDenied:
			lines = append(lines, Said(n.UserMessage)+" "+strings.Join(p.Examples[api.SkipUnreadable], ", "))
		default:
			lines = append(lines, Said(n.UserMessage))
		}
	}
	return lines
}

// Partly names the files that are indexed in part, and what of each is not.
func Partly(p api.Project) []string {
	var lines []string
	for _, f := range p.Partial {
		var parts []string
		if f.CutFrom > 0 {
			parts = append(parts, T("lines from %s on are left out", Number(f.CutFrom)))
		}
		if f.Replaced > 0 {
			parts = append(parts, Count(f.Replaced, "undecodable byte"))
		}
		lines = append(lines, f.Path+": "+strings.Join(parts, "; "))
	}
	if more := p.PartialFiles - len(p.Partial); more > 0 {
		lines = append(lines, Count(more, "more file"))
	}
	return lines
}

// SkippedLine is one reason for which files are left out.
type SkippedLine struct {
	Reason   string
	Count    int
	Examples []string
	Safety   bool // left out to protect the person; no setting short of naming the file changes it
}

// Skipped lists why files are left out, the protecting reasons first, then by number.
func Skipped(s api.Skipped, examples map[api.Reason][]string) []SkippedLine {
	var lines []SkippedLine
	for reason, n := range s {
		if n == 0 || reason == api.SkipNone {
			continue
		}
		w := reasons[reason]
		text := T(w.text)
		if text == "" {
			text = strings.ReplaceAll(string(reason), "_", " ")
		}
		lines = append(lines, SkippedLine{Reason: text, Count: n, Examples: examples[reason], Safety: w.safety})
	}
	slices.SortFunc(lines, func(a, b SkippedLine) int {
		switch {
		case a.Safety != b.Safety && a.Safety:
			return -1
		case a.Safety != b.Safety:
			return 1
		case a.Count != b.Count:
			return b.Count - a.Count
		}
		return strings.Compare(a.Reason, b.Reason)
	})
	return lines
}

var reasons = map[api.Reason]struct {
	text   Text
	safety bool
}{
	api.SkipSecret:     {"Passwords and keys", true},
	api.SkipDenied:     {"Dependencies, builds, logs, secrets", true},
	api.SkipPath:       {"Unsafe paths", true},
	api.SkipSymlink:    {"Symbolic links", true},
	api.SkipSpecial:    {"Devices and sockets", true},
	api.SkipExcluded:   {"Excluded by this project's settings", false},
	api.SkipIgnored:    {"Ignored by .gitignore", false},
	api.SkipBinary:     {"Images, archives and other binaries", false},
	api.SkipSize:       {"Too large", false},
	api.SkipNotInclude: {"Not among the included files", false},
	api.SkipUnreadable: {"Not readable", false},
	api.SkipDocsOff:    {"Documents, which are switched off", false},
	api.SkipShared:     {"Found in the shared index", false},
}
