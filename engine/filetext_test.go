package engine

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"searchmcp/engine/api"
)

func TestFileText(t *testing.T) {
	t.Parallel()
	e := open(t, t.TempDir())
	var long strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&long, "line %d\r\n", i+1)
	}
	root := tree(t, map[string]string{
		"long.txt": long.String(), "short.go": "package desk\n\n// " + strings.Repeat("é", 1500) + "\n",
		"config.go": "package desk\n\nconst key = \"AKIA" + "Z7Q3NWX2TLPE5RUV\"\n", ".env": "A=1\n",
	})
	create(t, e, root)
	for _, test := range []struct {
		path        string
		line        int
		first, last int
	}{{"long.txt", 1500, 1450, 1549}, {"long.txt", 1, 1, 100}, {"long.txt", 3000, 2901, 3000},
		{"long.txt", 9999, 2901, 3000},
		{"long.txt", -5, 1, 100}, {"short.go", 2, 1, 3}} {
		f, err := e.FileText(t.Context(), root, test.path, test.line, 100)
		lines := strings.Split(f.Text, "\n")
		if err != nil || f.First != test.first || f.First+len(lines)-1 != test.last {
			t.Errorf("%s:%d: lines %d to %d, %v", test.path, test.line, f.First, f.First+len(lines)-1, err)
		}
		if test.path == "long.txt" && lines[0] != fmt.Sprintf("line %d", test.first) {
			t.Errorf("%s:%d begins with %q", test.path, test.line, lines[0])
		}
	}
	if f, _ := e.FileText(t.Context(), root, "short.go", 1, 9); len(f.Text) > 2100 || !strings.HasSuffix(f.Text, "é…") {
		t.Errorf("a long line is shown as %d bytes", len(f.Text))
	}
	if f, err := e.FileText(t.Context(), root, "config.go", 1, 9); err != nil || strings.Contains(f.Text,
		"Z7Q3NWX2TLPE5RUV") {
		t.Errorf("a secret is shown: %q, %v", f.Text, err)
	}
	for _, path := range []string{".env", "../x", "gone.go", "", "/etc/passwd"} {
		var shown *api.Error
		if f, err := e.FileText(t.Context(), root, path, 1, 9); !errors.As(err, &shown) || shown.Code != api.FileNotFound {
			t.Errorf("%q: %q, %v", path, f.Text, err)
		}
	}
}
