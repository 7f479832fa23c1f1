package present

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"searchmcp/engine/api"
)

type Question struct {
	Title    string
	Sentence string // wording that the specification prescribes
	Path     string
	Facts    []Fact
	Caution  string
	Note     Text
	Yes, No  Text
	Danger   bool
	Always   bool // has a button "Always allow for this project"
}

func QuestionOf(q api.Question, p *api.Project, home string) Question {
	v := Question{Title: titleOf(q), Path: Home(q.Project, home), No: cancel, Always: q.CanAlways}
	v.Sentence = sentence(q)
	switch q.Action {
	case api.ActionDelete:
		v.Yes, v.No, v.Danger = "Delete index", "Keep index", true
		v.Note = "Your files stay as they are."
		if p != nil {
			v.Facts = []Fact{{"Files", Number(p.Files)}, {"On disk", Size(p.SizeBytes)}}
		}
	case api.ActionReindex:
		v.Yes = "Rebuild index"
		v.Note = "The current index stays in use until the new one is complete."
	default:
		v.Yes = "Index folder"
		if q.Client != "" {
			v.No = "Don't index"
		}
		v.Note = LeftOut
	}
	if q.Preview != nil {
		v.Facts = Estimate(*q.Preview)
		v.Caution = Caution(*q.Preview)
	}
	if len(q.Others) > 0 {
		names := make([]string, len(q.Others))
		for i, o := range q.Others {
			names[i] = Client(o)
		}
		v.Facts = append([]Fact{{"Also asked by", strings.Join(names, ", ")}}, v.Facts...)
	}
	if q.Role == api.RoleAssistant && q.Process != "" { // the title has only the name that the client reports
		v.Facts = append([]Fact{{"Asked by", Sentence(q.Process)}}, v.Facts...)
	}
	return v
}

func sentence(q api.Question) string {
	head, _, _ := strings.Cut(q.Text, "\n\n")
	return Sentence(strings.TrimSpace(head))
}

const cancel Text = "Cancel"

func titleOf(q api.Question) string {
	own := map[api.Role]string{api.RoleWindow: windowClient, api.RoleTerminal: terminalClient}[q.Role]
	who, name := Client(cmp.Or(own, q.Client)), line(q.Name)
	wants, known := map[api.Action]Text{api.ActionCreate: "%s wants to index %s",
		api.ActionReindex: "%s wants to rebuild the index of %s",
		api.ActionDelete:  "%s wants to delete the index of %s"}[q.Action]
	switch {
	case q.Title != "" && q.Client == "":
		return q.Title
	case known:
		return T(wants, who, name)
	}
	return Capital(q.Title)
}

// owned contains the title and the sentence of the confirmations that the window itself shows (RFC 4.1, 4.5, 4.6).
var owned = map[api.Action][2]Text{
	api.ActionCreate: {"Index %s?", "Index this project so that it can be searched? Its files are read on this computer " +
		"only and nothing is sent anywhere."},
	api.ActionReindex: {"Rebuild the index of %s?", "This will rebuild the entire index. Continue?"},
	api.ActionDelete: {"Delete the index of %s?",
		"Delete the index for this project? This cannot be undone."},
}

func Own(a api.Action, p api.Project, preview *api.Preview) api.Question {
	return api.Question{Action: a, Project: p.Root(), Name: p.Name, Preview: preview,
		Title: T(owned[a][0], line(p.Name)), Text: string(owned[a][1]), Twice: preview != nil && preview.Broad}
}

func Again(q api.Question, home string) Question {
	return Question{
		Title:    T("Index everything below %s?", Home(q.Project, home)),
		Sentence: T("This is not a single project but everything below that folder. Do you really want to index all of it?"),
		Path:     Home(q.Project, home), Yes: "Index everything", No: cancel, Danger: true,
	}
}

func Countdown(expires, now time.Time) string {
	if expires.IsZero() {
		return ""
	}
	left := max(0, int(expires.Sub(now).Round(time.Second)/time.Second))
	return T("Will be declined automatically in %s", fmt.Sprintf("%d:%02d", left/60, left%60))
}

type Notice struct {
	Title, Text string
	Buttons     []NoticeButton
}

type NoticeButton struct{ ID, Label string }

// The buttons of a notification. None approves a request: the user has to see the details first.
const (
	NoticeShow = "default" // also a click on the notification
	NoticeNo   = "no"
	NoticeGone = "" // the notification was closed
)

func Notification(q api.Question, home string) Notice {
	v := QuestionOf(q, nil, home)
	text := v.Path
	if q.Preview != nil {
		text = Join(text, Count(q.Preview.Files, "file"))
	}
	return Notice{v.Title, text + "\n" + T("Search MCP is waiting for your answer."),
		[]NoticeButton{{NoticeShow, T("Review…")}, {NoticeNo, T(v.No)}}}
}

func small(s string) string   { return initial(s, strings.ToLower) }
func Capital(s string) string { return initial(s, strings.ToUpper) }

// initial returns s with its first letter changed by to.
func initial(s string, to func(string) string) string {
	n := min(1, len(s))
	return to(s[:n]) + s[n:]
}
