package project

import "testing"

func TestPriority(t *testing.T) {
	best := []string{"README.md", "docs/guide.md", "pkg/server.go", "pkg/server_test.go", "data/rows.csv"}
	for i := 1; i < len(best); i++ {
		if vectorPriority(best[i-1]) <= vectorPriority(best[i]) {
			t.Errorf("the vectors of %s are not made before those of %s", best[i-1], best[i])
		}
	}
	for _, p := range []string{"test/run.go", "src/__tests__/a.js", "a.spec.ts", "test_a.py"} {
		if vectorPriority(p) != vectorPriority("a_test.go") {
			t.Errorf("%s does not count as a test", p)
		}
	}
}
