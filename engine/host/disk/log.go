package disk

import (
	"io"
	"os"
	"sync"

	"gopkg.in/natefinch/lumberjack.v2"
)

// Log opens a log file, which is rotated and keeps three old files. It first removes a link or pipe at path, because a
// write would follow the link or block on the pipe.
func Log(path string, megabytes int) io.WriteCloser {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		_ = os.Remove(path)
	}
	l, _ := logs.LoadOrStore(path, &lumberjack.Logger{Filename: path, MaxSize: megabytes, MaxBackups: 3})
	return l.(io.WriteCloser)
}

// logs maps a path to its logger. Log reuses loggers, because lumberjack never ends the goroutine of a closed logger.
var logs sync.Map
