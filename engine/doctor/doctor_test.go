package doctor

import (
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"searchmcp/engine/api"
	"searchmcp/engine/host/worker"
	"searchmcp/engine/project"
)

func TestExamine(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the folder's access list is not changed by Chmod")
	}
	t.Setenv(worker.ProgramEnv, "none")
	d := Doctor{
		Data: filepath.Join(t.TempDir(), "data"), Log: slog.New(slog.DiscardHandler),
		Problems: func() []api.Error {
			return []api.Error{*api.New(api.ConfigInvalid, "The setting threads must be a number.", "threads", nil)}
		},
		Unread:   func() []string { return []string{"deep.md"} },
		Projects: project.NewRegistry(t.Context(), project.Options{}),
	}
	findings := func(subject string) (out []api.Finding) {
		for _, f := range d.Examine(t.Context(), "") {
			if f.Subject == subject {
				out = append(out, f)
			}
		}
		return out
	}
	for _, tc := range []struct {
		mode os.FileMode
		ok   bool
		text string
	}{{0o700, true, "readable only by you"}, {0o755, false, "Other users can read"}} {
		must(t, os.MkdirAll(d.Data, 0o700))
		must(t, os.Chmod(d.Data, tc.mode))
		if f := findings("data folder"); len(f) == 0 || f[0].OK != tc.ok || !strings.Contains(f[0].Text, tc.text) {
			t.Errorf("%o: %+v", tc.mode, f)
		}
	}
	if f := findings("worker"); len(f) != 1 || f[0].OK || !strings.Contains(f[0].Detail, "not absolute") {
		t.Errorf("worker: %+v", f)
	}
	if f := findings("app"); len(f) != 1 || f[0].Remedy != remedies[api.ConfigInvalid] {
		t.Errorf("problems: %+v", f)
	}
	for _, subject := range []string{"git", "model", "ONNX Runtime", "disk", "documents", "projects"} {
		if f := findings(subject); len(f) != 1 {
			t.Errorf("%s: %+v", subject, f)
		}
	}
	must(t, os.RemoveAll(d.Data))
	if f := findings("data folder"); !slices.ContainsFunc(f, func(f api.Finding) bool { return !f.OK }) {
		t.Errorf("without a data folder: %+v", f)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
