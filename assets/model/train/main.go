// Command train writes what train.py trains the embedding model on: the chunks of packages and the questions to them,
// as the model reads them.
//
//	go run ./assets/model/train -folders FILE -out DIR
//
// FILE names where each package of the questions was unpacked: package, tab, folder. Chunks are cut, clipped and taken
// apart into tokens by the product's own code, so that training sees what indexing shows the model. Packages that FILE
// does not name are left out, and counted.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"searchmcp/assets/model"
	"searchmcp/engine/api"
	"searchmcp/engine/chunk"
	"searchmcp/engine/chunk/treesitter"
	"searchmcp/engine/embed"
	"searchmcp/engine/embed/wordpiece"
	"searchmcp/engine/policy"
	"searchmcp/engine/scan"
	"searchmcp/engine/search"
)

// Chunks of a package that are written: those with questions, the outlines of their files, and others by chance, among
// which the ones that are mistaken for an answer are found.
const maxChunks, chunksPerQuestion = 120, 15

func main() {
	log.SetFlags(0)
	log.SetPrefix("train: ")
	folders := flag.String("folders", "", "file with a package and its folder a line (required)")
	questions := flag.String("questions", "assets/model/train/questions.tsv", "the questions")
	out := flag.String("out", "build/train", "folder to write to")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *folders, *questions, *out); err != nil {
		log.Fatal(err)
	}
}

// question is a line of questions.tsv or more.tsv: up to four questions to the chunk that begins at a line of a file.
type question struct {
	path  string
	line  int
	texts []string
}

// record is a package as train.py reads it, a JSON object a line.
type record struct {
	Package string `json:"package"`
	// Chunks are token ids, File numbers the file of each; Outline marks the rows that stand for a whole file.
	Chunks  [][]int32 `json:"chunks"`
	File    []int     `json:"file"`
	Outline []bool    `json:"outline"`
	// Questions are token ids, Answer the index of each one's chunk.
	Questions [][]int32 `json:"questions"`
	Answer    []int     `json:"answer"`
}

func run(ctx context.Context, folders, questions, out string) error {
	where, err := readFolders(folders)
	if err != nil {
		return err
	}
	asked, err := readQuestions(questions)
	if err != nil {
		return err
	}
	vocabulary, err := wordpiece.NewVocabulary(model.Vocab())
	if err != nil {
		return err
	}
	cutter := chunk.New(chunk.NewTrees(treesitter.Language))
	var names []string
	for name := range asked {
		if where[name] != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	records := make([]record, len(names))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		g.Go(func() error {
			r := reader{cutter: cutter, encoder: wordpiece.NewEncoder(vocabulary)}
			if err := r.read(ctx, where[name]); err != nil {
				return fmt.Errorf("read %s: %w", name, err)
			}
			records[i] = r.record(name, asked[name])
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	total := 0
	for _, r := range records {
		total += len(r.Questions)
	}
	fmt.Printf("%d packages of %d, %d questions\n", len(records), len(asked), total)
	return write(filepath.Join(out, "packages.jsonl"), records)
}

// readFolders reads where each package was unpacked.
func readFolders(file string) (map[string]string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for line := range strings.Lines(string(data)) {
		name, folder, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			return nil, fmt.Errorf("%s: line %q has no tab", file, line)
		}
		out[name] = folder
	}
	return out, nil
}

// readQuestions reads questions by package.
func readQuestions(file string) (map[string][]question, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	out := map[string][]question{}
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) < 4 || len(f) > 7 {
			return nil, fmt.Errorf("%s: line %q has %d fields", file, line, len(f))
		}
		at, err := strconv.Atoi(f[2])
		if err != nil {
			return nil, fmt.Errorf("%s: line %q: %w", file, line, err)
		}
		texts := slices.DeleteFunc(f[3:], func(s string) bool { return s == "" })
		out[f[0]] = append(out[f[0]], question{path: f[1], line: at, texts: texts})
	}
	return out, nil
}

// reader cuts a package's files of code.
type reader struct {
	cutter  *chunk.Chunker
	encoder *wordpiece.Encoder
	files   []string // paths, by number
	rows    []row
}

type row struct {
	file, line int
	ids        []int32
}

// tokens returns what the model reads of a text.
func (r *reader) tokens(text string) []int32 {
	return r.encoder.Encode(nil, string(embed.AppendSplit(nil, embed.Clip(text))), embed.TextTokens)
}

func (r *reader) read(ctx context.Context, root string) error {
	pol, err := policy.New(root, policy.RulesOf(api.DefaultConfig()))
	if err != nil {
		return err
	}
	_, err = scan.Walk(ctx, pol, func(f scan.File) error {
		if f.Corpus != api.CorpusCode || search.IsTest(f.Path) {
			return nil
		}
		data, _, reason, err := pol.Read(f.Path)
		if err != nil || reason != api.SkipNone {
			return err
		}
		chunks, _, err := r.cutter.Chunk(ctx, f.Path, f.Corpus, data, scan.Hash(data))
		if err != nil {
			return err
		}
		r.files = append(r.files, f.Path)
		for _, c := range chunks {
			r.rows = append(r.rows, row{len(r.files) - 1, c.StartLine, r.tokens(embed.Input(c))})
		}
		return nil
	})
	return err
}

// record chooses the chunks that are written. A question's chunk is the last that begins at or before its line.
func (r *reader) record(name string, asked []question) record {
	out := record{Package: name}
	number := map[int]int{} // of a row among those written
	put := func(i int) int {
		if n, ok := number[i]; ok {
			return n
		}
		number[i] = len(out.Chunks)
		out.Chunks = append(out.Chunks, r.rows[i].ids)
		out.File = append(out.File, r.rows[i].file)
		out.Outline = append(out.Outline, r.rows[i].line == 0)
		return number[i]
	}
	for _, q := range asked {
		answer, outline := -1, -1
		for i, row := range r.rows {
			switch {
			case r.files[row.file] != q.path:
			case row.line == 0:
				outline = i
			case row.line <= q.line:
				answer = i
			}
		}
		if answer < 0 {
			continue
		}
		n := put(answer)
		if outline >= 0 {
			put(outline)
		}
		for _, text := range q.texts {
			out.Questions = append(out.Questions, r.tokens(text))
			out.Answer = append(out.Answer, n)
		}
	}
	rng := rand.New(rand.NewPCG(1, uint64(len(name))))
	for _, i := range rng.Perm(len(r.rows)) {
		if len(out.Chunks) >= min(maxChunks, chunksPerQuestion*len(out.Questions)) {
			break
		}
		put(i)
	}
	return out
}

func write(file string, records []record) error {
	var b bytes.Buffer // 50 MB for all packages
	e := json.NewEncoder(&b)
	for _, r := range records {
		if err := e.Encode(r); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}
