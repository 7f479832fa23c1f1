// Command reference writes docs/reference from the code: tools, configuration, settings, commands and files, so that the
// pages can't say anything else than the programs do. It owns the wording around the tables and the table of files, which a
// test compares with a data folder that was used. It starts no goroutine.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	out := flag.String("o", "docs/reference", "folder to write to")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}

func run(folder string) error {
	pages, err := pages()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("make folder of the reference: %w", err)
	}
	for name, text := range pages {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return fmt.Errorf("write reference: %w", err)
		}
	}
	return nil
}

// pages are the files of the reference by name.
func pages() (map[string]string, error) {
	tools, err := toolsPage()
	if err != nil {
		return nil, err
	}
	return map[string]string{
		"tools.md": tools, "configuration.md": configurationPage(), "settings.md": settingsPage(),
		"commands.md": commandsPage(), "files.md": filesPage(),
	}, nil
}

// generated stands at the top of each page.
const generated = "<!-- Written by `make reference` from the code; changes belong there. -->\n\n"
