package ipc

// Program returns the names of the process pid and of its parent, which is usually an editor.
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
