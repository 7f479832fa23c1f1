package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"searchmcp/app/bench/quality"
	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/files/secret"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/index/chunk/treesitter"
	"searchmcp/engine/store/text"
)

// cost measures the processor time of indexing the projects' text with and without the search for secrets, in
// alternating runs.
func cost(ctx context.Context, roots []string) error {
	var with, without, shares []float64
	for turn := range turns + 1 {
		var took [2]time.Duration
		for n := range 2 {
			look := (n + turn) % 2
			d, err := indexText(ctx, roots, look == 1)
			if err != nil {
				return err
			}
			took[look] = d
		}
		if turn == 0 {
			continue // warm-up
		}
		without, with = append(without, took[0].Seconds()), append(with, took[1].Seconds())
		shares = append(shares, 100*(took[1].Seconds()/took[0].Seconds()-1))
	}
	fmt.Printf("\nprocessor time of indexing the projects' text: %.2f s without and %.2f s with the search for secrets, "+
		"%+.1f %% (%+.1f to %+.1f, n = %d, alternating runs)\n",
		quality.Quantile(without, 0.5), quality.Quantile(with, 0.5), quality.Quantile(shares, 0.5), slices.Min(shares),
		slices.Max(shares), turns)
	return nil
}

func indexText(ctx context.Context, roots []string, look bool) (time.Duration, error) {
	dir, err := os.MkdirTemp("", "bench-secrets-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	began := processorTime()
	for i, root := range roots {
		if err := indexProject(ctx, root, filepath.Join(dir, fmt.Sprint(i)), look); err != nil {
			return 0, err
		}
	}
	return processorTime() - began, nil
}

func indexProject(ctx context.Context, root, dir string, look bool) error {
	pol, err := policy.New(root, api.DefaultConfig())
	if err != nil {
		return err
	}
	cutter := chunk.New(chunk.NewTrees(treesitter.Parse))
	var rows []api.Chunk
	if _, err := scan.Walk(ctx, pol, func(f scan.File) error {
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f.Path)))
		if err != nil || slices.Contains(data[:min(len(data), 8192)], 0) {
			return err
		}
		if look {
			if secret.StoreKind(f.Path, data) != "" {
				return nil
			}
			r, err := secret.Redact(f.Path, data)
			if err != nil {
				return nil
			}
			data = r.Data
		}
		chunks, _, err := cutter.Chunk(ctx, f.Path, f.Corpus, data, scan.Hash(data))
		rows = append(rows, chunks...)
		return err
	}); err != nil {
		return err
	}
	x, err := text.Open(ctx, dir)
	if err != nil {
		return err
	}
	if err := x.Apply(ctx, text.Change{Rows: rows}); err != nil {
		return err
	}
	return x.Close()
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
