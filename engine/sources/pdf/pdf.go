// Package pdf extracts the text of PDF files with poppler's program pdftotext, if it is installed. The program runs
// without the app's environment, and with limits on memory, time and output.
//
// It must not depend on how documents are used. It starts no goroutine.
package pdf

import (
	"bytes"
	"context"
	"errors"
	"html"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"searchmcp/engine/host/native"
)

type Document struct {
	Title string
	Date  string // YYYY-MM-DD, or ""
	Text  string
}

// The reasons why no text was extracted. A report shows them after the file's name.
var (
	ErrNotInstalled = errors.New("reading PDF requires pdftotext, which is not installed (package poppler-utils)")
	ErrTooLong      = errors.New("reading it exceeds the limits of time, memory or text")
	ErrUnreadable   = errors.New("pdftotext can't read it: it is damaged or has a password")
	ErrNoText       = errors.New("it has no text, only pictures")
)

// Limits for one file. A book of a thousand pages takes a few seconds and 100 MB.
const (
	maxTime   = 30 * time.Second
	maxMemory = 768 << 20
	maxText   = 24 << 20
)

// program returns the path of pdftotext. It does not search PATH, which may contain a project's folder.
var program = func() (string, error) {
	places := []string{"/usr/bin/pdftotext", "/usr/local/bin/pdftotext", "/run/current-system/sw/bin/pdftotext",
		"/home/linuxbrew/.linuxbrew/bin/pdftotext", "/usr/pkg/bin/pdftotext"}
	switch runtime.GOOS {
	case "darwin":
		places = []string{"/opt/homebrew/bin/pdftotext", "/usr/local/bin/pdftotext", "/opt/local/bin/pdftotext"}
	case "windows":
		places = []string{filepath.Join(os.Getenv("ProgramFiles"), "poppler", "Library", "bin", "pdftotext.exe"),
			filepath.Join(os.Getenv("ProgramFiles"), "poppler", "bin", "pdftotext.exe")}
	}
	for _, path := range places {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	return "", ErrNotInstalled
}

var (
	titleOf = regexp.MustCompile(`(?s)<title>(.*?)</title>`)
	dateOf  = regexp.MustCompile(`<meta name="CreationDate" content="(\d{4}-\d\d-\d\d)`)
)

func Read(ctx context.Context, data []byte) (d Document, err error) {
	path, err := program()
	if err != nil {
		return d, err
	}
	limited, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	cmd := exec.CommandContext(limited, path, "-q", "-htmlmeta", "-enc", "UTF-8", "-nopgbrk", "-", "-")
	cmd.Stdin, cmd.Dir, cmd.Env = bytes.NewReader(data), native.TempDir(), []string{"LC_ALL=C"}
	if root := os.Getenv("SystemRoot"); root != "" { // required for starting programs on Windows
		cmd.Env = append(cmd.Env, "SystemRoot="+root)
	}
	var page string
	err = native.Run(limited, cmd, native.Limits{Memory: maxMemory, Apart: true}, func(out io.Reader) error {
		text, err := io.ReadAll(io.LimitReader(out, maxText+1))
		if page = string(text); err == nil && len(text) > maxText {
			return ErrTooLong
		}
		return err
	})
	var died *native.CrashError
	switch {
	case ctx.Err() != nil:
		return d, context.Cause(ctx)
	case limited.Err() != nil, errors.Is(err, ErrTooLong), errors.As(err, &died) && died.Memory:
		return d, ErrTooLong
	case err != nil:
		return d, ErrUnreadable
	}
	head, text, found := strings.Cut(page, "<pre>\n")
	if !found {
		return d, ErrUnreadable
	}
	text, _, _ = strings.Cut(text, "</pre>")
	if m := titleOf.FindStringSubmatch(head); m != nil {
		d.Title = strings.TrimSpace(html.UnescapeString(m[1]))
	}
	if m := dateOf.FindStringSubmatch(head); m != nil {
		d.Date = m[1]
	}
	if d.Text = html.UnescapeString(text); strings.TrimSpace(d.Text) == "" {
		return d, ErrNoText
	}
	return d, nil
}
