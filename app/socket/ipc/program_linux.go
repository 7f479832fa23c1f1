package ipc

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// process is the file name of a process's executable and the process that started it; "" and 0 where that is not known.
func process(pid int) (name string, parent int) {
	path, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	if err != nil {
		return "", 0
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return filepath.Base(path), 0
	}
	// The name in brackets may hold anything; the state and the parent follow the last bracket.
	if fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]); len(fields) >= 2 {
		parent, _ = strconv.Atoi(string(fields[1]))
	}
	return filepath.Base(path), parent
}
