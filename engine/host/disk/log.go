package disk

import (
	"io"
	"os"
	"sync"

	"gopkg.in/natefinch/lumberjack.v2"
)

// Log is a rolling log of files of some megabytes, three of which are kept. What is no file in its place, such as a
// link to another file or a pipe, is neither followed nor waited for: it makes room.
func Log(path string, megabytes int) io.WriteCloser {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		_ = os.Remove(path) // else what is there fails to be written, and there is no log yet to say so
	}
	l, _ := logs.LoadOrStore(path, &lumberjack.Logger{Filename: path, MaxSize: megabytes, MaxBackups: 3})
	return l.(io.WriteCloser)
}

// logs are the ones made so far by path. Each has a goroutine that outlives its Close, after which a write opens it
// again: a project that is deleted and indexed again and again gets the same one.
var logs sync.Map
