package disk

import (
	"io"
	"os"
	"sync"

	"gopkg.in/natefinch/lumberjack.v2"
)

// Log returns a rolling log that keeps three files of the given size. Anything but a file at path, such as a link or
// a pipe, is removed, so that it is not followed or blocked on.
func Log(path string, megabytes int) io.WriteCloser {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		_ = os.Remove(path) // a failed write could not be logged
	}
	l, _ := logs.LoadOrStore(path, &lumberjack.Logger{Filename: path, MaxSize: megabytes, MaxBackups: 3})
	return l.(io.WriteCloser)
}

// logs contains the logs so far by path. Each has a goroutine that survives Close, after which a write opens the log
// again. So a project that is deleted and indexed repeatedly gets the same one.
var logs sync.Map
