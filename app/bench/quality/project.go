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

// Set is a set of questions from one source. Figures of different sets are not comparable.
type Set string

// The sets.
const (
	Written Set = "written" // written by reading the code
	Symbols Set = "symbols" // names of types
	Changes Set = "changes" // entries of changelogs
	Commits Set = "commits" // messages of later commits
)

// Sets are all sets in the order of the report.
var Sets = []Set{Written, Symbols, Changes, Commits}

// Set returns the set of a question.
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

// Client is the package manager that fetches a project's source.
type Client string

// The clients.
const (
	GoMod Client = "go"
	Pip   Client = "pip"   // source distributions
	Wheel Client = "wheel" // built distributions of pip
	Npm   Client = "npm"
	Cargo Client = "cargo"
	Maven Client = "mvn"
	Apt   Client = "apt" // binary packages of Debian 12, for languages without another client
	// Source fetches the original source of a package of Debian 12 or 13, with apt.
	Source Client = "source"
)

// Project is one pinned source package.
type Project struct {
	Name      string
	Logged    bool // its ChangeLog lists the files that each earlier commit changed
	Language  string
	Client    Client
	Package   string // name for the client; group:artifact for Maven
	Version   string
	SHA256    string // of the fetched file; of the module's zip for Go modules
	Root      string // root of the project in the package; paths are relative to it
	Keep      string // folders to unpack, separated by spaces, if the package also contains built files; "" means all
	Questions []Question
}

// Question is a question of a user or an assistant about a project.
type Question struct {
	Kind   string // one of Kinds
	Text   string
	Answer []Target
}

// Target is a file that answers a question. If Anchor and Changed are empty, the relevant lines are unknown.
type Target struct {
	Path    string
	Anchor  string // text in each relevant line
	Changed []int  // lines that the commit changed, from 1
}

// lines returns the numbers of the relevant lines in content, from 1.
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

// Kinds are the kinds of questions. Questions of the kind "docs" are about documentation, all others about code.
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

// addSymbols adds the questions for names of types to their projects. In the file, a line "project | name" precedes
// the questions of each project.
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
				return fmt.Errorf("symbols: unknown project %s", name)
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

// HeldOut reports whether a project's questions are held out, so that they are not used for tuning. A hash of their
// names chooses a quarter of the projects.
func (p Project) HeldOut() bool { return sha256.Sum256([]byte("aside " + p.Family()))[0] < 64 }

// Sampled reports whether a project is in a sample of one project in n, chosen by another hash.
func (p Project) Sampled(n int) bool {
	return int(sha256.Sum256([]byte("sample " + p.Family()))[0])%n == 0
}

// Family returns the project's name without the release.
func (p Project) Family() string {
	name, _, _ := strings.Cut(p.Name, "@")
	return name
}

// releases returns a project for each release in the files of a folder.
func releases(dir string) ([]Project, error) {
	entries, err := questionFiles.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("questions about releases: %w", err)
	}
	var all []Project
	for _, e := range entries {
		raw, err := questionFiles.ReadFile(dir + "/" + e.Name())
		if err != nil {
			return nil, fmt.Errorf("questions about releases: %w", err)
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
//	project | name | language | client | package | folders to unpack, or "all"
//	base | version | SHA-256
//	kind | question | path#anchor ; path
//
// where the questions below a base are about this release.
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
			return nil, fmt.Errorf("line %d: invalid syntax", n)
		}
	}
	return out, nil
}

// parseLines parses line numbers and ranges: "12,40-44".
func parseLines(text string) (lines []int, err error) {
	for part := range strings.SplitSeq(text, ",") {
		first, last, ranged := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		to := from
		if err == nil && ranged {
			to, err = strconv.Atoi(last)
		}
		if err != nil {
			return nil, fmt.Errorf("parse lines %q: %w", text, err)
		}
		for ; from <= to; from++ {
			lines = append(lines, from)
		}
	}
	return lines, nil
}

// parseQuestions parses lines of the form
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
			return nil, fmt.Errorf("line %d: want «kind | question | answers»", n)
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
