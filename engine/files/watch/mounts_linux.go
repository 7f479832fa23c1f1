package watch

import (
	"fmt"
	"os"
	"strings"
)

// mountTable is the kernel's list of mounts. A process that polls this file is woken by changes
// (proc_pid_mountinfo(5)).
const mountTable = "/proc/self/mountinfo"

type mounts struct {
	changed chan struct{} // 1-buffered
	file    *os.File
	done    chan struct{}
}

func openMounts() (*mounts, error) {
	f, err := os.Open(mountTable)
	if err != nil {
		return nil, fmt.Errorf("open table of mounts: %w", err)
	}
	raw, err := f.SyscallConn()
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("open table of mounts: %w", err)
	}
	m := &mounts{changed: make(chan struct{}, 1), file: f, done: make(chan struct{})}
	go func() {
		defer close(m.done)
		for {
			// raw.Read calls the function, waits for a change of the file, and calls the function again.
			looked := false
			err := raw.Read(func(uintptr) bool {
				if looked {
					return true
				}
				looked = true
				wake(m.changed)
				return false
			})
			if err != nil {
				return
			}
		}
	}()
	return m, nil
}

func (m *mounts) close() {
	_ = m.file.Close() // read-only
	<-m.done
}

// mountsBelow returns the mounts at and below root as text, or "" if the table of mounts can't be read.
func mountsBelow(root string) string {
	data, err := os.ReadFile(mountTable)
	if err != nil {
		return ""
	}
	var list strings.Builder
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) < 5 {
			continue
		}
		point := unescapeMount.Replace(f[4])
		if point == root || strings.HasPrefix(point, strings.TrimSuffix(root, "/")+"/") {
			list.WriteString(f[0] + " " + f[2] + " " + f[4] + "\n")
		}
	}
	return list.String()
}

var unescapeMount = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
