package disk

import (
	"io"
	"os"
	"sync"

	"gopkg.in/natefinch/lumberjack.v2"
)

// Log opens the log at path, which is rotated and keeps three old files. If path isn't a regular file, Log removes it,
// because writing would follow a link or block on a pipe.
func Log(path string, megabytes int) io.WriteCloser {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		_ = os.Remove(path) // an error cannot be logged yet
	}
	l, _ := logs.LoadOrStore(path, &lumberjack.Logger{Filename: path, MaxSize: megabytes, MaxBackups: 3})
	return l.(io.WriteCloser)
}

// logs contains the loggers by path. They are reused, because their goroutines continue after Close.
var logs sync.Map
