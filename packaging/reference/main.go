// Command reference generates docs/reference from the code. It contains the text around the tables and the table of
// files, which a test compares with a used data folder.
package main

import (
	"context"
	"flag"
	"path/filepath"

	"searchmcp/packaging/command"
)

func main() {
	out := flag.String("o", "docs/reference", "folder to write to")
	flag.Parse()
	command.Main("reference", func(context.Context) error { return run(*out) })
}

func run(folder string) error {
	for name, text := range pages() {
		if err := command.Write(filepath.Join(folder, name), []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

func pages() map[string]string {
	return map[string]string{
		"tools.md": toolsPage(), "configuration.md": configurationPage(), "settings.md": settingsPage(),
		"commands.md": commandsPage(), "files.md": filesPage(),
	}
}

const generated = "<!-- Written by `make reference` from the code; changes belong there. -->\n\n"
