package disk

import (
	"io"
	"os"
	"sync"

	"gopkg.in/natefinch/lumberjack.v2"
)

// Log returns a rolling log that keeps three files of the given size. If path is not a regular file, such as a link or
// a pipe, it is removed, because writing would follow the link or block.
func Log(path string, megabytes int) io.WriteCloser {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		_ = os.Remove(path) // an error could not be logged
	}
	l, _ := logs.LoadOrStore(path, &lumberjack.Logger{Filename: path, MaxSize: megabytes, MaxBackups: 3})
	return l.(io.WriteCloser)
}

// logs contains all opened logs by path. Each has a goroutine that survives Close, after which a write opens the log
// again. So a project that is deleted and indexed repeatedly always gets the same log.
var logs sync.Map
