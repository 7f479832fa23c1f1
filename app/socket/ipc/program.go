package ipc

// Program names the program of a process, as the kernel knows it, and that of its parent, because a bridge speaks for
// whoever started it.
func Program(pid int) string {
	name, parent := process(pid)
	if name == "" {
		return "an unknown program"
	}
	if by, _ := process(parent); by != "" && parent > 1 {
		name += ", started by " + by
	}
	return name
}
