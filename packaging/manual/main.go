// Command manual writes the manual pages and shell completions of search-mcp.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"searchmcp/app/cli"
	"searchmcp/packaging/command"
)

func main() {
	out := flag.String("o", "", "folder to write to: the share/ of a prefix")
	version := flag.String("version", "", "version for the pages' footer")
	flag.Parse()
	command.Main("manual", func(context.Context) error { return run(*out, *version) })
}

func run(share, version string) error {
	if share == "" {
		return errors.New("-o is missing")
	}
	date, err := command.Date()
	if err != nil {
		return err
	}
	root := cli.Command()
	root.DisableAutoGenTag = true // omit cobra's footer, which contains the date
	pages := filepath.Join(share, "man", "man1")
	if err := os.MkdirAll(pages, 0o755); err != nil {
		return fmt.Errorf("create folder of pages: %w", err)
	}
	header := &doc.GenManHeader{Section: "1", Date: &date, Source: "Search MCP " + version, Manual: "Search MCP"}
	if err := doc.GenManTree(root, header, pages); err != nil {
		return fmt.Errorf("write pages: %w", err)
	}
	return completions(root, share)
}

// completions writes each shell's completions to its usual path below share.
func completions(root *cobra.Command, share string) error {
	const name = "search-mcp"
	for _, shell := range []struct {
		file  string
		write func(path string) error
	}{
		{"bash-completion/completions/" + name, func(path string) error { return root.GenBashCompletionFileV2(path, true) }},
		{"zsh/site-functions/_" + name, root.GenZshCompletionFile},
		{"fish/vendor_completions.d/" + name + ".fish",
			func(path string) error { return root.GenFishCompletionFile(path, true) }},
	} {
		path := filepath.Join(share, filepath.FromSlash(shell.file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("create folder of completions: %w", err)
		}
		if err := shell.write(path); err != nil {
			return fmt.Errorf("write completion %s: %w", shell.file, err)
		}
	}
	return nil
}
