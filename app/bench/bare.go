package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/index/chunk/treesitter"
	"searchmcp/engine/index/embed"
	"searchmcp/engine/lang"
)

// The app and ONNX Runtime alone compute vectors in alternating runs, because the speed of a machine varies from
// minute to minute.
const (
	turns      = 5                // runs of each
	turnTime   = 10 * time.Second // duration of a run of the app
	fewSamples = 512              // texts in a run of ONNX Runtime alone
	everyFile  = 7                // one file in everyFile is split into chunks for these texts
)

// bareTexts measures ONNX Runtime alone on texts of a project.
type bareTexts struct{ benchmark goBenchmark }

// newBareTexts draws the same inputs of the embedding model from dir in every run, and compiles the benchmark.
func (p *process) newBareTexts(ctx context.Context, dir string) (*bareTexts, error) {
	texts, err := sampleTexts(ctx, dir)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(texts)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(p.data, "texts.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return nil, err
	}
	b := &bareTexts{goBenchmark{pkg: "./engine/index/embed/onnx", bench: "^BenchmarkTexts$", time: "2x",
		args:    []string{"-texts", file},
		figures: map[string]string{"BenchmarkTexts bare-texts/s": "bare", "BenchmarkTexts tokens/text": "tokens"}}}
	_, _, err = b.run(ctx)
	return b, err
}

// run embeds the texts and returns the texts per second and the mean tokens per text.
func (b *bareTexts) run(ctx context.Context) (rate, tokens float64, err error) {
	s := samples{}
	if err := s.goBenchmark(ctx, b.benchmark); err != nil {
		return 0, 0, err
	}
	if len(s["bare"]) == 0 || len(s["tokens"]) == 0 {
		return 0, 0, errors.New("run benchmark of ONNX Runtime: no rate in its output")
	}
	return s["bare"][0], s["tokens"][0], nil
}

// sampleTexts splits some of a project's files into chunks and draws fewSamples of them.
func sampleTexts(ctx context.Context, dir string) (texts []string, err error) {
	cutter := chunk.New(chunk.NewTrees(treesitter.Parse))
	random, seen, files := rand.New(rand.NewPCG(5, 6)), 0, 0
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !chunk.HasGrammar(lang.OfFile(name, nil)) {
			return err
		}
		if files++; files%everyFile != 0 {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		path, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		chunks, _, err := cutter.Chunk(ctx, filepath.ToSlash(path), api.CorpusCode, data, hex.EncodeToString(sum[:]))
		if err != nil {
			return err
		}
		for _, c := range chunks {
			if seen++; len(texts) < fewSamples {
				texts = append(texts, embed.Input(c))
			} else if i := random.IntN(seen); i < fewSamples { // reservoir sampling
				texts[i] = embed.Input(c)
			}
		}
		return nil
	})
	return texts, err
}

// goTexts writes 256 parts of Go's source, as the model sees them, to a temporary file, and returns its name.
func goTexts(ctx context.Context) (string, error) {
	const most, size = 256, 1500
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "src")
	var texts []string
	for _, dir := range []string{"net/http", "go/types", "encoding/json", "os", "database/sql"} {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil {
			return "", err
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			for part := range slices.Chunk(data, size) {
				texts = append(texts, embed.Input(api.Chunk{Path: dir + "/" + filepath.Base(file), Text: string(part)}))
			}
		}
	}
	if len(texts) < most {
		return "", fmt.Errorf("only %d texts in %s", len(texts), root)
	}
	data, err := json.Marshal(texts[:most])
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp("", "texts-*.json")
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	return f.Name(), errors.Join(err, f.Close())
}

// alternate measures the vectors per second of the app and, while indexing is paused, of ONNX Runtime alone, in turn.
// It returns the duration of the pauses.
func (p *process) alternate(ctx context.Context, a *assistant, key string, bare *bareTexts) (time.Duration, error) {
	var paused time.Duration
	for range turns {
		rate, more, err := a.rate(ctx)
		if err != nil || !more {
			return paused, err
		}
		from := time.Now()
		if err := a.command("pause"); err != nil {
			return 0, err
		}
		alone, tokens, err := bare.run(ctx)
		if err := errors.Join(err, a.command("resume")); err != nil {
			return 0, err
		}
		paused += time.Since(from)
		p.emit(key+"rate", rate)
		p.emit(key+"bare", alone)
		p.emit(key+"of", 100*rate/alone)
		p.emit(key+"tokens", rate*tokens)
	}
	return paused, nil
}

// rate measures the app's vectors per second during turnTime. It counts from the end of one batch to the end of
// another. more is false if the app finishes earlier.
func (a *assistant) rate(ctx context.Context) (rate float64, more bool, err error) {
	var first, last progress
	var from, to time.Time
	err = a.until(ctx, func(s progress) bool {
		now := time.Now()
		switch {
		case last.Vectors == 0: // the current batch began before the measurement
			last = s
		case s.Vectors == last.Vectors:
		case from.IsZero():
			first, last, from = s, s, now
		default:
			last, to = s, now
		}
		more = s.Status != "ready"
		return !more || to.Sub(from) >= turnTime
	})
	return float64(last.Vectors-first.Vectors) / to.Sub(from).Seconds(), more, err
}
