// Command issues measures search_code on texts of real issues and commits. It searches for each text at the commit
// before its fix. The lines that the fix changed are the right answers. BM25 over declarations is the baseline.
//
// Issues are read from -records, and fixes, whose commit messages are the queries, from -pool. A hash divides the
// records into halves. The second half is held out and used only with -held-out. Repositories are bare clones or
// mirrors in -repos, named OWNER+NAME/repo.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"
)

// Record is a text with the lines that its fix changed.
type Record struct {
	Repo     string     `json:"url_repo"`
	Issue    any        `json:"issue"`
	Base     string     `json:"base"` // the commit to search
	Fix      string     `json:"fix"`
	Query    string     `json:"query"`
	Relevant []Relevant `json:"relevant"`
	Wording  string     `json:"wording"` // "as written", "restated" or "commit"
}

// Relevant is a file that the fix changed.
type Relevant struct {
	Path  string   `json:"path"`
	Hunks [][2]int `json:"hunks"` // first and last line of each changed range
}

func (r Record) id() string { return fmt.Sprint(r.Repo, "#", r.Issue, r.Wording) }

// heldOut reports whether a record is in the held-out half.
func (r Record) heldOut() bool { return sha256.Sum256([]byte(r.id()))[0]&1 == 1 }

var (
	records = flag.String("records", "../shared/data/issues/dev_uncapped.json", "files with records, separated by commas")
	pool    = flag.String("pool", "../shared/data/issues/pool.json", "file with fixes by repository")
	repos   = flag.String("repos", "../repositories", "folder with the repositories")
	cached  = flag.String("cache", os.TempDir()+"/search-issues", "folder for chunks and vectors")
	commits = flag.Int("commits", 24, "number of commit messages per repository")
	heldOut = flag.Bool("held-out", false, "use only the held-out half")
	only    = flag.String("only", "", "use only this wording: as written, restated or commit")
	verbose = flag.String("v", "", "print the answers to records whose ID contains this text")
	useOnnx = flag.Bool("model", false, "also search with the model's vectors")
	lexical = flag.Bool("words", false, "search by words only")
	dump    = flag.Bool("dump", false, "print a line for each record")
	byRepo  = flag.Bool("by-repo", false, "print figures for each repository")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	list, err := load()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(*cached, 0o700); err != nil {
		return fmt.Errorf("create cache folder: %w", err)
	}
	table := scores{}
	var p *project
	defer func() {
		if p != nil {
			p.close()
		}
	}()
	for _, r := range list {
		if r.heldOut() != *heldOut || *only != "" && r.Wording != *only {
			continue
		}
		if p == nil || p.repo != r.Repo {
			if p != nil {
				p.close()
			}
			if p, err = open(ctx, r.Repo); err != nil {
				return err
			}
		}
		if err := p.checkout(ctx, r.Base); err != nil {
			return fmt.Errorf("%s: %w", r.id(), err)
		}
		for _, m := range methods() {
			a, err := p.ask(ctx, r.Query, m)
			if err != nil {
				return fmt.Errorf("%s: %w", r.id(), err)
			}
			table.add(string(m), r, a)
		}
		table.add("BM25", r, p.baseline(r.Query))
	}
	table.print()
	return nil
}

// method is the kind of vectors that a search uses.
type method string

const (
	byWords method = "words"
	byQuick method = "quick vectors"
	byModel method = "model"
)

func methods() []method {
	switch {
	case *lexical:
		return []method{byWords}
	case *useOnnx:
		return []method{byQuick, byModel}
	}
	return []method{byQuick}
}

// load reads the records and sorts them by repository.
func load() ([]Record, error) {
	var list []Record
	for name := range strings.SplitSeq(*records, ",") {
		raw, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read records: %w", err)
		}
		var some []Record
		if err := json.Unmarshal(raw, &some); err != nil {
			return nil, fmt.Errorf("read records %s: %w", name, err)
		}
		list = append(list, some...)
	}
	raw, err := os.ReadFile(*pool)
	if err != nil {
		return nil, fmt.Errorf("read fixes: %w", err)
	}
	var fixes map[string]map[string]Record
	if err := json.Unmarshal(raw, &fixes); err != nil {
		return nil, fmt.Errorf("read fixes: %w", err)
	}
	for repo, all := range fixes {
		some := make([]Record, 0, len(all))
		for issue, r := range all {
			r.Repo, r.Issue, r.Wording = repo, issue, "commit"
			some = append(some, r)
		}
		hash := func(r Record) string { h := sha256.Sum256([]byte(r.id())); return hex.EncodeToString(h[:]) }
		slices.SortFunc(some, func(a, b Record) int { return strings.Compare(hash(a), hash(b)) })
		for _, r := range some[:min(len(some), *commits)] {
			message, err := git(repo, "log", "-1", "--format=%B", r.Fix)
			if err != nil {
				return nil, err
			}
			r.Query = strings.TrimSpace(message)
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b Record) int { return strings.Compare(a.Repo, b.Repo) })
	return list, nil
}
