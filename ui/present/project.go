package present

import (
	"cmp"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"searchmcp/engine/api"
)

// Mark is the icon of a project's state.
type Mark string

const (
	MarkReady  Mark = "ready"  // dot
	MarkBusy   Mark = "busy"   // half disc
	MarkPaused Mark = "paused" // two bars
	MarkNeeds  Mark = "needs"  // triangle
	MarkGone   Mark = "gone"   // ring; nothing to show
)

type Do string

const (
	DoNone    Do = ""
	DoOpen    Do = "open"
	DoReview  Do = "review"
	DoReveal  Do = "reveal"
	DoResume  Do = "resume"
	DoCancel  Do = "cancel"
	DoIndex   Do = "index"
	DoReindex Do = "reindex"
	DoAdd     Do = "add"
	DoCheck   Do = "check"
	DoStart   Do = "start"
	DoRetry   Do = "retry"
	DoLocate  Do = "locate"
)

type Row struct {
	ID, Root, Name, Path string
	Mark                 Mark
	Line, Rest           string
	Short                string // the most important facts, for a narrow list, or ""
	Last                 string
	Urgent               bool
	Progress             float64
	Used                 int64 // time of the last query in Unix seconds, or 0
	meaning              float64
	Action               Do
	Label                Text
}

func RowOf(p api.Project, questions []api.Question, home string, now time.Time) Row {
	return rowOf(p, reached{}, questions, home, now)
}

// rowOf is like RowOf, but its percentages are at least those in last.
func rowOf(p api.Project, last reached, questions []api.Question, home string, now time.Time) Row {
	r := Row{ID: p.ID, Root: p.Root(), Name: p.Name, Path: Home(p.Root(), home), Progress: -1}
	if !p.LastAsked.IsZero() {
		r.Used = p.LastAsked.Unix()
	}
	if n := len(p.Roots); n > 1 {
		r.Path = T("%s and %s", r.Path, Count(n-1, "more folder"))
	}
	if q := slices.IndexFunc(questions, func(q api.Question) bool { return q.Project == p.Root() }); q >= 0 {
		r.Mark, r.Urgent, r.Action, r.Label = MarkNeeds, true, DoReview, "Review"
		r.Line = Join(Sentence(api.TermAsked), T(asks[questions[q].Action]))
		return r
	}
	term, files := Sentence(p.Term()), Count(p.Files, "file")
	switch {
	case p.State == api.StateNotIndexed:
		r.Mark, r.Action, r.Label = MarkGone, DoIndex, "Index…"
		r.Line = term
	case p.State == api.StateOffline:
		r.Mark, r.Urgent, r.Action, r.Label = MarkNeeds, true, DoLocate, "Locate…"
		if p.Term() == api.TermUnreadable { // the folder is still there, so choosing another one would be wrong
			r.Action, r.Label = DoOpen, "Details"
		}
		r.Line = Join(term, T("the index is kept"))
	case p.State == api.StateError:
		r.Mark, r.Urgent, r.Action, r.Label = MarkNeeds, true, DoReindex, "Rebuild…"
		r.Line = Join(term, problem(p.Problem))
	case p.Broken():
		r.Mark, r.Urgent, r.Action, r.Label = MarkNeeds, true, DoOpen, "Details"
		r.Line = Join(term, problem(p.Problem))
	case p.State == api.StateReady:
		r.Mark = MarkReady
		r.Last = T("updated %s", Ago(p.LastUpdated, now))
		if p.LastAsked.After(p.LastUpdated) {
			r.Last = T("searched %s", Ago(p.LastAsked, now))
		}
		r.Line = Join(term, files, Size(p.SizeBytes), r.Last)
		if p.Pending > 0 {
			r.Last = Count(p.Pending, "change to read")
			r.Line = Join(term, files, r.Last)
		}
	case p.State == api.StatePaused:
		r.Mark, r.Action, r.Label = MarkPaused, DoResume, "Resume"
		r.Line = Join(term, files)
		if p.Pending > 0 {
			r.Line = Join(term, files, Count(p.Pending, "change waiting"))
		}
	default:
		r.working(p, last)
	}
	if p.NeedsAttention() && !r.Urgent {
		r.Mark, r.Line = MarkNeeds, Join(r.Line, Count(len(p.Warnings), "warning"))
		if r.Action == DoNone {
			r.Action, r.Label = DoOpen, "Details"
		}
	}
	return r
}

func Unanswered(root, client string, at time.Time, home string, now time.Time) Row {
	return Row{Root: root, Name: filepath.Base(root), Path: Home(root, home), Progress: -1, Mark: MarkGone,
		Line: Join(T("%s asked to index it", Client(client)), Ago(at, now)), Action: DoAdd, Label: "Index…"}
}

// reached is the largest share of passages that was shown for a job.
type reached struct {
	job     string
	meaning float64
}

func (r *Row) working(p api.Project, last reached) {
	term := Sentence(p.Term())
	if r.meaning = last.meaning; p.State == api.StateEmbedding {
		r.meaning = max(r.meaning, Share(meaning(p)))
	}
	percent := Percent(int(1000*r.meaning+0.5), 1000)
	if p.State == api.StateEmbedding && p.Waiting != "" { // the user need not act
		r.Mark, r.Progress = MarkPaused, r.meaning
		r.Line = Join(term, T("%s done", percent))
		return
	}
	r.Mark, r.Line = MarkBusy, term
	g := p.Progress
	if g == nil {
		return
	}
	if g.JobID != "" && g.Action != api.ActionUpdate && g.Phase != api.PhaseEmbedding { // later, the menu has Pause
		r.Action, r.Label = DoCancel, "Stop"
	}
	r.Progress = g.Percent() / 100 // of the job, in steps without numbers
	switch g.Phase {
	case api.PhaseWaiting:
		r.Line = Join(term, T("waiting for another project"))
	case api.PhasePaused:
		r.Line = Sentence(api.StatePaused.Term())
	case api.PhaseScanning:
		r.Line = Join(term, T("finding files"))
		if g.FilesTotal > 0 {
			r.Line = Join(term, T("finding files"), Count(g.FilesTotal, "file so far"))
		}
	case api.PhaseIndexing:
		read := T("%s of %s", Number(min(g.FilesDone, g.FilesTotal)), Count(g.FilesTotal, "file"))
		r.Line, r.Progress = Join(term, read), Share(g.FilesDone, g.FilesTotal)
		if g.FilesPerSec >= 1 {
			r.Line = Join(r.Line, T("%s files/s", Number(int(g.FilesPerSec))))
		}
		if g.Left > 0 { // vectors take longer
			r.Rest = T("about %s for this step", Length(g.Left))
			r.Short = Join(read, r.Rest)
		}
	case api.PhaseEmbedding:
		r.Progress = r.meaning
		r.Rest = Join(T("search by meaning %s", percent), left(g))
		r.Short = Capital(r.Rest)
	default:
		r.Line = Join(term, T("finishing"))
	}
}

// meaning returns how many passages have a vector, and how many passages exist.
func meaning(p api.Project) (done, total int) {
	if g := p.Progress; g != nil && g.Phase == api.PhaseEmbedding && p.Waiting == "" {
		return g.ChunksDone, g.ChunksTotal
	}
	return p.Vectors, p.Chunks
}

func left(g *api.Progress) string {
	if g.Left <= 0 {
		return ""
	}
	return T("about %s left", Length(g.Left))
}

var asks = map[api.Action]Text{api.ActionCreate: "index this folder?", api.ActionReindex: "rebuild the index?",
	api.ActionDelete: "delete the index?"}

func problem(e *api.Error) string {
	if e == nil {
		return ""
	}
	return Sentence(e.UserMessage)
}

const Separator = " · "

func Join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(parts), func(p string) bool { return p == "" }), Separator)
}

// Sort puts rows that need action first, then running jobs, then the others, and sorts each group by name.
func Sort(rows []Row) {
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(urgency[a.Mark]-urgency[b.Mark], compareNames(a.Name, b.Name, a.Root, b.Root))
	})
}

var urgency = map[Mark]int{MarkNeeds: -2, MarkBusy: -1}

func compareNames(a, b, rootA, rootB string) int {
	return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(rootA, rootB))
}

// read returns the number of files to show. While an index is created, it is the number in the project's row.
func read(p api.Project) int {
	if g := p.Progress; g != nil && g.Action == api.ActionCreate && g.Phase == api.PhaseIndexing {
		return min(g.FilesDone, g.FilesTotal)
	}
	return p.Files
}

type Fact struct {
	Label Text
	Value string
}

func Facts(p api.Project, now time.Time) []Fact {
	files := Number(read(p))
	if p.DocFiles > 0 && p.DocFiles <= read(p) { // the numbers may differ while indexing
		files = T("%s, including %s", files, Count(p.DocFiles, "document"))
	}
	facts := []Fact{
		{"Files", files},
		{"Passages", Number(p.Chunks)},
	}
	if done, total := meaning(p); done < total {
		facts = append(facts, Fact{"By meaning", T("%s of %s passages", Number(done), Number(total))})
	}
	facts = append(facts, Fact{"On disk", Size(p.SizeBytes)}, Fact{"Updated", Ago(p.LastUpdated, now)})
	if !p.LastFull.IsZero() {
		facts = append(facts, Fact{"Built", Ago(p.LastFull, now)})
	}
	if p.Pending > 0 {
		facts = append(facts, Fact{"Waiting", Count(p.Pending, "change")})
	}
	facts = append(facts, Fact{"Updates", watching(p)})
	if p.Shared != nil {
		facts = append(facts, Fact{"Shared index", sharedIndex(*p.Shared, now)})
	}
	return facts
}

func Note(p api.Project) string {
	if p.State == api.StateOffline { // the project's problem explains the state
		return ""
	}
	return strings.TrimSpace(Sentence(p.Waiting) + " " + Sentence(p.WatcherNote))
}

func sharedIndex(s api.SharedIndex, now time.Time) string {
	line := Join(Location(s.Location), T("not downloaded yet"))
	if !s.Published.IsZero() {
		line = Join(Location(s.Location), Count(s.Files, "file"), T("published %s", Ago(s.Published, now)))
	}
	return Join(line, Sentence(s.Note), Sentence(s.Problem))
}

func watching(p api.Project) string {
	switch {
	case p.State == api.StateNotIndexed:
		return T("not yet")
	case p.State == api.StateOffline: // the watcher reports when the folder returns
		return T("stopped until the folder is back")
	case !p.WatcherActive:
		return T("not at the moment")
	case p.Strategy == api.Lazy:
		return T("when the computer is idle")
	case p.Strategy == api.Git:
		return T("with each commit")
	}
	return T("when files are saved")
}

func Notices(p api.Project) []string {
	var lines []string
	for _, n := range p.Notices {
		switch n.Code {
		case api.FileLimitWarning: // shown as a warning
		case api.PermissionDenied:
			lines = append(lines, Sentence(n.UserMessage)+" "+strings.Join(p.Examples[api.SkipUnreadable], ", "))
		default:
			lines = append(lines, Sentence(n.UserMessage))
		}
	}
	return lines
}

func Partly(p api.Project) []string {
	var lines []string
	for _, f := range p.Partial {
		var parts []string
		if f.CutFrom > 0 {
			parts = append(parts, T("not indexed from line %s on", Number(f.CutFrom)))
		}
		if f.Replaced > 0 {
			parts = append(parts, Count(f.Replaced, "undecodable byte"))
		}
		if f.Guessed != "" {
			parts = append(parts, T("encoding guessed as %s", f.Guessed))
		}
		switch f.Plain {
		case api.PlainCrash:
			parts = append(parts, T("indexed by words only: the parser crashes on this file"))
		case api.PlainAway:
			parts = append(parts, T("indexed by words only until parsers can run again"))
		}
		lines = append(lines, f.Path+": "+strings.Join(parts, "; "))
	}
	if more := p.PartialFiles - len(p.Partial); more > 0 {
		lines = append(lines, Count(more, "more file"))
	}
	return lines
}

type SkippedLine struct {
	Reason   string
	Count    int
	Examples []string
	Safety   bool
}

func Skipped(s api.Skipped, examples map[api.Reason][]string) []SkippedLine {
	var lines []SkippedLine
	for reason, n := range s {
		if n == 0 || reason == api.SkipNone {
			continue
		}
		w := reasons[reason]
		text := cmp.Or(T(w.text), strings.ReplaceAll(string(reason), "_", " "))
		lines = append(lines, SkippedLine{Reason: text, Count: n, Examples: examples[reason], Safety: w.safety})
	}
	first := map[bool]int{true: -1}
	slices.SortFunc(lines, func(a, b SkippedLine) int {
		return cmp.Or(first[a.Safety]-first[b.Safety], b.Count-a.Count, strings.Compare(a.Reason, b.Reason))
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
	api.SkipDepth:      {"Nested too deep", true},
	api.SkipOwnData:    {"Search MCP's own data", true},
	api.SkipCheckout:   {"Other checkouts of the repository", false},
	api.SkipSymlink:    {"Symbolic links", true},
	api.SkipSpecial:    {"Devices and sockets", true},
	api.SkipExcluded:   {"Excluded by this project's settings", false},
	api.SkipIgnored:    {"Ignored by .gitignore", false},
	api.SkipBinary:     {"Images, archives and other binaries", false},
	api.SkipSize:       {"Too large", false},
	api.SkipNotInclude: {"Not among the included files", false},
	api.SkipUnreadable: {"Not readable", false},
	api.SkipOnline:     {"In the cloud only", false},
	api.SkipDocsOff:    {"Documents, which are switched off", false},
	api.SkipShared:     {"Found in the shared index", false},
}

// SharedLocation adds the parameters endpoint and region to the location of a shared index, such as s3://bucket/prefix.
func SharedLocation(location, endpoint, region string) string {
	location = strings.TrimSpace(location)
	more := url.Values{}
	for key, value := range map[string]string{"endpoint": endpoint, "region": region} {
		if value = strings.TrimSpace(value); value != "" {
			more.Set(key, value)
		}
	}
	switch {
	case len(more) == 0:
		return location
	case strings.Contains(location, "?"):
		return location + "&" + more.Encode()
	}
	return location + "?" + more.Encode()
}

func Location(location string) string {
	at, parameters, _ := strings.Cut(location, "?")
	values, err := url.ParseQuery(parameters)
	if err != nil {
		return location
	}
	server, err := url.Parse(values.Get("endpoint"))
	if err != nil || server.Host == "" {
		return at
	}
	return T("%s on %s", at, server.Host)
}

func AskShared(p api.Project, location string) Question {
	return Question{
		Title:    T("Use a shared index for %s?", p.Name),
		Path:     Location(location),
		Sentence: T("Search MCP downloads the shared index from this storage and checks for a newer one four times an hour."),
		Note:     "Your changes stay on this computer and are searched in your own index.",
		Yes:      "Download index", No: cancel,
	}
}

func AskUnshared(p api.Project) Question {
	return Question{
		Title: T("Remove the shared index of %s?", p.Name),
		Sentence: T("Its files are then indexed on this computer. Nothing in the storage is changed, " +
			"and it is no longer contacted."),
		Yes: "Remove", No: cancel,
	}
}

func SharedState(s api.SharedIndex, now time.Time) (line string, urgent bool) {
	if s.Problem != "" {
		return Sentence(s.Problem), true
	}
	if s.Published.IsZero() {
		return T("not downloaded yet"), false
	}
	return Join(Count(s.Files, "file"), T("published %s", Ago(s.Published, now)), Sentence(s.Note)), false
}

type Documents struct {
	Source    api.DocumentSource
	Mark      Mark
	Line      string
	Urgent    bool
	Documents int
}

func DocumentsOf(d api.DocumentSource, p api.Project, now time.Time) Documents {
	v := Documents{Source: d, Mark: MarkReady, Documents: d.Documents}
	if p.ID != "" {
		v.Mark = RowOf(p, nil, "", now).Mark
	}
	if p.DocFiles > 0 { // the same number as in the project's details, which excludes HTML
		v.Documents, d.Reading = p.DocFiles, false
	}
	v.Line = Count(v.Documents, "document")
	if p.State == api.StateReady && !p.LastUpdated.IsZero() {
		v.Line = Join(v.Line, T("updated %s", Ago(p.LastUpdated, now)))
	}
	switch {
	case p.State == api.StateOffline || p.State == api.StateError:
		v.Mark, v.Line, v.Urgent = MarkNeeds, Sentence(p.Term()), true
	case d.Problem != "":
		v.Mark, v.Line, v.Urgent = MarkNeeds, Sentence(d.Problem), true
	case p.State == api.StateNotIndexed || p.State == api.StateIndexing || p.State == api.StatePaused:
		v.Line = Join(Sentence(p.Term()), v.Line)
	case d.Reading:
		v.Mark, v.Line = MarkBusy, T("Reading…")
	}
	return v
}
