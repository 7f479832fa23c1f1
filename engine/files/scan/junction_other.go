//go:build !windows

package scan

// throughJunctions: only Windows has links that EvalSymlinks does not see.
func throughJunctions(path string) (string, error) { return path, nil }
