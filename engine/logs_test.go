package engine

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
)

func TestLogs(t *testing.T) {
	e := &Engine{opt: Options{Data: t.TempDir()}}
	if lines, err := e.Logs("", 0, ""); err != nil || len(lines) != 0 {
		t.Errorf("without a log: %q, %v", lines, err)
	}
	long := "level=INFO msg=" + strings.Repeat("x", logTail)
	write(t, filepath.Join(e.opt.Data, logsDir, "app.log"),
		long+"\r\nlevel=WARN msg=a\n\nlevel=ERROR msg=b\nlevel=INFO msg=c\n")
	for _, test := range []struct {
		lines int
		level string
		want  []string
	}{
		{0, "", []string{"level=WARN msg=a", "level=ERROR msg=b", "level=INFO msg=c"}},
		{0, "warn", []string{"level=WARN msg=a", "level=ERROR msg=b"}}, {1, "Warn", []string{"level=ERROR msg=b"}},
	} {
		if got, err := e.Logs("", test.lines, test.level); err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%d of level %s: %q, %v; want %q", test.lines, test.level, got, err, test.want)
		}
	}
	if _, err := e.Logs("", 0, "loud"); api.CodeOf(err) != api.InvalidArgument {
		t.Error(err)
	}
}
