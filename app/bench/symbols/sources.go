package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

type sources struct {
	dir      string
	inactive map[string][]span   // lines that clangd ignores, by path; nil for other servers
	lines    map[string][]string // lines of the files that were read
}

func (s *sources) file(path string) []string {
	lines, ok := s.lines[path]
	if !ok {
		text, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(path)))
		if err == nil {
			lines = strings.Split(string(text), "\n")
		}
		s.lines[path] = lines
	}
	return lines
}

func (s *sources) line(p place) string {
	lines := s.file(p.Path)
	if p.Line < 1 || p.Line > len(lines) {
		return ""
	}
	return lines[p.Line-1]
}

// contains reports whether the line at p contains name in code. Servers also return lines whose macros expand to the
// name, and links in comments.
func (s *sources) contains(p place, name string) bool {
	line := strings.TrimSpace(s.line(p))
	for _, c := range []string{"//", "/*", "*", "#"} {
		if strings.HasPrefix(line, c) && !strings.HasPrefix(line, "*(") && (c != "#" || strings.HasSuffix(p.Path, ".py")) {
			return false
		}
	}
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).MatchString(line)
}

// compiled reports whether the server compiles the line at p. clangd ignores code for other systems and the bodies of
// macros.
func (s *sources) compiled(p place) bool {
	for _, r := range s.inactive[p.Path] {
		if r.Start.Line < p.Line && p.Line-1 <= r.End.Line {
			return false
		}
	}
	if s.inactive == nil {
		return true
	}
	lines := s.file(p.Path)
	for n := p.Line; n > 0 && n <= len(lines); n-- {
		if strings.HasPrefix(strings.ReplaceAll(lines[n-1], " ", ""), "#define") {
			return !isC(p.Path)
		}
		if n < 2 || !strings.HasSuffix(strings.TrimRight(lines[n-2], " \r"), "\\") {
			break
		}
	}
	return true
}

func isC(path string) bool {
	switch filepath.Ext(path) {
	case ".c", ".h", ".cc", ".cpp", ".hpp":
		return true
	}
	return false
}
