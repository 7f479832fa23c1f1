// Command generate makes the benchmark's questions that nobody writes: change requests out of public changelogs, the
// lines that commits changed, and bare names of types. What it writes is committed and pinned, so that measuring
// doesn't need it.
//
//	go run ./app/bench/quality/generate [-cache DIR] [-out DIR] [-project NAME] changes|lines|symbols
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"searchmcp/app/bench/quality"
)

func main() {
	var cache, out, only string
	flag.StringVar(&cache, "cache", "", "folder for releases; default: searchmcp/quality in the user's cache")
	flag.StringVar(&out, "out", "app/bench/quality/testdata", "folder for the questions")
	flag.StringVar(&only, "project", "", "only these projects")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, cache, out, only, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, cache, out, only, what string) error {
	if cache == "" {
		var err error
		if cache, err = quality.DefaultCache(); err != nil {
			return err
		}
	}
	switch what {
	case "lines":
		return writeLines(ctx, cache, out, only)
	case "symbols":
		return writeSymbols(ctx, cache, filepath.Join(out, "symbols"), only)
	case "changes":
		var errs []error
		for _, s := range sources {
			if only == "" || slices.Contains(strings.Fields(only), s.name) {
				if err := s.write(ctx, cache, filepath.Join(out, "changes")); err != nil {
					errs = append(errs, fmt.Errorf("%s: %w", s.name, err))
				}
			}
		}
		return errors.Join(errs...)
	}
	return fmt.Errorf("generate what: changes, lines or symbols, not %q", what)
}
