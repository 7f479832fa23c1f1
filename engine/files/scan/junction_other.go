//go:build !windows

package scan

// throughJunctions returns path, because only Windows has links that EvalSymlinks ignores.
func throughJunctions(path string) (string, error) { return path, nil }
