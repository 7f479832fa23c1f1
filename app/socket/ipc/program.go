package ipc

// Program returns the names of the process with the given pid and of its parent, because a bridge acts for its parent.
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
