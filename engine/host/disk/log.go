package disk

import (
	"io"
	"os"
	"sync"

	"gopkg.in/natefinch/lumberjack.v2"
)

// Log returns a rolling log of three files. It removes path if it is a link or a pipe, which writing would follow or
// block on.
func Log(path string, megabytes int) io.WriteCloser {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		_ = os.Remove(path) // an error could not be logged
	}
	l, _ := logs.LoadOrStore(path, &lumberjack.Logger{Filename: path, MaxSize: megabytes, MaxBackups: 3})
	return l.(io.WriteCloser)
}

// logs contains all opened logs by path, because the goroutine of each survives Close.
var logs sync.Map
