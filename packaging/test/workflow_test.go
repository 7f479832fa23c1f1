package test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestWorkflows checks that each step of the workflows runs a make target. make lint-release checks their syntax.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", ".github", "workflows", "*.yml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("workflows: %v, %v", files, err)
	}
	known := map[string]bool{}
	for _, name := range []string{"Makefile", filepath.Join("packaging", "package.mk")} {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		check(t, err)
		for _, m := range regexp.MustCompile(`(?m)^([a-z][a-z-]*):`).FindAllStringSubmatch(string(text), -1) {
			known[m[1]] = true
		}
	}
	run := regexp.MustCompile(`(?m)^\s*(?:- )?run: *(.*)$`)
	target := regexp.MustCompile(`^(?:sudo --preserve-env )?make ([a-z-]+)(?: >> "\$GITHUB_ENV")?$`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(t, err)
		steps := 0
		for _, m := range run.FindAllStringSubmatch(string(text), -1) {
			if strings.HasPrefix(m[1], "{") { // skip default values
				continue
			}
			steps++
			found := target.FindStringSubmatch(m[1])
			if found == nil || !known[found[1]] {
				t.Errorf("%s runs %q, which is no make target", filepath.Base(file), m[1])
			}
		}
		if steps == 0 {
			t.Errorf("%s runs nothing", filepath.Base(file))
		}
	}
}

func TestScripts(t *testing.T) {
	need(t, "shellcheck")
	must(t, nil, "sh", "-c", "shellcheck packaging/*.sh packaging/*/*.sh packaging/*/*/*.sh")
}
