//go:build !release

package embed

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// sourceTrees returns the checkout that contains the executable, and the checkout from which go test or go run compiled
// it. A path compiled into other programs may be out of date.
func sourceTrees() []string {
	_, file, _, _ := runtime.Caller(0)
	return treesOf(executableDir(), file)
}

// treesOf implements sourceTrees. dir is the folder of the executable, and file the path of this source file at compile
// time.
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

// moduleRoot returns the nearest folder from dir upwards with this module's go.mod, or "".
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
