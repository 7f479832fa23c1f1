package memory

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// evictCode takes the clean pages of the program and its libraries out of this process's memory; no library is ever
// unloaded. Other mapped files are left alone: their mapping may end at any time, and the address be somebody else's
// by then.
func evictCode() error { return drop(nil) }

// EvictFiles takes the pages of files that are mapped shared and for reading out of this process's memory; they stay
// in the system's cache. paths are absolute, without symbolic links. The caller makes sure that none of the files
// is unmapped meanwhile. It takes less than a millisecond: no page of such a mapping can differ from the file, so none
// has to be looked at.
func EvictFiles(paths map[string]bool) error { return drop(paths) }

// drop takes clean pages of files out of this process's memory, or of all that has code in it. The linker writes its
// relocations into some parts of a library before it makes them read-only; what has pages of its own, in memory or
// swapped out, is not clean.
func drop(paths map[string]bool) error {
	list := "/proc/self/smaps"
	if paths != nil {
		list = "/proc/self/maps"
	}
	f, err := os.Open(list)
	if err != nil {
		return fmt.Errorf("list mapped files: %w", err)
	}
	defer f.Close() // only read
	var start, end uintptr
	var path string
	var anonymous bool
	code, clean := map[string]bool{}, map[string][][2]uintptr{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), " ")
		switch fields := strings.SplitN(value, " ", 5); { // proc(5): range, mode, offset, device, inode, path
		case !strings.HasSuffix(name, ":") && len(fields) == 5:
			_, _ = fmt.Sscanf(name, "%x-%x", &start, &end)
			if path = strings.TrimLeft(fields[4], " "); paths == nil && strings.Contains(fields[0], "x") {
				code[path] = strings.HasPrefix(path, "/")
			}
			if paths != nil && paths[path] && fields[0][1] != 'w' && fields[0][3] == 's' {
				clean[path] = append(clean[path], [2]uintptr{start, end})
			}
			if fields[0][1] == 'w' {
				path = ""
			}
		case name == "Anonymous:":
			anonymous = strings.TrimSpace(value) != "0 kB"
		case name == "Swap:" && path != "" && !anonymous && strings.TrimSpace(value) == "0 kB":
			clean[path] = append(clean[path], [2]uintptr{start, end})
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("list mapped files: %w", err)
	}
	for path, ranges := range clean {
		for _, at := range ranges {
			if !code[path] && paths == nil {
				continue
			}
			_, _, errno := unix.Syscall(unix.SYS_MADVISE, at[0], at[1]-at[0], unix.MADV_DONTNEED)
			// Unmapped meanwhile, or locked into memory by the system's policy: nothing to give back.
			if errno != 0 && !errors.Is(errno, unix.ENOMEM) && !errors.Is(errno, unix.EINVAL) {
				return fmt.Errorf("give back pages of %s: %w", path, errno)
			}
		}
	}
	return nil
}
