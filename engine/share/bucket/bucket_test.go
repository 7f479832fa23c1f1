package bucket

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"searchmcp/engine/share/bucket/buckettest"
)

type storage struct {
	*Bucket
	server *buckettest.Server
}

func newStorage(t *testing.T) *storage {
	t.Helper()
	s := &storage{server: buckettest.New(t, "things")}
	var err error
	if s.Bucket, err = Open(Address{Name: "things", Endpoint: s.server.URL, Region: "eu-central-1"}); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *storage) put(t *testing.T, key, text string) {
	t.Helper()
	if err := s.Put(t.Context(), key, "text/plain", []byte(text), Unconditional); err != nil {
		t.Fatal(err)
	}
}

func TestObjects(t *testing.T) {
	s := newStorage(t)
	if _, _, err := s.Get(t.Context(), "a/none", "", 10); !errors.Is(err, ErrNone) {
		t.Errorf("no object: %v, want ErrNone", err)
	}
	s.put(t, "a/one", "first")
	data, etag, err := s.Get(t.Context(), "a/one", "", 5)
	if err != nil || string(data) != "first" || etag == "" {
		t.Fatalf("read %q, tag %q, %v", data, etag, err)
	}
	if data, again, err := s.Get(t.Context(), "a/one", etag, 5); err != nil || data != nil || again != etag {
		t.Errorf("unchanged: %q, tag %q, %v", data, again, err)
	}
	if _, _, err := s.Get(t.Context(), "a/one", "", 4); !errors.Is(err, ErrTooLarge) {
		t.Errorf("5 bytes of at most 4: %v, want ErrTooLarge", err)
	}

	if err := s.Put(t.Context(), "a/one", "text/plain", []byte("x"), IfAbsent); !errors.Is(err, ErrChanged) {
		t.Errorf("where one is: %v, want ErrChanged", err)
	}
	if err := s.Put(t.Context(), "a/one", "text/plain", []byte("second"), IfUnchanged(etag)); err != nil {
		t.Error(err)
	}
	if err := s.Put(t.Context(), "a/one", "text/plain", []byte("third"), IfUnchanged(etag)); !errors.Is(err, ErrChanged) {
		t.Errorf("over another version: %v, want ErrChanged", err)
	}
	if data, _, err := s.Get(t.Context(), "a/one", etag, 10); err != nil || string(data) != "second" {
		t.Errorf("read %q, %v", data, err)
	}

	if err := s.Copy(t.Context(), "a/one", "b/copy"); err != nil {
		t.Fatal(err)
	}
	s.put(t, "a/two", "2")
	list := func(prefix string) (keys []string) {
		for o, err := range s.List(t.Context(), prefix) {
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, o.Key)
		}
		return keys
	}
	if keys := list(""); !slices.Equal(keys, []string{"a/one", "a/two", "b/copy"}) {
		t.Errorf("all: %v", keys)
	}
	for range s.List(t.Context(), "a/") { // the caller stops early
		break
	}
	if err := errors.Join(s.Remove(t.Context(), "a/one"), s.Remove(t.Context(), "a/one")); err != nil {
		t.Errorf("remove twice: %v", err)
	}
	if keys := list("a/"); !slices.Equal(keys, []string{"a/two"}) {
		t.Errorf("after the removal: %v", keys)
	}
}

func TestRetry(t *testing.T) {
	s := newStorage(t)
	left := atomic.Int64{}
	refuse := func(*http.Request) int {
		if left.Add(-1) >= 0 {
			return http.StatusServiceUnavailable
		}
		return 0
	}
	s.server.Refuse.Store(&refuse)
	left.Store(maxAttempts - 1)
	s.put(t, "key", "text")
	left.Store(maxAttempts - 1)
	if data, _, err := s.Get(t.Context(), "key", "", 10); err != nil || !bytes.Equal(data, []byte("text")) {
		t.Errorf("read %q, %v", data, err)
	}
	left.Store(1 << 30)
	before := s.server.Requests.Load()
	if err := s.Put(t.Context(), "key", "text/plain", []byte("x"), Unconditional); err == nil {
		t.Error("a storage that never answers took an object")
	}
	if made := s.server.Requests.Load() - before; made != maxAttempts {
		t.Errorf("%d requests, want %d", made, maxAttempts)
	}
	denied := func(*http.Request) int { return http.StatusForbidden }
	s.server.Refuse.Store(&denied)
	for _, err := range s.List(t.Context(), "") {
		if err == nil {
			t.Error("a listing that was refused has objects")
		}
	}
}

func TestCancel(t *testing.T) {
	s := newStorage(t)
	s.put(t, "key", "text")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := s.Get(ctx, "key", "", 10); !errors.Is(err, context.Canceled) {
		t.Errorf("read: %v", err)
	}
	if err := s.Put(ctx, "key", "text/plain", nil, Unconditional); !errors.Is(err, context.Canceled) {
		t.Errorf("write: %v", err)
	}
	if err := s.Copy(ctx, "key", "other"); !errors.Is(err, context.Canceled) {
		t.Errorf("copy: %v", err)
	}
	for _, err := range s.List(ctx, "") {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("list: %v", err)
		}
	}
}

func TestParseEndpoint(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "https://storage.example.com": "https://storage.example.com",
		"http://127.0.0.1:9000/":     "http://127.0.0.1:9000",
		"storage.example.com:9000":   "https://storage.example.com:9000",
		"https://user:password@host": "error", "https://host/path": "error", "ftp://host": "error", "https://": "error",
		"https://host?x=1": "error", "https://host#x": "error",
	} {
		got, err := ParseEndpoint(in)
		if err != nil {
			got = "error"
			if strings.Contains(err.Error(), "password") {
				t.Errorf("%q: the error repeats the password: %v", in, err)
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestCredentials(t *testing.T) {
	s := newStorage(t)
	file := filepath.Join(t.TempDir(), "credentials")
	if err := os.WriteFile(file, []byte("[team]\naws_access_key_id = OF-THE-FILE\naws_secret_access_key = f\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"MINIO_ROOT_USER": "OF-MINIO", "MINIO_ROOT_PASSWORD": "m",
			"AWS_SHARED_CREDENTIALS_FILE": file, "AWS_PROFILE": "team"}, "AKIATEST"},
		{map[string]string{"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}, "OF-MINIO"},
		{map[string]string{"MINIO_ROOT_USER": "", "MINIO_ROOT_PASSWORD": ""}, "OF-THE-FILE"},
		{map[string]string{"AWS_SHARED_CREDENTIALS_FILE": file + ".none"}, ""},
	} {
		for name, value := range step.env {
			t.Setenv(name, value)
		}
		b, err := Open(s.at)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := b.Secrets(); err != nil || got.AccessKeyID != step.want {
			t.Errorf("key %q, want %q (%v)", got.AccessKeyID, step.want, err)
		}
	}
}
