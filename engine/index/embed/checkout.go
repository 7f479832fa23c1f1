//go:build !release

package embed

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// sourceTrees returns the checkout that the executable is in, and the one that a program of go test or go run was
// compiled from. Any other program that was moved must not find there what its package lacks.
func sourceTrees() []string {
	_, file, _, _ := runtime.Caller(0)
	return treesOf(executableDir(), file)
}

// treesOf is sourceTrees for the folder of an executable and this file at compile time.
func treesOf(dir, file string) []string {
	starts := []string{dir}
	if filepath.IsAbs(file) && strings.Contains(dir, string(filepath.Separator)+"go-build") {
		starts = append(starts, filepath.Dir(file))
	}
	var roots []string
	for _, start := range starts {
		if root := moduleRoot(start); filepath.IsAbs(root) {
			roots = append(roots, root)
		}
	}
	return roots
}

// moduleRoot is the nearest folder from dir upwards whose go.mod is this module's, "" if there is none.
func moduleRoot(dir string) string {
	for {
		if mod, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil && strings.HasPrefix(string(mod),
			"module searchmcp\n") {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
