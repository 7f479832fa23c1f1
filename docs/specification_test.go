package docs

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	// section is the heading of a section that has the RFC's number.
	section = regexp.MustCompile(`(?m)^#{2,4} RFC (\d+(?:\.\d+)*) `)
	// cited is a citation of one or several sections: RFC 5.2; RFC 4.2 and 4.8; RFC 5.5 to 5.7.
	cited  = regexp.MustCompile(`\bRFC (\d+(?:\.\d+)*(?:(?:,| and| to) \d+\.\d+(?:\.\d+)*)*)`)
	number = regexp.MustCompile(`\d+(?:\.\d+)*`)
	// anchored is a citation of a chapter without a number.
	anchored = regexp.MustCompile(`docs/specification\.md#([\w-]+)`)
)

// unknownCitations names what a text cites of a page that has these sections and anchors, and that is not there; and
// counts all citations.
func unknownCitations(text string, sections, anchors map[string]bool) (unknown []string, found int) {
	for _, m := range cited.FindAllStringSubmatch(text, -1) {
		for _, n := range number.FindAllString(m[1], -1) {
			if whole, _ := strconv.Atoi(n); whole > 100 {
				continue // an RFC of the IETF
			}
			if found++; !sections[n] {
				unknown = append(unknown, "RFC "+n)
			}
		}
	}
	for _, m := range anchored.FindAllStringSubmatch(text, -1) {
		if found++; !anchors[m[1]] {
			unknown = append(unknown, m[0])
		}
	}
	return unknown, found
}

func specification(t *testing.T) (sections, chapters map[string]bool) {
	text := pages(t)["specification.md"].text
	sections = map[string]bool{}
	for _, m := range section.FindAllStringSubmatch(text, -1) {
		if sections[m[1]] {
			t.Errorf("specification.md has two sections RFC %s", m[1])
		}
		sections[m[1]] = true
	}
	return sections, anchors(text)
}

// TestCitations: what code and pages cite of the specification is a section of it.
func TestCitations(t *testing.T) {
	sections, chapters := specification(t)
	all := 0
	for _, ending := range []string{".go", ".md", ".sh", ".mk", "Makefile"} {
		walk(t, ending, func(file, text string) {
			if file == "docs/specification_test.go" {
				return
			}
			unknown, found := unknownCitations(text, sections, chapters)
			for _, u := range unknown {
				t.Errorf("%s cites %s, which is no section of docs/specification.md", file, u)
			}
			if strings.Contains(text, "PRODUCT.md") {
				t.Errorf("%s cites PRODUCT.md, which is not here: cite a section of docs/specification.md", file)
			}
			all += found
		})
	}
	if all < 100 {
		t.Errorf("%d citations: are they still recognised?", all)
	}
}

func TestUnknownCitations(t *testing.T) {
	sections, chapters := map[string]bool{"5.2": true, "10": true, "3.2.1": true}, map[string]bool{"storage": true}
	for text, want := range map[string]string{
		"as RFC 5.2 has it; RFC 10, RFC 3.2.1.": "",
		"a UUID (RFC 9562)":                     "",
		"see docs/specification.md#storage.":    "",
		"time.RFC3339":                          "",
		"RFC 5.2 and 5.9":                       "RFC 5.9",
		"(RFC 4.1, 5.2, 4.6)":                   "RFC 4.1 RFC 4.6",
		"RFC 5.2 to 5.4":                        "RFC 5.4",
		"RFC 13":                                "RFC 13",
		"(docs/specification.md#stowage)":       "docs/specification.md#stowage",
	} {
		if got, _ := unknownCitations(text, sections, chapters); strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
