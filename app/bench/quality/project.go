package quality

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Set is where questions come from. Figures of one are not to be compared with another's.
type Set string

// The sets.
const (
	Written Set = "written" // by hand, by reading the code
	Symbols Set = "symbols" // bare names of types
	Changes Set = "changes" // entries of changelogs
	Commits Set = "commits" // messages of later commits
)

// Sets are all of them, in the order of a report.
var Sets = []Set{Written, Symbols, Changes, Commits}

// Set is the one that a question belongs to.
func (q Question) Set() Set {
	switch q.Kind {
	case "bare":
		return Symbols
	case "change":
		return Changes
	case "commit":
		return Commits
	}
	return Written
}

// Client is the package client that fetches a project's source.
type Client string

// The clients.
const (
	GoMod Client = "go"
	Pip   Client = "pip"   // source distributions
	Wheel Client = "wheel" // pip's built distributions, which need no build to be fetched
	Npm   Client = "npm"
	Cargo Client = "cargo"
	Maven Client = "mvn"
	Apt   Client = "apt" // Debian 12: languages whose own registries no client here reaches
	// Source is apt as well: what a package of Debian 12 or 13 is built of, as its authors released it.
	Source Client = "source"
)

// Project is one pinned source package.
type Project struct {
	Name      string
	Logged    bool // its ChangeLog says which files each commit before changed, as a repository would
	Language  string
	Client    Client
	Package   string // name as the client spells it; Maven: group:artifact
	Version   string
	SHA256    string // of the file that the client fetches; for Go modules of the module's zip
	Root      string // folder within the package that is the project; paths begin below it
	Keep      string // the only folders that are kept, where a package ships what it was built to as well; "": all
	Questions []Question
}

// Question is one thing a person or an assistant asks of a project.
type Question struct {
	Kind   string // see Kinds
	Text   string
	Answer []Target
}

// Target is a file that answers, and where in it: a text by which the relevant lines are found, or the lines that a
// change touched. Without either its place is not known.
type Target struct {
	Path, Anchor string
	Changed      []int
}

// lines are the numbers of the relevant or changed lines in a file's content, from 1.
func (t Target) lines(content string) []int {
	if t.Anchor == "" {
		return t.Changed
	}
	var all []int
	for from := 0; ; {
		i := strings.Index(content[from:], t.Anchor)
		if i < 0 {
			return all
		}
		all = append(all, 1+strings.Count(content[:from+i], "\n"))
		from += i + len(t.Anchor)
	}
}

// Kinds of question. "docs" is asked of the documentation, all others of the code.
var Kinds = []string{"plain", "how", "symbol", "error", "path", "mixed", "typo", "docs", "bare", "change", "commit"}

//go:embed testdata/questions/*.txt testdata/changes/*.txt testdata/trees/*.txt
//go:embed testdata/logged/*.txt testdata/symbols/*.txt testdata/broad/*.txt testdata/unseen/*.txt
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
	for _, dir := range []string{"changes", "trees", "logged", "broad", "unseen"} {
		more, err := releases("testdata/" + dir)
		if err != nil {
			return nil, err
		}
		for i := range more {
			more[i].Logged = dir == "logged"
		}
		all = append(all, more...)
	}
	slices.SortFunc(all, func(a, b Project) int { return cmp.Compare(a.Name, b.Name) })
	return all, addSymbols(all)
}

// addSymbols adds the questions for bare names to their projects. The file has a line "project | name" before each
// project's.
func addSymbols(all []Project) error {
	raw, err := questionFiles.ReadFile("testdata/symbols/types.txt")
	if err != nil {
		return fmt.Errorf("symbols: %w", err)
	}
	of := -1
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		if name, ok := strings.CutPrefix(line, "project | "); ok {
			if of = slices.IndexFunc(all, func(p Project) bool { return p.Name == name }); of < 0 {
				return fmt.Errorf("symbols: no project is called %s", name)
			}
			continue
		}
		some, err := parseQuestions(line)
		if err != nil || of < 0 {
			return fmt.Errorf("symbols: line %q: %w", line, err)
		}
		all[of].Questions = append(all[of].Questions, some...)
	}
	return nil
}

// Aside reports whether a project's questions are put aside: nobody looks at them, nor chooses by them, before all is
// done. A quarter of the projects is, by a hash of their names.
func (p Project) Aside() bool { return sha256.Sum256([]byte("aside " + p.Family()))[0] < 64 }

// Sampled reports whether a project is in a sample of one in n, by another hash.
func (p Project) Sampled(n int) bool {
	return int(sha256.Sum256([]byte("sample " + p.Family()))[0])%n == 0
}

// Family is what releases of one project share.
func (p Project) Family() string {
	name, _, _ := strings.Cut(p.Name, "@")
	return name
}

// releases returns a project for each release that a folder's files have questions to.
func releases(dir string) ([]Project, error) {
	entries, err := questionFiles.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("questions to releases: %w", err)
	}
	var all []Project
	for _, e := range entries {
		raw, err := questionFiles.ReadFile(dir + "/" + e.Name())
		if err != nil {
			return nil, fmt.Errorf("questions to releases: %w", err)
		}
		some, err := parseReleases(string(raw))
		if err != nil {
			return nil, fmt.Errorf("questions of %s: %w", e.Name(), err)
		}
		all = append(all, some...)
	}
	return all, nil
}

// parseReleases reads a file of the form
//
//	project | name | language | client | package | folder that is kept, or "all"
//	base | version | SHA-256
//	kind | question | path#anchor ; path
//
// where a base is the release that the questions below it are asked of.
func parseReleases(text string) ([]Project, error) {
	var family Project
	var out []Project
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		kind, rest, _ := strings.Cut(line, " | ")
		parts := strings.Split(rest, " | ")
		switch {
		case kind == "project" && len(parts) == 5:
			family = Project{Name: parts[0], Language: parts[1], Client: Client(parts[2]), Package: parts[3],
				Keep: strings.TrimPrefix(parts[4], "all")}
		case kind == "base" && len(parts) == 2 && family.Name != "":
			p := family
			p.Name, p.Version, p.SHA256 = family.Name+"@"+parts[0], parts[0], parts[1]
			out = append(out, p)
		case len(out) > 0:
			some, err := parseQuestions(line)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			out[len(out)-1].Questions = append(out[len(out)-1].Questions, some...)
		default:
			return nil, fmt.Errorf("line %d is not expected", n)
		}
	}
	return out, nil
}

// parseLines reads numbers and ranges of them: "12,40-44".
func parseLines(text string) (lines []int, err error) {
	for part := range strings.SplitSeq(text, ",") {
		first, last, ranged := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		to := from
		if err == nil && ranged {
			to, err = strconv.Atoi(last)
		}
		if err != nil {
			return nil, fmt.Errorf("read lines %q: %w", text, err)
		}
		for ; from <= to; from++ {
			lines = append(lines, from)
		}
	}
	return lines, nil
}

// parseQuestions reads lines of the form
//
//	kind | question | path#anchor ; path@@12,40-44 ; path
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
			path, changed, isChange := strings.Cut(strings.TrimSpace(t), "@@")
			if isChange {
				lines, err := parseLines(changed)
				if err != nil {
					return nil, fmt.Errorf("line %d: %w", n, err)
				}
				q.Answer = append(q.Answer, Target{Path: path, Changed: lines})
				continue
			}
			path, anchor, _ := strings.Cut(path, "#")
			q.Answer = append(q.Answer, Target{Path: path, Anchor: anchor})
		}
		out = append(out, q)
	}
	return out, nil
}
