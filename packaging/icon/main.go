// Command icon draws the icons of the application and of the tray. The application's is a magnifying glass over three lines of text,
// one of them found; the tray's is a glass whose lens shows one of five states. It knows nobody and starts no goroutine.
package main

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"

	"searchmcp/packaging/command"
)

func main() {
	out := flag.String("o", "", "file to write the application's icon to")
	theme := flag.String("theme", "", "folder of an icon theme (freedesktop.org's) to write every size to, as <size>x<size>/apps/<name>.png")
	ico := flag.String("ico", "", "file to write every size up to 256 to, as an icon of Windows")
	tray := flag.String("tray", "", "folder to write the tray's icons to")
	name := flag.String("name", "io.searchmcp.app", "with -theme: the icon's name")
	flag.Parse()
	command.Main("icon", func(context.Context) error { return run(*out, *theme, *ico, *tray, *name) })
}

// run writes what is asked for; "" is not.
func run(out, theme, ico, tray, name string) error {
	if out != "" {
		if err := write(out, largest, appAt); err != nil {
			return err
		}
	}
	if theme != "" {
		for _, size := range sizes {
			if err := write(filepath.Join(theme, fmt.Sprintf("%dx%d", size, size), "apps", name+".png"), size, appAt); err != nil {
				return err
			}
		}
	}
	if ico != "" {
		if err := writeICO(ico); err != nil {
			return err
		}
	}
	if tray != "" {
		return writeTray(tray)
	}
	return nil
}
