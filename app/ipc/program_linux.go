package ipc

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// Program names the program of a process and, because a bridge speaks for whoever started it, that of its parent.
func Program(pid int) string {
	name := program(pid)
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return name
	}
	// The name in brackets may hold anything; the state and the parent follow the last bracket.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return name
	}
	parent, err := strconv.Atoi(string(fields[1]))
	if err != nil || parent <= 1 {
		return name
	}
	return name + ", started by " + program(parent)
}

func program(pid int) string {
	path, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	if err != nil {
		return "an unknown program"
	}
	return filepath.Base(path)
}
