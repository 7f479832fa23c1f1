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

// baselineRounds is how often the baselines are asked each question.
const baselineRounds = 5

// measureLexical fills bare bleve and SQLite FTS5 with the project's files and asks them what the product is asked.
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

// measureScan answers the questions by ripgrep, which reads the whole project for each.
func measureScan(ctx context.Context, p *process) error {
	for round := range baselineRounds + 1 {
		for _, q := range questions {
			began := time.Now()
			_, err := baseline.Ripgrep(ctx, p.project, q)
			if errors.Is(err, baseline.ErrNoRipgrep) {
				fmt.Fprintln(os.Stderr, "bench: no baseline of scans:", err)
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
