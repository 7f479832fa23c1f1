package files

// quarantine renames a file that cannot be parsed, so that the next write does not destroy it.
func quarantine(path string) error { return Rename(path, path+".bad") }
