package settings

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/sources"
	"searchmcp/engine/store/files"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestSettings(t *testing.T) {
	var changes []bool
	dir := t.TempDir()
	s, problems, err := Open(dir, slog.New(slog.DiscardHandler), func(paused bool) { changes = append(changes, paused) })
	must(t, err)
	if len(problems) > 0 {
		t.Error(problems)
	}
	if s.Paused() || s.Threads() != 0 || s.CacheBytes() != 1<<30 || s.NamedBytes() != sources.DefaultNamedBytes ||
		s.ModelIdle() != time.Minute || len(s.Folders()) > 0 || s.On(Light) {
		t.Errorf("defaults: %v", s.All())
	}
	for _, k := range Known() {
		if k.Valid != nil && !k.Valid(k.Default) {
			t.Errorf("the default of %s is invalid", k.Key)
		}
	}
	folder, other := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	must(t, s.Set(map[string]any{Folders: folder + "\n\n " + other + " \n", Threads: 3}))
	if got := s.Folders(); !slices.Equal(got, []string{folder, other}) || s.Threads() != 3 {
		t.Errorf("%q, %d threads", got, s.Threads())
	}
	must(t, s.Set(map[string]any{Paused: true}))
	must(t, s.SetFolders(nil))
	for _, change := range []map[string]any{{Folders: "relative"}, {Threads: 1.5}, {"thread": 1}, {Light: "yes"}} {
		if err := s.Set(change); api.CodeOf(err) != api.InvalidArgument {
			t.Errorf("%v: %v", change, err)
		}
	}
	if want := []bool{false, true, false}; !slices.Equal(changes, want) {
		t.Errorf("notified %v, want %v", changes, want)
	}
}

// If the settings can't be read, indexing is paused, because the user may have paused it.
func TestUnreadableSettings(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, files.SettingsName), []byte("{"), 0o600))
	s, problems, err := Open(dir, slog.New(slog.DiscardHandler), func(bool) { t.Error("notified") })
	must(t, err)
	if !s.Paused() || len(problems) != 1 {
		t.Errorf("paused %v, problems %q", s.Paused(), problems)
	}
}
