// Command secrets measures the search for secrets on a corpus of invented secrets in typical files, on real projects
// without secrets, and its processor time. It runs two other scanners on the same files.
//
//	make bench-secrets
package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"searchmcp/app/bench/quality"
	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/files/secret"
	"searchmcp/engine/files/secret/corpus"
	"searchmcp/packaging/command"
)

func main() {
	var o options
	flag.BoolVar(&o.list, "list", false, "list missed secrets, and wrong marks in the corpus and the projects")
	flag.BoolVar(&o.alone, "alone", false, "do not run the other scanners")
	flag.Parse()
	command.Main("bench-secrets", o.run)
}

type options struct{ list, alone bool }

const (
	seed  = 1 // of the generated corpus
	turns = 5 // measurements of the processor time
)

// wanted are pinned projects in many languages that contain no keys or tokens for tests.
var wanted = []string{"fastify", "query", "hyper", "gson", "koin", "lua", "pythonnet", "rack", "bats", "bbolt",
	"commander", "rxjs", "jsoup", "okhttp", "oslib", "hiredis", "leveldown", "capacitor", "twig"}

func (o options) run(ctx context.Context) error {
	all, err := quality.Projects()
	if err != nil {
		return err
	}
	var roots []string
	for _, p := range all {
		if !slices.Contains(wanted, p.Name) {
			continue
		}
		dir, err := quality.Fetch(ctx, p)
		if err != nil {
			return err
		}
		roots = append(roots, dir)
	}
	if len(roots) != len(wanted) {
		return fmt.Errorf("only %d of %d projects are pinned", len(roots), len(wanted))
	}
	work, err := os.MkdirTemp("", "bench-secrets-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	c, passwords := corpus.New(seed), passwordCorpus(seed)
	known := kinds(c)
	c.Files, c.Secrets = append(c.Files, passwords.Files...), append(c.Secrets, passwords.Secrets...)
	for _, f := range c.Files {
		if err := command.Write(filepath.Join(work, filepath.FromSlash(f.Path)), []byte(f.Text)); err != nil {
			return err
		}
	}
	real, err := readProjects(ctx, roots)
	if err != nil {
		return err
	}
	ours, err := product(c, work, roots, o.list)
	if err != nil {
		return err
	}
	rows := []score{ours}
	if !o.alone {
		for _, scanner := range []func(context.Context) (string, scanning, error){gitleaks, detectSecrets} {
			name, scan, err := scanner(ctx)
			if err != nil {
				return err
			}
			s, err := compare(name, scan, c, work, roots)
			if err != nil {
				return err
			}
			rows = append(rows, s)
		}
	}
	fmt.Printf("%d secrets of %d kinds and %d passwords, seed %d; %d projects with %d files and %.1f MB\n\n",
		len(c.Secrets)-len(passwords.Secrets), known, len(passwords.Secrets), seed, len(roots), real.files, real.mb())
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0)
	fmt.Fprint(w, "|\t| of\t|")
	for _, s := range rows {
		fmt.Fprintf(w, " %s\t|", s.name)
	}
	fmt.Fprint(w, "\n"+strings.Repeat("|---\t", len(rows)+2)+"|\n")
	line := func(title, of string, cell func(score) string) {
		fmt.Fprintf(w, "| %s\t| %s\t|", title, of)
		for _, s := range rows {
			fmt.Fprintf(w, " %s\t|", cell(s))
		}
		fmt.Fprintln(w)
	}
	groups, of := []string{}, map[string]int{}
	for _, x := range c.Secrets {
		if of[group(x)]++; of[group(x)] == 1 {
			groups = append(groups, group(x))
		}
	}
	for _, g := range groups {
		line(g, fmt.Sprint(of[g]), func(s score) string { return fmt.Sprint(s.found[g]) })
	}
	harmless := 0
	for _, f := range c.Files {
		harmless += len(f.Harmless)
	}
	line("harmless lines marked", fmt.Sprint(harmless), func(s score) string { return fmt.Sprint(s.harmless) })
	line("marks in real projects", "", func(s score) string { return fmt.Sprint(s.marks) })
	line("MB of them per mark", "", func(s score) string {
		return fmt.Sprintf("%.1f", real.mb()/float64(max(1, s.marks)))
	})
	line("time", "", func(s score) string { return fmt.Sprintf("%.1f s", s.took.Seconds()) })
	if err := w.Flush(); err != nil {
		return err
	}
	return cost(ctx, roots)
}

// group returns the row of the table in which a secret is counted. Passwords have a row for each sort and kind.
func group(x corpus.Secret) string {
	switch x.Sort {
	case corpus.File, corpus.Key, corpus.Token:
		return string(x.Sort)
	}
	return string(x.Sort) + ", " + x.Kind
}

type score struct {
	name     string
	found    map[string]int // by group
	harmless int            // marked lines of the corpus without secrets
	marks    int            // marks in the real projects
	took     time.Duration
}

type projects struct {
	files int
	bytes int64
}

func (p projects) mb() float64 { return float64(p.bytes) / 1e6 }

func readProjects(ctx context.Context, roots []string) (projects, error) {
	var out projects
	for _, root := range roots {
		pol, err := policy.New(root, api.DefaultConfig())
		if err != nil {
			return out, err
		}
		if _, err := scan.Walk(ctx, pol, func(f scan.File) error {
			out.files++
			out.bytes += f.Stamp.Size
			return nil
		}); err != nil {
			return out, err
		}
	}
	return out, nil
}

// product measures the texts that the product would index.
func product(c corpus.Corpus, work string, roots []string, list bool) (score, error) {
	s := score{name: "Search MCP", found: map[string]int{}}
	began := time.Now()
	pol, err := policy.New(work, api.DefaultConfig())
	if err != nil {
		return s, err
	}
	texts := map[string]string{}
	for _, f := range c.Files {
		data, _, _, err := pol.Read(f.Path)
		if err != nil {
			return s, err
		}
		texts[f.Path] = string(data)
		for _, k := range f.Harmless {
			if !strings.Contains(string(data), k) {
				s.harmless++
				if list {
					fmt.Printf("wrong mark: %s in %s\n", k, f.Path)
				}
			}
		}
	}
	for _, x := range c.Secrets {
		if !x.Seen(texts[x.Path]) {
			s.found[group(x)]++
		} else if list {
			fmt.Printf("missed: %s %s in %s\n", x.Sort, x.Kind, x.Path)
		}
	}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			rel, err := filepath.Rel(root, name)
			if err != nil {
				return err
			}
			rel = filepath.ToSlash(rel)
			data, err := os.ReadFile(name)
			if err != nil || len(data) > 1<<20 || slices.Contains(data[:min(len(data), 8192)], 0) {
				return err
			}
			if policy.Secret(rel) || secret.StoreKind(rel, data) != "" {
				s.marks++
				if list {
					fmt.Printf("excluded: %s (%s)\n", name, secret.StoreKind(rel, data))
				}
				return nil
			}
			found, err := secret.Find(rel, data)
			if err != nil {
				s.marks++
				return nil
			}
			s.marks += len(found)
			for _, f := range found {
				if list {
					fmt.Printf("marked: %s: %s %q\n", name, f.Rule, data[f.Start:min(f.End, f.Start+80)])
				}
			}
			return nil
		})
		if err != nil {
			return s, err
		}
	}
	s.took = time.Since(began)
	return s, nil
}
