package files

import "os"

// moveAside renames a file that cannot be used, so that nothing is lost and the next write does not meet it.
func moveAside(path string) error { return os.Rename(path, path+".bad") }
