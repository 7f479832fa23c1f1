//go:build !release

package embed

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// sourceTrees returns the roots of the checkouts that contain the executable or, under go test and go run, this source
// file.
func sourceTrees() []string {
	_, file, _, _ := runtime.Caller(0)
	return treesOf(executableDir(), file)
}

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
