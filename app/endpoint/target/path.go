package target

import (
	"path/filepath"
	"strings"
)

// Within makes an absolute path or glob relative to the project whose folder it lies in, as the index has it:
// assistants know files by absolute paths. What is relative, and what lies elsewhere, comes back as it is. It only
// rewrites text: the engine's policy judges the result like any other path.
func Within(projects Projects, root, path string) string {
	if !filepath.IsAbs(path) {
		return path
	}
	p, found := projects.Lookup(root)
	if !found {
		return path
	}
	slashed := filepath.ToSlash(path)
	for _, r := range p.Roots {
		rest, inside := strings.CutPrefix(slashed, filepath.ToSlash(r.Path)+"/")
		switch {
		case !inside || rest == "":
		case r.Name == "":
			return rest
		default:
			return "@" + r.Name + "/" + rest
		}
	}
	return path
}
