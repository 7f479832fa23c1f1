package embed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"searchmcp/assets/model"
	"searchmcp/engine/api"
)

func fake() (model.Manifest, []byte) {
	data := bytes.Repeat([]byte("model "), 80<<10)
	sum := sha256.Sum256(data)
	return model.Manifest{Name: "tiny", Model: model.File{
		Name: "tiny.onnx", SHA256: hex.EncodeToString(sum[:]), Size: int64(len(data)),
	}}, data
}

// options returns options that only find the files of the server at base. messages collects the different messages of
// the progress.
func options(t *testing.T, base string) (o LocateOptions, messages *[]string) {
	messages = &[]string{}
	last := int64(0)
	return LocateOptions{
		Dir: filepath.Join(t.TempDir(), "a", "cache"), base: base,
		Progress: func(message string, done, total int64) {
			if !slices.Contains(*messages, message) {
				*messages = append(*messages, message)
			}
			if done < last || done > total {
				t.Errorf("%d of %d bytes after %d", done, total, last)
			}
			last = done
		},
		pause: func(ctx context.Context, _ int) error { return context.Cause(ctx) },
	}, messages
}

func serve(t *testing.T, m model.Manifest, h http.HandlerFunc) (base string, requests *atomic.Int64) {
	requests = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if want := "/models/" + cacheName(m) + "/" + m.Model.Name; r.URL.Path != want {
			t.Errorf("asked for %s, want %s", r.URL.Path, want)
		}
		h(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/models/", requests
}

func expect(t *testing.T, o LocateOptions, m model.Manifest, data []byte) {
	t.Helper()
	dir, err := locate(context.Background(), m, []string{o.Dir}, o)
	if err != nil || dir != o.Dir {
		t.Fatalf("found in %s, error %v", dir, err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, m.Model.Name)); err != nil || !bytes.Equal(got, data) {
		t.Errorf("other bytes than served, error %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("cache contains %v, error %v", entries, err)
	}
}

func expectFailure(t *testing.T, o LocateOptions, m model.Manifest) error {
	t.Helper()
	_, err := locate(context.Background(), m, []string{o.Dir}, o)
	if api.CodeOf(err) != api.ModelDownloadFailed {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(filepath.Join(o.Dir, m.Model.Name)); err == nil {
		t.Error("the cache contains a model")
	}
	return err
}

// An interrupted download is repeated. A part of an earlier run does not matter.
func TestDownload(t *testing.T) {
	m, data := fake()
	var asked atomic.Int64
	base, requests := serve(t, m, func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 1 {
			w.Header().Set("Content-Length", fmt.Sprint(len(data)))
			w.Write(data[:200<<10])
			panic(http.ErrAbortHandler)
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	})
	o, messages := options(t, base)
	must(t, os.MkdirAll(o.Dir, 0o700))
	must(t, os.WriteFile(filepath.Join(o.Dir, m.Model.Name+".part"), make([]byte, len(data)+1), 0o600))
	for range 2 { // the second time, the model is in the cache
		expect(t, o, m, data)
	}
	if n := requests.Load(); n != 2 {
		t.Errorf("%d requests", n)
	}
	if want := []string{"Downloading embedding model... (one-time, ~1MB)",
		"Done! Model cached for future use."}; !slices.Equal(*messages, want) {
		t.Errorf("messages %q", *messages)
	}
	info, err := os.Stat(filepath.Join(o.Dir, m.Model.Name))
	must(t, err)
	if perm := info.Mode().Perm(); perm&0o077 != 0 && runtime.GOOS != "windows" {
		t.Errorf("mode %v", perm)
	}
}

// A wrong file is requested once, and a server that fails temporarily downloadTries times.
func TestDownloadFails(t *testing.T) {
	m, data := fake()
	wrong := slices.Clone(data)
	wrong[1000]++
	for name, c := range map[string]struct {
		status   int
		data     []byte
		length   bool
		requests int64
	}{
		"same size":       {200, wrong, true, 1},
		"short":           {200, data[:1000], true, 1},
		"long":            {200, append(slices.Clone(data), 'x'), true, 1},
		"unannounced end": {200, append(slices.Clone(data), make([]byte, 1<<20)...), false, 1},
		"missing":         {404, nil, false, 1},
		"forbidden":       {403, nil, false, 1},
		"error":           {500, nil, false, downloadTries},
		"too many":        {429, nil, false, downloadTries},
	} {
		t.Run(name, func(t *testing.T) {
			base, requests := serve(t, m, func(w http.ResponseWriter, _ *http.Request) {
				if c.length {
					w.Header().Set("Content-Length", fmt.Sprint(len(c.data)))
				}
				w.WriteHeader(c.status)
				w.Write(c.data) // the client may close the connection
			})
			o, _ := options(t, base)
			err := expectFailure(t, o, m)
			if n := requests.Load(); n != c.requests {
				t.Errorf("%d requests, want %d: %v", n, c.requests, err)
			}
		})
	}
}

func TestDownloadOffline(t *testing.T) {
	m, _ := fake()
	s := httptest.NewServer(http.NotFoundHandler())
	base := s.URL
	s.Close() // unreachable from now on
	o, _ := options(t, base)
	pauses := 0
	o.pause = func(context.Context, int) error { pauses++; return nil }
	err := expectFailure(t, o, m)
	if pauses != downloadTries-1 {
		t.Errorf("%d pauses", pauses)
	}
	var e *api.Error
	if !errors.As(err, &e) ||
		e.UserMessage != "Couldn't set up the search engine. Please check your internet connection and try again." {
		t.Errorf("error %v", err)
	}
}

func TestDownloadWithoutAddress(t *testing.T) {
	m, _ := fake()
	o, messages := options(t, "")
	err := expectFailure(t, o, m)
	if !strings.Contains(err.Error(), "no download address") || len(*messages) > 0 {
		t.Errorf("error %v, messages %q", err, *messages)
	}
}

func TestDownloadCancelled(t *testing.T) {
	m, data := fake()
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("quit")
	base, _ := serve(t, m, func(w http.ResponseWriter, r *http.Request) {
		w.Write(data[:1000])
		http.NewResponseController(w).Flush()
		cancel(why)
		<-r.Context().Done()
	})
	o, _ := options(t, base)
	if _, err := locate(ctx, m, []string{o.Dir}, o); !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
}

func TestDownloadCacheNotWritable(t *testing.T) {
	m, _ := fake()
	base, requests := serve(t, m, http.NotFound)
	o, _ := options(t, base)
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	o.Dir = filepath.Join(file, "cache") // below a file, so that it also fails for root
	if _, err := locate(context.Background(), m, []string{o.Dir}, o); api.CodeOf(err) != api.ModelDownloadFailed {
		t.Errorf("error %v", err)
	}
	if requests.Load() != 0 {
		t.Error("asked for a file that can't be kept")
	}
}

func TestLocateOrder(t *testing.T) {
	m, data := fake()
	good, damaged := t.TempDir(), t.TempDir()
	broken := slices.Clone(data)
	broken[0]++
	for dir, b := range map[string][]byte{good: data, damaged: broken} {
		must(t, os.WriteFile(filepath.Join(dir, m.Model.Name), b, 0o600))
	}
	base, requests := serve(t, m, func(w http.ResponseWriter, _ *http.Request) { w.Write(data) })
	o, _ := options(t, base)
	dir, err := locate(context.Background(), m, []string{t.TempDir(), damaged, good, o.Dir}, o)
	if err != nil || dir != good {
		t.Errorf("found in %s, error %v", dir, err)
	}
	if requests.Load() != 0 {
		t.Error("downloaded although a good one is there")
	}
	if dir, err = locate(context.Background(), m, []string{damaged, o.Dir}, o); err != nil || dir != o.Dir {
		t.Errorf("found in %s, error %v", dir, err)
	}
}

func TestLocateBundled(t *testing.T) {
	dir, err := Locate(context.Background(), LocateOptions{})
	must(t, err)
	t.Setenv(ModelEnv, dir)
	if dirs, err := modelDirs(model.Manifest{Model: model.File{SHA256: strings.Repeat("0", 64)}}, ""); err != nil ||
		dirs[0] != dir {
		t.Errorf("%s is not asked first: %v", ModelEnv, dirs)
	}
}

func TestVerifiedNotices(t *testing.T) {
	m, data := fake()
	path := filepath.Join(t.TempDir(), m.Model.Name)
	must(t, os.WriteFile(path, data, 0o600))
	var v verified
	for range 2 {
		must(t, v.check(path, m.Model))
	}
	data[5]++
	must(t, os.WriteFile(path, data, 0o600))
	must(t, os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)))
	if err := v.check(path, m.Model); err == nil {
		t.Error("a changed file passed")
	}
}

func TestBundledModel(t *testing.T) {
	m, err := model.Bundled()
	must(t, err)
	if got := startMessage(m.Model.Size); got != "Downloading embedding model... (one-time, ~24MB)" {
		t.Error(got)
	}
	for _, f := range []model.File{m.Model, m.Vocab} {
		if err := new(verified).check(filepath.Join("../../../assets/model", f.Name), f); err != nil {
			t.Error(err)
		}
	}
}

func TestModelHash(t *testing.T) {
	m, err := model.Bundled()
	must(t, err)
	h, err := ModelHash()
	if err != nil || len(h) != 64 || h != hashOf(m) {
		t.Errorf("hash %s, %v", h, err)
	}
	m.Model.SHA256 = "another"
	if hashOf(m) == h {
		t.Error("same hash for another model")
	}
}

func TestFile(t *testing.T) {
	if path, err := NewFile("../../../assets/model").Path(); err != nil || filepath.Base(path) == "" {
		t.Errorf("%s, %v", path, err)
	}
	if _, err := NewFile(t.TempDir()).Path(); !errors.Is(err, ErrModel) || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
