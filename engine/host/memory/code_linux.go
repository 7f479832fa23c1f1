package memory

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// mapping is a range of addresses that a file is mapped to (proc(5), smaps).
type mapping struct {
	start, end uintptr
	perms      string
	path       string
	resident   int // KB
	anonymous  int // KB of pages that differ from the file
}

// clean reports whether every page of a mapping can be read from its file again: nobody may write to it, and nobody
// has. The linker writes its relocations into some parts of a library before it makes them read-only; those are not
// clean.
func (m mapping) clean() bool {
	return len(m.perms) > 1 && m.perms[1] == '-' && m.resident > 0 && m.anonymous == 0
}

// dropCode takes the clean pages of the program and its libraries out of this process's memory. Other mapped files
// are left alone: their mapping may end at any time, and the address be somebody else's by then. Code stays where
// it is; the two native libraries are never unloaded.
func dropCode() error {
	all, err := mappings("/proc/self/smaps")
	if err != nil {
		return err
	}
	code := map[string]bool{} // files of which some part may be run
	for _, m := range all {
		if strings.HasPrefix(m.path, "/") && strings.Contains(m.perms, "x") {
			code[m.path] = true
		}
	}
	for _, m := range all {
		if code[m.path] && m.clean() {
			if err := m.drop(); err != nil {
				return err
			}
		}
	}
	return nil
}

// DropFiles takes the pages of files that are mapped shared and for reading out of this process's memory; they stay
// in the system's cache. paths are absolute, without symbolic links. The caller makes sure that none of the files
// is unmapped meanwhile. It is cheap enough to be called ten times a second: of such a mapping no page can differ
// from the file, so none has to be looked at.
func DropFiles(paths map[string]bool) error {
	all, err := mappings("/proc/self/maps")
	if err != nil {
		return err
	}
	for _, m := range all {
		if paths[m.path] && m.shared() {
			if err := m.drop(); err != nil {
				return err
			}
		}
	}
	return nil
}

// shared reports whether a mapping shows a file as it is, and nobody may write to it.
func (m mapping) shared() bool { return len(m.perms) > 3 && m.perms[1] == '-' && m.perms[3] == 's' }

func (m mapping) drop() error {
	_, _, errno := unix.Syscall(unix.SYS_MADVISE, m.start, m.end-m.start, unix.MADV_DONTNEED)
	// Unmapped meanwhile, or locked into memory by the system's policy: nothing to give back.
	if errno != 0 && !errors.Is(errno, unix.ENOMEM) && !errors.Is(errno, unix.EINVAL) {
		return fmt.Errorf("give back pages of %s: %w", m.path, errno)
	}
	return nil
}

// mappings lists what is mapped into this process: by smaps with how much of it is in memory, which the system has
// to count, or by maps without.
func mappings(list string) ([]mapping, error) {
	f, err := os.Open(list)
	if err != nil {
		return nil, fmt.Errorf("list mapped files: %w", err)
	}
	defer f.Close()
	var all []mapping
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := lines.Text()
		if m, ok := parseMapping(line); ok {
			all = append(all, m)
			continue
		}
		if len(all) == 0 {
			continue
		}
		m := &all[len(all)-1]
		switch name, value, _ := strings.Cut(line, ":"); name {
		case "Rss":
			m.resident = kilobytes(value)
		case "Anonymous":
			m.anonymous = kilobytes(value)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("list mapped files: %w", err)
	}
	return all, nil
}

// parseMapping reads the first line of a mapping: "start-end perms offset device inode path".
func parseMapping(line string) (m mapping, ok bool) {
	fields := strings.SplitN(line, " ", 6)
	if len(fields) < 5 {
		return m, false
	}
	from, to, ok := strings.Cut(fields[0], "-")
	if !ok {
		return m, false
	}
	start, err1 := strconv.ParseUint(from, 16, 64)
	end, err2 := strconv.ParseUint(to, 16, 64)
	if err1 != nil || err2 != nil {
		return m, false
	}
	m = mapping{start: uintptr(start), end: uintptr(end), perms: fields[1]}
	if len(fields) == 6 {
		m.path = strings.TrimLeft(fields[5], " ")
	}
	return m, true
}

// kilobytes reads "  123 kB".
func kilobytes(s string) int {
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(s), " kB"))
	if err != nil {
		return 0
	}
	return n
}
