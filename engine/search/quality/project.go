package quality

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strings"
)

// Half says what a project's questions are for.
type Half string

// The halves, and the third of them: questions that no constant was chosen by, on neither their figures nor their
// totals.
const (
	Dev   Half = "dev"   // constants are chosen on it
	Test  Half = "test"  // judges them
	Fresh Half = "fresh" // forecasts what a project never seen will give
)

// Halves are all of them, in the order of a report.
var Halves = []Half{Dev, Test, Fresh}

// Client is the package client that fetches a project's source.
type Client string

// The clients.
const (
	GoMod Client = "go"
	Pip   Client = "pip"
	Npm   Client = "npm"
	Cargo Client = "cargo"
	Maven Client = "mvn"
	Apt   Client = "apt" // Debian 12: languages whose own registries no client here reaches
)

// Project is one pinned source package.
type Project struct {
	Name      string
	Half      Half
	Language  string
	Client    Client
	Package   string // name as the client spells it; Maven: group:artifact
	Version   string
	SHA256    string // of the file that the client fetches; for Go modules of the module's zip
	Root      string // folder within the package that is the project; paths begin below it
	Keep      string // the only folder that is kept, where a package ships what it was built to as well; "": all
	Questions []Question
}

// Question is one thing a person or an assistant asks of a project.
type Question struct {
	Kind   string // see Kinds
	Text   string
	Answer []Target
}

// Target is a file that answers, and a text by which the telling lines are found in it; an empty text means the whole
// file.
type Target struct {
	Path, Anchor string
}

// Kinds of question. "docs" is asked of the documentation, all others of the code.
var Kinds = []string{"plain", "how", "symbol", "error", "path", "mixed", "typo", "docs"}

//go:embed testdata/questions/*.txt
var questionFiles embed.FS

// Projects returns all projects with their questions.
func Projects() ([]Project, error) {
	all := slices.Clone(pinned)
	for i := range all {
		p := &all[i]
		raw, err := questionFiles.ReadFile("testdata/questions/" + p.Name + ".txt")
		if err != nil {
			return nil, fmt.Errorf("questions of %s: %w", p.Name, err)
		}
		if p.Questions, err = parseQuestions(string(raw)); err != nil {
			return nil, fmt.Errorf("questions of %s: %w", p.Name, err)
		}
	}
	slices.SortFunc(all, func(a, b Project) int { return cmp.Compare(a.Name, b.Name) })
	return all, nil
}

// parseQuestions reads lines of the form
//
//	kind | question | path#anchor ; path
func parseQuestions(text string) ([]Question, error) {
	var out []Question
	n := 0
	for line := range strings.Lines(text) {
		n++
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		parts := strings.Split(line, " | ")
		if len(parts) != 3 || !slices.Contains(Kinds, parts[0]) {
			return nil, fmt.Errorf("line %d is not «kind | question | answers»", n)
		}
		q := Question{Kind: parts[0], Text: parts[1]}
		for _, t := range strings.Split(parts[2], " ; ") {
			path, anchor, _ := strings.Cut(strings.TrimSpace(t), "#")
			q.Answer = append(q.Answer, Target{Path: path, Anchor: anchor})
		}
		out = append(out, q)
	}
	return out, nil
}
