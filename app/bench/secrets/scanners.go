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
	"searchmcp/engine/files/secret/corpus"
)

// finding is a range of lines that a scanner reported.
type finding struct{ from, to int }

// scanning runs a scanner in a folder and returns its findings by file.
type scanning func(dir string) (map[string][]finding, error)

// compare runs a scanner on the corpus and the projects. For a file of secrets, any finding counts, and for other
// secrets, any finding on one of their lines. The product is measured more strictly.
func compare(name string, scan scanning, c corpus.Corpus, work string, roots []string) (score, error) {
	s := score{name: name, found: map[string]int{}}
	began := time.Now()
	found, err := scan(work)
	if err != nil {
		return s, err
	}
	texts := map[string]string{}
	for _, f := range c.Files {
		texts[f.Path] = f.Text
		lines := strings.Split(f.Text, "\n")
		for _, k := range f.Harmless {
			for _, at := range found[f.Path] {
				if at.from >= 1 && at.from <= len(lines) && strings.Contains(lines[at.from-1], k) {
					s.harmless++
					break
				}
			}
		}
	}
	for _, x := range c.Secrets {
		lines := strings.Split(texts[x.Path], "\n")
		hit := x.Sort == corpus.File && len(found[x.Path]) > 0
		for _, f := range found[x.Path] {
			for n := max(1, f.from); n <= min(f.to, len(lines)); n++ {
				// Scanners report a private key at its first line.
				hit = hit || x.Seen(lines[n-1]) || x.Sort == corpus.Key && n == f.from &&
					strings.Contains(lines[n-1], "PRIVATE"+" KEY")
			}
		}
		if hit {
			s.found[group(x)]++
		}
	}
	for _, root := range roots {
		found, err := scan(root)
		if err != nil {
			return s, err
		}
		for _, list := range found {
			s.marks += len(list)
		}
	}
	s.took = time.Since(began)
	return s, nil
}

// gitleaks runs the version pinned in packaging/scanners with its default rules.
func gitleaks(ctx context.Context) (string, scanning, error) {
	out, err := quality.Command(ctx, "packaging/scanners", "go", "tool", "-n", "gitleaks")
	program := strings.TrimSpace(string(out))
	return "gitleaks 8.30.1", func(dir string) (map[string][]finding, error) {
		report := filepath.Join(os.TempDir(), fmt.Sprintf("bench-secrets-%d.json", os.Getpid()))
		defer os.Remove(report)
		if _, err := quality.Command(ctx, ".", program, "dir", dir, "--no-banner", "--log-level", "error", "--exit-code", "0",
			"--report-format", "json", "--report-path", report); err != nil {
			return nil, err
		}
		text, err := os.ReadFile(report)
		if err != nil {
			return nil, err
		}
		var list []struct {
			File               string
			StartLine, EndLine int
		}
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, err
		}
		found := map[string][]finding{}
		for _, f := range list {
			rel, err := filepath.Rel(dir, f.File)
			if err != nil {
				return nil, err
			}
			rel = filepath.ToSlash(rel)
			found[rel] = append(found[rel], finding{f.StartLine, f.EndLine})
		}
		return found, nil
	}, err
}

// detectVersion is the version of detect-secrets, which is installed in the cache folder.
const detectVersion = "1.5.0"

func detectSecrets(ctx context.Context) (string, scanning, error) {
	cache, err := quality.Cache()
	if err != nil {
		return "", nil, err
	}
	venv := filepath.Join(filepath.Dir(cache), "detect-secrets-"+detectVersion)
	program := filepath.Join(venv, "bin", "detect-secrets")
	if _, err := os.Stat(program); errors.Is(err, os.ErrNotExist) {
		if _, err := quality.Command(ctx, ".", "python3", "-m", "venv", venv); err != nil {
			return "", nil, err
		}
		if _, err := quality.Command(ctx, ".", filepath.Join(venv, "bin", "pip"), "install", "-q",
			"--disable-pip-version-check", "detect-secrets=="+detectVersion); err != nil {
			return "", nil, err
		}
	}
	return "detect-secrets " + detectVersion, func(dir string) (map[string][]finding, error) {
		out, err := quality.Command(ctx, dir, program, "scan", "--all-files", "--no-verify", ".")
		if err != nil {
			return nil, err
		}
		var answer struct {
			Results map[string][]struct {
				Line int `json:"line_number"`
			} `json:"results"`
		}
		if err := json.Unmarshal(out, &answer); err != nil {
			return nil, err
		}
		found := map[string][]finding{}
		for name, list := range answer.Results {
			key := filepath.ToSlash(filepath.Clean(name))
			for _, f := range list {
				found[key] = append(found[key], finding{f.Line, f.Line})
			}
		}
		return found, nil
	}, nil
}
