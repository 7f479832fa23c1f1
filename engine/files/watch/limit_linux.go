package watch

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

const (
	// suggestedWatches is the limit of some distributions. A watch takes about 1 KB of kernel memory.
	suggestedWatches = 524288
	// suggestedInstances is enough for hundreds of projects.
	suggestedInstances = 1024
)

func limitAdvice(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return sysctlAdvice("inotify watches", "fs.inotify.max_user_watches", suggestedWatches)
	case errors.Is(err, syscall.EMFILE):
		return sysctlAdvice("inotify instances", "fs.inotify.max_user_instances", suggestedInstances)
	case errors.Is(err, syscall.ENFILE):
		return "the system's limit on open files (fs.file-max) is reached"
	default:
		return "the system has no memory left for them"
	}
}

func sysctlAdvice(what, key string, enough int) string {
	now := sysctl(key)
	if now == 0 {
		return fmt.Sprintf("the system's limit on %s is reached; to lift it: sudo sysctl %s=%d", what, key, enough)
	}
	for enough <= now {
		enough *= 2
	}
	return fmt.Sprintf("the system's limit of %d %s is reached; to lift it: sudo sysctl %s=%d", now, what, key, enough)
}

func sysctl(key string) int {
	data, _ := os.ReadFile("/proc/sys/" + strings.ReplaceAll(key, ".", "/"))
	n, _ := strconv.Atoi(strings.TrimSpace(string(data))) // 0 if unknown
	return n
}
