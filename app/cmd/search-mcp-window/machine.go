package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"

	"searchmcp/app/client"
	"searchmcp/app/connect"
	"searchmcp/ui"
)

// machine is the desktop that the window runs on.
type machine struct{ data string }

var _ ui.Desktop = (*machine)(nil)

// editors that can be told a line, in the order in which they are looked for.
var editors = []struct {
	program string
	args    func(path string, line int) []string
}{
	{"cursor", gotoArgs}, {"windsurf", gotoArgs}, {"code", gotoArgs}, {"codium", gotoArgs}, {"code-insiders", gotoArgs},
	{"zed", colonArgs}, {"zeditor", colonArgs}, {"subl", colonArgs},
	{"idea", lineArgs}, {"goland", lineArgs}, {"pycharm", lineArgs}, {"webstorm", lineArgs}, {"rustrover", lineArgs}, {"clion", lineArgs},
	{"kate", func(path string, line int) []string { return []string{"-l", strconv.Itoa(line), path} }},
	{"gvim", plusArgs}, {"gedit", plusArgs},
}

func gotoArgs(path string, line int) []string {
	return []string{"--goto", path + ":" + strconv.Itoa(line)}
}
func colonArgs(path string, line int) []string { return []string{path + ":" + strconv.Itoa(line)} }
func lineArgs(path string, line int) []string {
	return []string{"--line", strconv.Itoa(line), path}
}
func plusArgs(path string, line int) []string { return []string{"+" + strconv.Itoa(line), path} }

// OpenFile opens a file in the first editor that is found, else as the desktop opens it.
func (*machine) OpenFile(path string, line int) error {
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("open file: %w", err)
	}
	for _, e := range editors {
		if program, err := exec.LookPath(e.program); err == nil {
			return start(program, e.args(path, max(1, line))...)
		}
	}
	return openByDesktop(path)
}

// Reveal shows a file in the file manager, chosen where the desktop can do that.
func (*machine) Reveal(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("show file: %w", err)
	}
	switch runtime.GOOS {
	case "windows":
		return start("explorer", "/select,"+path)
	case "darwin":
		return start("open", "-R", path)
	}
	if !info.IsDir() {
		path = filepath.Dir(path)
	}
	return openByDesktop(path)
}

func openByDesktop(path string) error {
	switch runtime.GOOS {
	case "windows":
		return start("explorer", path)
	case "darwin":
		return start("open", path)
	}
	return start("xdg-open", path)
}

// start starts a program and lets it go; the system takes its end after this one's.
func start(program string, args ...string) error {
	cmd := exec.Command(program, args...)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", filepath.Base(program), err)
	}
	if err := cmd.Process.Release(); err != nil {
		return fmt.Errorf("start %s: %w", filepath.Base(program), err)
	}
	return nil
}

// OpenPage opens an address in the browser. It comes from a signed feed, and all the same nothing but a page is opened.
func (*machine) OpenPage(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("open page: %q is no https address", address)
	}
	return openByDesktop(u.String())
}

// Recent are folders that editors opened last.
func (*machine) Recent(ctx context.Context) []ui.Recent {
	var list []ui.Recent
	for _, f := range connect.Recent(ctx) {
		list = append(list, ui.Recent{Dir: f.Dir, Editor: f.Editor})
	}
	return list
}

// sibling is the path of a program beside this one.
func sibling(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	self, err := os.Executable()
	if err != nil {
		return name
	}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		self = real
	}
	return filepath.Join(filepath.Dir(self), name)
}

// Start starts the app if it does not run.
func (m *machine) Start(ctx context.Context) error {
	conn, err := (&client.Launcher{}).Dial(ctx, m.data)
	if err != nil {
		return err
	}
	return conn.Close()
}
