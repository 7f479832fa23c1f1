// Command reference writes the tables of docs/reference from the code. It replaces each block of a page that begins
// with "<!-- NAME: written by make reference -->" and ends with "<!-- end -->".
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"searchmcp/packaging/command"
)

func main() {
	command.Main("reference", func(context.Context) error {
		pages, err := render("docs/reference")
		if err != nil {
			return err
		}
		for path, text := range pages {
			if err := command.Write(path, text); err != nil {
				return err
			}
		}
		return nil
	})
}

var block = regexp.MustCompile(`(?s)<!-- (\w+): written by make reference -->\n.*?<!-- end -->`)

var blocks = map[string]func() string{
	"commands": commandList, "configuration": configuration, "settings": appSettings, "tools": toolList,
}

// render returns the new pages of folder by path.
func render(folder string) (map[string][]byte, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.md"))
	if err != nil {
		return nil, err
	}
	pages, found := map[string][]byte{}, 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read page: %w", err)
		}
		pages[path] = block.ReplaceAllFunc(text, func(old []byte) []byte {
			name := string(block.FindSubmatch(old)[1])
			content := blocks[name]
			if content == nil {
				err = fmt.Errorf("%s: no block %q", path, name)
				return old
			}
			found++
			return fmt.Appendf(nil, "<!-- %s: written by make reference -->\n%s<!-- end -->", name, content())
		})
		if err != nil {
			return nil, err
		}
	}
	if found != len(blocks) {
		return nil, fmt.Errorf("%s: %d blocks instead of %d", folder, found, len(blocks))
	}
	return pages, nil
}
