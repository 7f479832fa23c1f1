// Command bench measures how well secrets are kept out: a corpus of made-up ones in the places where people keep them,
// real projects without any, what it costs, and two other scanners on the same files in the same run.
//
//	make bench-secrets
package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"searchmcp/app/bench/quality"
	"searchmcp/engine/api"
	"searchmcp/engine/policy"
	"searchmcp/engine/scan"
	"searchmcp/engine/secret"
	"searchmcp/engine/secret/corpus"
)

func main() {
	var o options
	flag.Uint64Var(&o.seed, "seed", 1, "of the corpus")
	flag.IntVar(&o.turns, "turns", 5, "of measuring the cost")
	flag.BoolVar(&o.list, "list", false, "list what was missed and what was found in the projects")
	flag.BoolVar(&o.alone, "alone", false, "without the other scanners")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench-secrets:", err)
		os.Exit(1)
	}
}

type options struct {
	seed        uint64
	turns       int
	list, alone bool
}

// wanted are the real projects: pinned ones that have no keys of their own for tests of TLS or tokens, in as many
// languages as there are.
var wanted = []string{"fastify", "query", "hyper", "gson", "koin", "lua", "pythonnet", "rack", "bats", "bbolt", "flask",
	"commander", "rxjs", "jsoup", "okhttp", "oslib", "hiredis", "leveldown", "capacitor", "twig"}

func run(ctx context.Context, o options) error {
	home, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	cache := filepath.Join(home, "searchmcp")
	all, err := quality.Projects()
	if err != nil {
		return err
	}
	var roots []string
	for _, p := range all {
		if !slices.Contains(wanted, p.Name) {
			continue
		}
		dir, err := quality.Fetch(ctx, filepath.Join(cache, "quality"), p)
		if err != nil {
			return err
		}
		roots = append(roots, dir)
	}
	if len(roots) != len(wanted) {
		return fmt.Errorf("%d of %d projects are pinned", len(roots), len(wanted))
	}
	work, err := os.MkdirTemp("", "bench-secrets-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	c := corpus.New(o.seed)
	for _, f := range c.Files {
		name := filepath.Join(work, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(f.Text), 0o600); err != nil {
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
		for _, scanner := range []func(context.Context, string, corpus.Corpus, string, []string) (score, error){gitleaks,
			detectSecrets} {
			s, err := scanner(ctx, cache, c, work, roots)
			if err != nil {
				return err
			}
			rows = append(rows, s)
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0)
	fmt.Fprintf(w, "%d secrets of %d kinds in %d files, seed %d; %d projects with %d files and %.1f MB\n\n",
		len(c.Secrets),
		c.Kinds(corpus.File)+c.Kinds(corpus.Key)+c.Kinds(corpus.Token), len(c.Files), o.seed, len(roots), real.files,
		real.mb())
	fmt.Fprintf(w,
		"| scanner\t| files of secrets (%d)\t| keys in other files (%d)\t| tokens (%d)\t| harmless lines marked\t| marks "+
			"in real projects\t| for a MB\t| time on both\t|\n|---\t|---\t|---\t|---\t|---\t|---\t|---\t|---\t|\n",
		c.Kinds(corpus.File), c.Kinds(corpus.Key), count(c, corpus.Token))
	for _, s := range rows {
		fmt.Fprintf(w, "| %s\t| %d\t| %d\t| %d, %.1f %%\t| %d\t| %d\t| %.2f\t| %.1f s\t|\n", s.name, s.found[corpus.File],
			s.found[corpus.Key], s.found[corpus.Token],
			100*float64(s.found[corpus.Token])/float64(count(c, corpus.Token)), s.harmless, s.marks,
			float64(s.marks)/real.mb(), s.took.Seconds())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return cost(ctx, roots, o.turns)
}

func count(c corpus.Corpus, s corpus.Sort) int {
	n := 0
	for _, x := range c.Secrets {
		if x.Sort == s {
			n++
		}
	}
	return n
}

// score is how one scanner did.
type score struct {
	name     string
	found    map[corpus.Sort]int
	harmless int // lines of the corpus that are no secrets and were marked
	marks    int // in the real projects
	took     time.Duration
}

type projects struct {
	files int
	bytes int64
}

func (p projects) mb() float64 { return float64(p.bytes) / 1e6 }

// readProjects counts what the product would index of the projects.
func readProjects(ctx context.Context, roots []string) (projects, error) {
	var out projects
	for _, root := range roots {
		pol, err := policy.New(root, policy.RulesOf(api.DefaultConfig()))
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

// product asks what an index would get.
func product(c corpus.Corpus, work string, roots []string, list bool) (score, error) {
	s := score{name: "Search MCP", found: map[corpus.Sort]int{}}
	began := time.Now()
	pol, err := policy.New(work, policy.RulesOf(api.DefaultConfig()))
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
		for _, k := range f.Kept {
			if !strings.Contains(string(data), k) {
				s.harmless++
			}
		}
	}
	for _, x := range c.Secrets {
		if !x.Seen(texts[x.Path]) {
			s.found[x.Sort]++
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
			if policy.Secret(rel) || secret.Holder(rel, data) != "" {
				s.marks++
				if list {
					fmt.Printf("left out: %s (%s)\n", name, secret.Holder(rel, data))
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
