package ipc

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

func process(pid int) (name string, parent int) {
	path, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	if err != nil {
		return "", 0
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return filepath.Base(path), 0
	}
	// The name in parentheses may contain any character. The last parenthesis is followed by the state and the parent's
	// PID.
	if fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]); len(fields) >= 2 {
		parent, _ = strconv.Atoi(string(fields[1]))
	}
	return filepath.Base(path), parent
}
