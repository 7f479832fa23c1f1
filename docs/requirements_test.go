package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	chapter   = regexp.MustCompile(`(?m)^#{2,4} (?:(RFC (?:\d[\d.]*|Appendix \w)) )?(.*)$`)
	assertion = regexp.MustCompile(`^([a-z0-9/-]+)\.((?:Test|Fuzz)[A-Z]\w*)$`)
)

// withoutBehaviour lists sections without testable requirements, with the reasons.
var withoutBehaviour = map[string]string{
	"RFC 2": "a picture of the parts", "RFC 3": "its sections have it", "RFC 5": "its sections have it",
	"RFC 6": "its sections have it", "RFC 7": "its sections have it", "RFC 8": "libraries",
	"RFC 11": "figures, in BENCHMARKS.md", "Requirements": "the table itself",
}

// unmet returns the faults in the tab-separated table of requirements of the specification text: rows without a
// section, sentence or existing test, and sections without a row.
func unmet(text, table string, exists func(folder, test string) bool) (wrong []string, rows int) {
	sections := map[string]bool{"Requirements": true}
	for _, m := range chapter.FindAllStringSubmatch(text, -1) {
		name := m[1]
		if name == "" {
			name, _, _ = strings.Cut(m[2], " a call") // "Which project a call means"
		}
		sections[name] = false
	}
	said := map[string]bool{}
	for row := range strings.Lines(table) {
		cells := append(strings.Split(strings.TrimRight(row, "\n"), "\t"), "", "")
		section, sentence, tests := cells[0], cells[1], strings.Split(cells[2], ", ")
		if rows++; rows == 1 {
			continue // skip the header
		}
		if _, known := sections[section]; !known {
			wrong = append(wrong, section+" is no section")
		}
		sections[section] = true
		if !strings.HasSuffix(sentence, ".") || said[sentence] && section != "Sites" {
			wrong = append(wrong, sentence+" is no sentence, or a repetition")
		}
		said[sentence] = true
		for _, cited := range tests {
			if m := assertion.FindStringSubmatch(cited); m == nil || !exists(m[1], m[2]) {
				wrong = append(wrong, sentence+" has no test: "+cited)
			}
		}
	}
	for name, met := range sections {
		if _, none := withoutBehaviour[name]; !met && !none {
			wrong = append(wrong, name+" has no requirement")
		}
	}
	return wrong, rows
}

// TestRequirements checks that each requirement has a section and an existing test, and each section a requirement.
func TestRequirements(t *testing.T) {
	table, err := os.ReadFile("requirements.tsv")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]string{}
	exists := func(folder, test string) bool {
		if _, read := tests[folder]; !read {
			files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*_test.go"))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				source, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				tests[folder] += string(source)
			}
		}
		return strings.Contains(tests[folder], "\nfunc "+test+"(")
	}
	wrong, rows := unmet(pages(t)["specification.md"].text, string(table), exists)
	for _, w := range wrong {
		t.Error(w)
	}
	if rows < 100 {
		t.Errorf("%d requirements: are they still recognised?", rows)
	}
}

func TestUnmetRequirements(t *testing.T) {
	const text = "## RFC 1 Purpose\n\n### RFC 4.2 search_code\n\n## Sites\n"
	const head = "section\trequirement\tasserted by\n"
	exists := func(folder, test string) bool { return folder == "app/e2e" && test == "TestIt" }
	const good = "RFC 1\tIt works.\tapp/e2e.TestIt\nRFC 4.2\tIt finds.\tapp/e2e.TestIt\n"
	for rows, want := range map[string]int{
		good + "Sites\tIt is found.\tapp/e2e.TestIt\n": 0,
		good: 1, // a section without a requirement
		good + "Sites\tIt is found.\tapp/e2e.TestGone\n":                                 1,
		good + "Sites\tIt is found.\tengine.TestIt\n":                                    1,
		good + "Sites\tIt is found.\t\n":                                                 1,
		good + "Sites\tIt is found.\tapp/e2e.TestIt, TestIt\n":                           1,
		good + "Sites\tIt is found.\tapp/e2e.TestIt\nNowhere\tNo.\tapp/e2e.TestIt\n":     1,
		good + "Sites\tIt is found.\tapp/e2e.TestIt\nRFC 1\tIt finds.\tapp/e2e.TestIt\n": 1,
	} {
		if wrong, _ := unmet(text, head+rows, exists); len(wrong) != want {
			t.Errorf("%s: %q", rows, wrong)
		}
	}
}
