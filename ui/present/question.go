package present

import (
	"fmt"
	"strings"
	"time"

	"searchmcp/engine/api"
)

// Question is a confirmation as it is shown.
type Question struct {
	Title    string
	Sentence string // the specification's own, word for word
	Path     string
	Facts    []Fact
	Caution  string
	Note     string // what stays untouched
	Yes      string // what the acting button does
	No       string
	Danger   bool // Yes destroys something
	Always   bool // «always allow for this project» may be offered
}

// QuestionOf words a question of the app; p is the project it is about, if it is known.
func QuestionOf(q api.Question, p *api.Project, home string) Question {
	v := Question{Title: q.Title, Path: Home(q.Project, home), No: "Cancel", Always: q.CanAlways}
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
		v.Note = "The present index stays in use until the new one is whole."
	default:
		v.Yes = "Index folder"
		v.Note = NeverRead
	}
	if q.Preview != nil {
		v.Facts = Estimate(*q.Preview)
		v.Caution = Caution(*q.Preview)
	}
	if v.Title == "" {
		v.Title = capital(fmt.Sprintf("%s asks about %s", q.Asker, q.Name))
	}
	return v
}

// sentence is the part of a question's text in front of its facts, which the window shows its own way.
func sentence(q api.Question) string {
	head, _, _ := strings.Cut(q.Text, "\n\n")
	return strings.TrimSpace(head)
}

// Own is a question that the window asks itself before it calls the app.
func Own(a api.Action, p api.Project, preview *api.Preview) api.Question {
	q := api.Question{Action: a, Project: p.Root(), Name: p.Name, Preview: preview}
	switch a {
	case api.ActionDelete:
		q.Title = fmt.Sprintf("Delete the index of %s", p.Name)
		q.Text = "Delete the index for this project? This cannot be undone."
	case api.ActionReindex:
		q.Title = fmt.Sprintf("Rebuild the index of %s", p.Name)
		q.Text = "This will rebuild the entire index. Continue?"
	default:
		q.Title = fmt.Sprintf("Index %s", p.Name)
		q.Text = "Index this project so that it can be searched? Its files are read on this computer only and nothing is sent anywhere."
	}
	q.Twice = preview != nil && preview.Broad
	return q
}

// Again words the second question about a folder that is too broad to be meant by accident.
func Again(q api.Question, home string) Question {
	return Question{
		Title:    "Index everything below " + Home(q.Project, home) + "?",
		Sentence: "This is not a single project but everything below that folder. Do you really want all of it indexed?",
		Path:     Home(q.Project, home), Yes: "Index everything", No: "Cancel", Danger: true,
	}
}

// Countdown is the time left for an answer, "" for a question without an end.
func Countdown(expires, now time.Time) string {
	if expires.IsZero() {
		return ""
	}
	left := max(0, int(expires.Sub(now).Round(time.Second)/time.Second))
	return fmt.Sprintf("Counts as no in %d:%02d", left/60, left%60)
}

// Notification is the short form of a question for the desktop.
func Notification(q api.Question) (title, text string) {
	return capital(q.Title), "Search MCP waits for your answer."
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
