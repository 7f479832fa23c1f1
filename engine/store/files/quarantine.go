package files

import "os"

// quarantine renames a file that cannot be parsed, so that the next write does not destroy it.
func quarantine(path string) error { return os.Rename(path, path+".bad") }
