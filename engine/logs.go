package engine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/host/disk"
)

const (
	defaultLogLines = 200
	maxLogLines     = 5000
	logTail         = 2 << 20
)

// Log opens the app's log. Its maximum size of 4 MB suffices for about a month.
func Log(data string) io.WriteCloser { return disk.Log(appLog(data), 4) }

func appLog(data string) string { return filepath.Join(data, logsDir, "app.log") }

// Logs returns the last lines of the log of the project at root. If root is "", it reads the app's log. With the level
// "warn", it omits lines of the levels "debug" and "info".
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
	levels := []string{"level=DEBUG", "level=INFO", "level=WARN", "level=ERROR"} // in slog's text format
	least := slices.Index(levels, "level="+strings.ToUpper(level))
	if level != "" && least < 0 {
		return nil, api.ErrArgument("level", "debug, info, warn or error")
	}
	wanted := func(line string) bool {
		return level == "" || slices.ContainsFunc(levels[least:], func(l string) bool { return strings.Contains(line, l) })
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

// tail returns the last n bytes of the file at path, beginning at the start of a line.
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
