package desktop

import (
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
)

// TestProgramsKeepTheirTemporaryFolder checks that programs started for the user get the temporary folder of the app's
// start.
func TestProgramsKeepTheirTemporaryFolder(t *testing.T) {
	t.Setenv("TMPDIR", "/before")
	t.Setenv("TMP", "")
	d := New("/data", 0, slog.New(slog.DiscardHandler))
	own := filepath.Join("/data", "tmp")
	got := d.environ([]string{"TMPDIR=" + own, "TMP=" + own, "TEMP=/other", "X=" + own})
	slices.Sort(got)
	if want := []string{"TEMP=/other", "TMPDIR=/before", "X=" + own}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
