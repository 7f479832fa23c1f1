package policy

import (
	"runtime"
	"slices"
	"strings"
)

// denyRule is a pattern of RFC 5.2's deny list. It matches one component of a path.
type denyRule struct {
	pattern string
	dir     bool // matches only folders
	always  bool // ignores case on every system
}

// denyNames contains the rules without "*" by name, and denyStars contains the other rules.
var denyNames, denyStars = denyTable()

func denyTable() (map[string]denyRule, []denyRule) {
	names, stars := map[string]denyRule{}, []denyRule(nil)
	add := func(always bool, patterns ...string) {
		for _, p := range patterns {
			r := denyRule{always: always}
			if r.pattern, r.dir = strings.CutSuffix(p, "/"); strings.Contains(p, "*") {
				stars = append(stars, r)
			} else {
				names[lower(r.pattern)] = r
			}
		}
	}
	add(false, "node_modules/", "jspm_packages/", "bower_components/", "vendor/", ".venv/", "venv/")
	add(true, ".git", ".hg/", ".svn/") // .git is a file in worktrees and submodules
	add(false, "dist/", "build/", "out/", "target/", "__pycache__/", ".next/", ".nuxt/")
	add(true, ".env", ".env.*", "*.pem", "*.key", "*.p12", "*.pfx")
	add(false, "*.log", "*.lock", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "Gemfile.lock", "poetry.lock")
	add(false, ".idea/", ".vscode/", ".DS_Store", "*.swp", "*.swo")
	add(false, "coverage/", ".nyc_output/", ".pytest_cache/")
	return names, stars
}

// matches compares name with a pattern that contains one "*".
func (r denyRule) matches(name string) bool {
	prefix, suffix, _ := strings.Cut(r.pattern, "*")
	return len(name) >= len(prefix)+len(suffix) && strings.HasPrefix(name, prefix) && strings.HasSuffix(name, suffix)
}

func deniedName(name string, dir, fold bool) bool {
	name = skeleton(name)
	folded := lower(name)
	if r, ok := denyNames[folded]; ok && (dir || !r.dir) && (fold || r.always || name == r.pattern) {
		return true
	}
	return slices.ContainsFunc(denyStars, func(r denyRule) bool {
		return (r.matches(name) || (fold || r.always) && r.matches(folded)) && (dir || !r.dir)
	})
}

const foldsByDefault = runtime.GOOS == "windows" || runtime.GOOS == "darwin"
