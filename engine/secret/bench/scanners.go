package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"searchmcp/app/bench/quality"
	"searchmcp/engine/secret/corpus"
)

// finding is a place that a scanner named.
type finding struct{ from, to int }

// judge says what a scanner's findings in the corpus are worth. Any finding in a file of secrets counts, and any on a
// line of a key or token, whatever it is called: a scanner is asked for less than the product.
func judge(name string, c corpus.Corpus, found map[string][]finding) score {
	s := score{name: name, found: map[corpus.Sort]int{}}
	texts := map[string]string{}
	for _, f := range c.Files {
		texts[f.Path] = f.Text
		if f.Kept == nil {
			continue
		}
		s.harmless += len(found[f.Path])
	}
	for _, x := range c.Secrets {
		if x.Sort == corpus.File {
			if len(found[x.Path]) > 0 {
				s.found[x.Sort]++
			}
			continue
		}
		lines := strings.Split(texts[x.Path], "\n")
		hit := false
		for _, f := range found[x.Path] {
			for n := max(1, f.from); n <= min(f.to, len(lines)); n++ {
				hit = hit || x.Seen(lines[n-1])
			}
			// A key's first line is where scanners report it.
			if x.Sort == corpus.Key && f.from >= 1 && f.from <= len(lines) && strings.Contains(lines[f.from-1],
				"PRIVATE"+" KEY") {
				hit = true
			}
		}
		if hit {
			s.found[x.Sort]++
		}
	}
	return s
}

// gitleaks runs the scanner that packaging/scanners pins, with its default rules.
func gitleaks(ctx context.Context, _ string, c corpus.Corpus, work string, roots []string) (score, error) {
	out, err := quality.Command(ctx, "packaging/scanners", "go", "tool", "-n", "gitleaks")
	if err != nil {
		return score{}, err
	}
	program := strings.TrimSpace(string(out))
	began := time.Now()
	scan := func(dir string) (map[string][]finding, int, error) {
		report := filepath.Join(os.TempDir(), fmt.Sprintf("bench-secrets-%d.json", os.Getpid()))
		defer os.Remove(report)
		if _, err := quality.Command(ctx, ".", program, "dir", dir, "--no-banner", "--log-level", "error", "--exit-code", "0",
			"--report-format", "json", "--report-path", report); err != nil {
			return nil, 0, err
		}
		text, err := os.ReadFile(report)
		if err != nil {
			return nil, 0, err
		}
		var list []struct {
			File               string
			StartLine, EndLine int
		}
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, 0, err
		}
		found := map[string][]finding{}
		for _, f := range list {
			rel, err := filepath.Rel(dir, f.File)
			if err != nil {
				return nil, 0, err
			}
			rel = filepath.ToSlash(rel)
			found[rel] = append(found[rel], finding{f.StartLine, f.EndLine})
		}
		return found, len(list), nil
	}
	found, _, err := scan(work)
	if err != nil {
		return score{}, err
	}
	s := judge("gitleaks 8.30.1", c, found)
	for _, root := range roots {
		_, n, err := scan(root)
		if err != nil {
			return s, err
		}
		s.marks += n
	}
	s.took = time.Since(began)
	return s, nil
}

// detectVersion is the scanner's, which is installed beside the sources of the projects.
const detectVersion = "1.5.0"

func detectSecrets(ctx context.Context, cache string, c corpus.Corpus, work string, roots []string) (score, error) {
	venv := filepath.Join(cache, "detect-secrets-"+detectVersion)
	program := filepath.Join(venv, "bin", "detect-secrets")
	if _, err := os.Stat(program); errors.Is(err, os.ErrNotExist) {
		if _, err := quality.Command(ctx, ".", "python3", "-m", "venv", venv); err != nil {
			return score{}, err
		}
		if _, err := quality.Command(ctx, ".", filepath.Join(venv, "bin", "pip"), "install", "-q",
			"--disable-pip-version-check",
			"detect-secrets=="+detectVersion); err != nil {
			return score{}, err
		}
	}
	began := time.Now()
	scan := func(dir string) (map[string][]finding, int, error) {
		out, err := quality.Command(ctx, dir, program, "scan", "--all-files", "--no-verify", ".")
		if err != nil {
			return nil, 0, err
		}
		var answer struct {
			Results map[string][]struct {
				Line int `json:"line_number"`
			} `json:"results"`
		}
		if err := json.Unmarshal(out, &answer); err != nil {
			return nil, 0, err
		}
		found, n := map[string][]finding{}, 0
		for name, list := range answer.Results {
			for _, f := range list {
				key := filepath.ToSlash(filepath.Clean(name))
				found[key] = append(found[key], finding{f.Line, f.Line})
				n++
			}
		}
		return found, n, nil
	}
	found, _, err := scan(work)
	if err != nil {
		return score{}, err
	}
	s := judge("detect-secrets "+detectVersion, c, found)
	for _, root := range roots {
		_, n, err := scan(root)
		if err != nil {
			return s, err
		}
		s.marks += n
	}
	s.took = time.Since(began)
	return s, nil
}
