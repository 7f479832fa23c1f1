package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"searchmcp/app/bench/baseline"
)

// baselineRounds is the number of times that a baseline searches for each query.
const baselineRounds = 5

// measureLexical indexes the project's files with bleve and SQLite FTS5 alone and searches for the product's queries.
func measureLexical(ctx context.Context, p *process) error {
	rows, files, text, err := baseline.Rows(p.project)
	if err != nil {
		return err
	}
	for name, open := range map[string]func() (baseline.Index, error){
		"bleve": func() (baseline.Index, error) { return baseline.Bleve(filepath.Join(p.data, "bleve")) },
		"fts5":  func() (baseline.Index, error) { return baseline.FTS5(ctx, filepath.Join(p.data, "fts5.db")) },
	} {
		x, err := open()
		if err != nil {
			return err
		}
		filled, asked, err := baseline.Measure(ctx, x, rows, questions, baselineRounds)
		if err := errors.Join(err, x.Close()); err != nil {
			return err
		}
		p.emit(name+".mb", float64(text)/1e6/filled.Seconds())
		p.emit(name+".files", float64(files)/filled.Seconds())
		for _, d := range asked {
			p.millis(name+".search", d)
		}
	}
	return nil
}

// measureScan searches for the queries with ripgrep, which reads all files for each query.
func measureScan(ctx context.Context, p *process) error {
	for round := range baselineRounds + 1 {
		for _, q := range questions {
			began := time.Now()
			_, err := baseline.Ripgrep(ctx, p.project, q)
			if errors.Is(err, baseline.ErrNoRipgrep) {
				fmt.Fprintln(os.Stderr, "bench: skip the ripgrep baseline:", err)
				return nil
			}
			if err != nil {
				return err
			}
			if round > 0 {
				p.millis("rg", time.Since(began))
			}
		}
	}
	return nil
}
