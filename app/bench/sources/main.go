// Command sources measures searches in sources other than projects: sites, document folders, archives and named
// indexes. It asks a hundred questions about the Cargo book and the Rust reference, which rustup installs. It
// compares them with Fuse.js and Pagefind (sites), tantivy and Whoosh (named indexes) and Recoll (archives), which
// `make bench-sources` installs in bench-out/rivals. It prints the mean reciprocal rank of the page with the answer
// (MRR@10) and the times of the searches.
package main

import (
	"context"
	_ "embed" // the questions
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"searchmcp/engine"
	"searchmcp/engine/api"
	"searchmcp/engine/host/worker/workertest"
	"searchmcp/packaging/command"
)

//go:embed questions.tsv
var questions string

type question struct{ text, page string } // page answers the question

// shown is the number of results that are evaluated.
const shown = 10

func main() {
	workertest.Run() // without a worker, pages would be read as plain text
	flag.Parse()
	command.Main("bench sources", run)
}

func run(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, "rustc", "--print", "sysroot").Output()
	if err != nil {
		return fmt.Errorf("find manuals: %w", err)
	}
	work, err := os.MkdirTemp("", "search-mcp-sources-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	b := bench{work: work, site: filepath.Join(work, "manuals"), index: filepath.Join(work, "index.json")}
	for line := range strings.SplitSeq(strings.TrimSpace(questions), "\n") {
		text, page, _ := strings.Cut(line, "\t")
		b.questions = append(b.questions, question{text, page})
	}
	if err := b.copyPages(filepath.Join(strings.TrimSpace(string(out)), "share/doc/rust/html")); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(work, "questions.tsv"), []byte(questions), 0o600); err != nil {
		return err
	}
	fmt.Printf(
		"%d questions, %d pages, %s on %d cores\n\n| source | MRR@10 | first | median ms | worst ms |\n"+
			"| --- | --- | --- | --- | --- |\n",
		len(b.questions), b.pages, runtime.Version(), runtime.NumCPU())
	if err := b.ours(ctx); err != nil {
		return err
	}
	return b.others(ctx)
}

type bench struct {
	work, site, index string
	questions         []question
	pages             int
}

// copyPages copies the pages of the two manuals, without tables of contents and pages that contain a whole manual.
func (b *bench) copyPages(corpus string) error {
	for _, manual := range []string{"cargo", "reference"} {
		root := filepath.Join(corpus, manual)
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".html" || slices.Contains([]string{"print.html", "toc.html",
				"CHANGELOG.html", "404.html"}, d.Name()) {
				return err
			}
			rel, err := filepath.Rel(corpus, path)
			if err != nil {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			to := filepath.Join(b.site, rel)
			b.pages++
			return command.Write(to, data)
		})
		if err != nil {
			return fmt.Errorf("copy %s: %w", manual, err)
		}
	}
	return nil
}

func (b *bench) ours(ctx context.Context) error {
	e, err := engine.Open(ctx, engine.Options{Data: filepath.Join(b.work, "data"),
		Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		return err
	}
	defer func() { _ = e.Close(context.WithoutCancel(ctx)) }() // its folder is removed
	if _, err := e.BuildSite(ctx, api.SiteBuild{Dir: b.site, Out: b.index, Domain: "manuals.example"}); err != nil {
		return err
	}
	added, err := e.AddSite(ctx, api.SiteLocation{URL: b.index}, "")
	if err != nil {
		return err
	}
	err = b.ask("site, ours", func(q string) (paths []string, err error) {
		found, _, err := e.SearchSite(ctx, added.Tool, q, shown)
		for _, p := range found {
			paths = append(paths, strings.TrimPrefix(p.URL, "https://manuals.example/"))
		}
		return paths, err
	})
	folders := []api.DocumentFolder{{Root: b.site}}
	address := regexp.MustCompile(`docs://([^#\s]+)`)
	err = errors.Join(err, b.ask("documents, ours", func(q string) (paths []string, err error) {
		text, _, err := e.SearchDocuments(ctx, folders, api.DocumentQuery{Text: q, In: "both", Limit: shown})
		for _, m := range address.FindAllStringSubmatch(text, -1) {
			paths = append(paths, m[1])
		}
		return paths, err
	}))
	db, _ := e.Archive("", "")
	if _, err := e.ImportArchive(ctx, db, b.site, false, nil); err != nil {
		return err
	}
	err = errors.Join(err, b.ask("archive, ours", func(q string) (paths []string, err error) {
		a, err := e.SearchArchive(ctx, db, api.ArchiveQuery{Text: q, Fuzzy: true, Limit: shown})
		if err != nil {
			return nil, err
		}
		for _, r := range a.Results {
			paths = append(paths, strings.TrimPrefix(r.Document.Path, "manuals/"))
		}
		return paths, nil
	}))
	data, rerr := os.ReadFile(b.index)
	var index struct {
		Pages []struct{ URL, Title, Body string }
	}
	if err := errors.Join(err, rerr, json.Unmarshal(data, &index)); err != nil {
		return err
	}
	for _, p := range index.Pages {
		if _, _, err := e.NamedAdd("default", strings.TrimPrefix(p.URL, "/"), p.Title+"\n\n"+p.Body, nil); err != nil {
			return err
		}
	}
	return b.ask("named index, ours", func(q string) (paths []string, err error) {
		a, err := e.NamedSearch("default", q, shown)
		for _, r := range a.Results {
			paths = append(paths, r.DocID)
		}
		return paths, err
	})
}

// ask measures a search for every question, in a second round after a warm-up round.
func (b *bench) ask(name string, search func(q string) ([]string, error)) error {
	var answers []answer
	for range 2 {
		answers = nil
		for _, q := range b.questions {
			began := time.Now()
			paths, err := search(q.text)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", name, q.text, err)
			}
			answers = append(answers, answer{paths, float64(time.Since(began).Microseconds()) / 1000})
		}
	}
	b.print(name, answers)
	return nil
}

// answer is the result of a search. The other programs print it as a line of JSON.
type answer struct {
	Paths  []string `json:"paths"`
	Millis float64  `json:"ms"`
}

func (b *bench) print(name string, answers []answer) {
	mrr, first := 0.0, 0
	times := make([]float64, 0, len(answers))
	for i, a := range answers {
		times = append(times, a.Millis)
		for rank, path := range a.Paths[:min(shown, len(a.Paths))] {
			if path == b.questions[i].page {
				mrr += 1 / float64(rank+1)
				if rank == 0 {
					first++
				}
				break
			}
		}
	}
	slices.Sort(times)
	fmt.Printf("| %s | %.3f | %d | %.1f | %.1f |\n", name, mrr/float64(len(answers)), first, times[len(times)/2],
		times[len(times)-1])
}

// others measures the other programs with scripts in bench-out/rivals. It reports programs that are not installed.
func (b *bench) others(ctx context.Context) error {
	rivals, err := filepath.Abs("bench-out/rivals") // contains node_modules and the virtual environment v
	if err != nil {
		return err
	}
	for _, r := range []struct {
		name string
		args []string
	}{
		{"site, Fuse.js", []string{"node", "fuse.mjs"}}, {"site, Pagefind", []string{"node", "pagefind.mjs"}},
		{"named index, tantivy", []string{filepath.Join(rivals, "v/bin/python"), "indexes.py", "tantivy"}},
		{"named index, Whoosh", []string{filepath.Join(rivals, "v/bin/python"), "indexes.py", "whoosh"}},
		{"archive, Recoll", []string{filepath.Join(rivals, "v/bin/python"), "recoll.py"}},
	} {
		r.args[1] = filepath.Join(rivals, r.args[1])
		cmd := exec.CommandContext(ctx, r.args[0], append(r.args[1:], b.work)...)
		cmd.Dir, cmd.Stderr = rivals, os.Stderr
		out, err := cmd.Output()
		if err != nil {
			fmt.Printf("| %s | not measured: %v | | | |\n", r.name, err)
			continue
		}
		var answers []answer
		for line := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n") {
			var a answer
			if err := json.Unmarshal([]byte(line), &a); err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			answers = append(answers, a)
		}
		if len(answers) != len(b.questions) {
			return fmt.Errorf("%s: %d answers to %d questions", r.name, len(answers), len(b.questions))
		}
		b.print(r.name, answers)
	}
	return nil
}
