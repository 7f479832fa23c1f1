//go:build !release

package embed

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// sourceTrees are the checkouts that this program certainly belongs to: the one its executable lies in, and the one it
// was compiled from (a release is built with -trimpath and knows none). Not the one around the working directory, which
// is a stranger's project.
func sourceTrees() []string {
	var starts []string
	if exe := executableDir(); exe != "" {
		starts = append(starts, exe)
	}
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) {
		starts = append(starts, filepath.Dir(file))
	}
	var roots []string
	for _, dir := range starts {
		if root := moduleRoot(dir); root != "" {
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
