package engine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/host/disk"
)

// Logs are read from their end; a log file is at most 2 MB, and a person reads a few hundred lines of it.
const (
	defaultLogLines = 200
	maxLogLines     = 5000
	logTail         = 2 << 20
)

// Log is the app's own log in a data folder: 4 MB a file, a month of ordinary use.
func Log(data string) io.WriteCloser { return disk.Log(appLog(data), 4) }

func appLog(data string) string { return filepath.Join(data, logsDir, "app.log") }

// Logs returns the last lines of a project's log, of the app's own for "". level leaves out what is less grave.
func (e *Engine) Logs(root string, lines int, level string) ([]string, error) {
	path := appLog(e.opt.Data)
	if root != "" {
		var err error
		if path, err = e.Registry.LogFile(root); err != nil {
			return nil, err
		}
	}
	if lines <= 0 {
		lines = defaultLogLines
	}
	wanted, err := levels(level)
	if err != nil {
		return nil, err
	}
	text, err := tail(path, logTail)
	if errors.Is(err, fs.ErrNotExist) {
		return []string{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read log: %w", err)
	}
	out := []string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\r\n")
		if line != "" && wanted(line) {
			out = append(out, line)
		}
	}
	return out[max(0, len(out)-min(lines, maxLogLines)):], nil
}

// levels returns a test for slog's text form, which writes level=INFO.
func levels(name string) (func(line string) bool, error) {
	order := []string{"DEBUG", "INFO", "WARN", "ERROR"}
	if name == "" {
		return func(string) bool { return true }, nil
	}
	for i, l := range order {
		if strings.EqualFold(l, name) {
			return func(line string) bool {
				for _, l := range order[i:] {
					if strings.Contains(line, "level="+l) {
						return true
					}
				}
				return false
			}, nil
		}
	}
	return nil, api.ErrArgument("level", "debug, info, warn or error")
}

// tail reads at most n bytes from the end of a file, from the first whole line on.
func tail(path string, n int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	from := max(0, info.Size()-n)
	text, err := io.ReadAll(io.NewSectionReader(f, from, n))
	if err != nil {
		return nil, err
	}
	if from > 0 {
		if _, rest, ok := bytes.Cut(text, []byte("\n")); ok {
			text = rest
		}
	}
	return text, nil
}
