package engine

import (
	"archive/tar"
	"bytes"
	"errors"
	"flag"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"

	"searchmcp/engine/api"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/project"
)

// makeFixture is the name of the version to make a fixture for (CONTRIBUTING.md, Versions).
var makeFixture = flag.String("fixture", "", "store a fixture of the data folder under this version's name")

// fixtures has an archive for each released format, and two of formats before the first release: legacy, and
// ids-in-names, whose rows have their chunks' IDs in their names.
const fixtures = "testdata/upgrades"

// placeholder replaces the project's folder in JSON, and homeless replaces its name.
const (
	placeholder = "@ROOT@"
	homeless    = "@PROJECT@"
	homeless16  = "@LEGACY@"
)

func TestMakeFixture(t *testing.T) {
	if *makeFixture == "" {
		t.Skip("only with -fixture")
	}
	data, root, dir := indexed(t)
	write(t, filepath.Join(data, "settings.json"), `{"threads": 3, "modelIdleMinutes": 15, "keptFromElsewhere": [1, 2]}`)
	write(t, filepath.Join(data, "config.json"), `{"maxFileSize": "2MB"}`)
	write(t, filepath.Join(dir, "config.json"),
		"{\n  // kept as it is\n  \"exclude\": [\"generated/**\"],\n  \"indexingStrategy\": \"lazy\",\n  \"unknown\": 1\n}\n")
	var out bytes.Buffer
	packed, err := xz.NewWriter(&out)
	must(t, err)
	w := tar.NewWriter(packed)
	for from, to := range map[string]string{data: "data", root: "project"} {
		must(t, filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
			rel, relErr := filepath.Rel(from, path)
			if err = errors.Join(err, relErr); err != nil || !d.Type().IsRegular() || strings.HasPrefix(rel, "logs") ||
				d.Name() == ".lock" {
				return err
			}
			text, err := os.ReadFile(path)
			if strings.HasSuffix(path, ".json") {
				text = bytes.ReplaceAll(text, []byte(root), []byte(placeholder))
			}
			name := strings.Replace(filepath.ToSlash(filepath.Join(to, rel)), filepath.Base(dir), homeless, 1)
			return errors.Join(err, w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(text))}),
				second(w.Write(text)))
		}))
	}
	must(t, errors.Join(w.Close(), packed.Close()))
	write(t, filepath.Join(fixtures, *makeFixture+".tar.xz"), out.String())
}

// unpack extracts a fixture for a new project folder.
func unpack(t *testing.T, name string) (data, root string) {
	t.Helper()
	data, root = t.TempDir(), tree(t, nil)
	f, err := os.Open(filepath.Join(fixtures, name+".tar.xz"))
	must(t, err)
	defer f.Close()
	packed, err := xz.NewReader(f)
	must(t, err)
	names := strings.NewReplacer(homeless, scan.ProjectID(root), homeless16, scan.LegacyID(root))
	for r := tar.NewReader(packed); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return data, root
		}
		must(t, err)
		text, err := io.ReadAll(r)
		must(t, err)
		top, rest, _ := strings.Cut(names.Replace(h.Name), "/")
		to := map[string]string{"data": data, "project": root}[top]
		if !filepath.IsLocal(rest) || to == "" {
			t.Fatalf("the fixture contains %s", h.Name)
		}
		if strings.HasSuffix(h.Name, ".json") {
			text = []byte(placed(string(text), root))
		}
		write(t, filepath.Join(to, rest), string(text))
	}
}

func placed(text, root string) string {
	return strings.ReplaceAll(text, placeholder, strings.ReplaceAll(root, `\`, `\\`))
}

// The data of each earlier version must be found, become true and answer.
func TestUpgrades(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob(filepath.Join(fixtures, "*.tar.xz"))
	if err != nil || len(archives) < 2 {
		t.Fatalf("fixtures: %v, %v", archives, err)
	}
	for _, archive := range archives {
		name := strings.TrimSuffix(filepath.Base(archive), ".tar.xz")
		t.Run(name, func(t *testing.T) {
			data, root := unpack(t, name)
			e := openOpt(t, data, nil)
			if list := e.Projects(); len(list) != 1 || list[0].Root() != root || list[0].State == api.StateError {
				t.Fatalf("projects %+v", list)
			}
			becomesTrue(t, e, root)
			if r := find(t, e, root, "give money back"); !strings.Contains(paths(r), "pay/") {
				t.Errorf("found %q", paths(r))
			}
			if got := e.Settings(); got["threads"] != float64(3) || got["modelIdleMinutes"] != float64(15) {
				t.Errorf("settings %v", got)
			}
			if c := e.Config(root); !slices.Equal(c.Exclude, []string{"generated/**"}) || c.IndexingStrategy != api.Lazy ||
				c.MaxFileSize != 2<<20 {
				t.Errorf("configuration %+v", c)
			}
			must(t, second(e.SetSettings(map[string]any{"threads": 2})))
			for file, keeps := range map[string]string{"settings.json": "keptFromElsewhere", filepath.Join("indexes",
				e.Projects()[0].ID, "config.json"): "// kept as it is"} {
				if text, err := os.ReadFile(filepath.Join(data, file)); err != nil || !strings.Contains(string(text), keeps) {
					t.Errorf("%s has lost its content: %v\n%s", file, err, text)
				}
			}
			// Vectors of another model are moved aside (RFC 3.1).
			if aside, err := filepath.Glob(filepath.Join(data, "indexes", "*", "*.bak")); err != nil ||
				len(aside) > 0 && name != "legacy" {
				t.Errorf("taken for damaged: %v, %v", aside, err)
			}
		})
	}
}

// An index of a future version must be rejected and remain unchanged.
func TestUnknownFormats(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, text string }{
		"our own format":    {"store.json", `{"format": 99, "model": "x", "chunker": "y"}`},
		"the RFC's version": {"metadata.json", `{"version": "2.0.0", "projectPath": "@ROOT@", "stats": {}, "docsStats": {}}`},
	} {
		t.Run(name, func(t *testing.T) {
			data, root := unpack(t, "0.1.0")
			dir := filepath.Join(data, project.Dir, scan.ProjectID(root))
			write(t, filepath.Join(dir, c.file), placed(c.text, root))
			before := contents(t, dir)
			e := openOpt(t, data, nil)
			p, err := e.Status(t.Context(), root)
			if err != nil || p.State != api.StateError || p.Problem == nil ||
				!strings.Contains(p.Problem.UserMessage, "newer version") {
				t.Errorf("status %+v, %v", p, err)
			}
			if _, err := e.Search(t.Context(), []string{root}, api.Query{Text: "money", Corpus: api.CorpusCode,
				TopK: 3}); api.CodeOf(err) != api.IndexCorrupt {
				t.Errorf("search: %v", err)
			}
			if list := e.Projects(); len(list) != 1 || list[0].State != api.StateError {
				t.Errorf("%+v", list)
			}
			closeEngine(t, e)
			after := contents(t, dir)
			files := len(after)
			maps.DeleteFunc(after, func(path, text string) bool { return before[path] == text })
			if len(after) > 0 || files != len(before) {
				t.Errorf("the index was touched: %d of %d files, changed %q", files, len(before), slices.Sorted(maps.Keys(after)))
			}
			if err := openOpt(t, data, nil).Delete(t.Context(), root, api.Approval{}); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(dir); err == nil {
				t.Error("not deleted")
			}
		})
	}
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.HasSuffix(d.Name(), ".lock") ||
			strings.Contains(filepath.ToSlash(path), "/logs/") {
			return err
		}
		text, err := os.ReadFile(path)
		found[path] = string(text)
		return err
	})
	must(t, err)
	return found
}
