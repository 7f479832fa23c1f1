package share

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"searchmcp/engine/api"
	"searchmcp/engine/store"
)

func TestParseLocation(t *testing.T) {
	for _, name := range []string{"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_REGION", "AWS_DEFAULT_REGION"} {
		t.Setenv(name, "")
	}
	for in, want := range map[string]Location{
		"s3://bucket":         {Bucket: "bucket"},
		"s3://bucket/a/b/":    {Bucket: "bucket", Prefix: "a/b"},
		"s3://b/p?region=eu1": {Bucket: "b", Prefix: "p", Region: "eu1"},
		"s3://b/p?endpoint=http://127.0.0.1:9000/&region=x": {Bucket: "b", Prefix: "p",
			Endpoint: "http://127.0.0.1:9000", Region: "x"},
	} {
		got, err := ParseLocation(in)
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", in, got, err, want)
		}
		if again, err := ParseLocation(got.String()); err != nil || again != got {
			t.Errorf("%s read back from %s: %+v, %v", in, got, again, err)
		}
	}
	for _, in := range []string{
		"", "bucket", "https://bucket/x", "s3://", "s3://key:secret@bucket/x", "s3://b/../x", "s3://b/p?profile=me",
		"s3://b/p#x",
		"s3://b/p?endpoint=ftp://x", "s3://b/p?endpoint=http://u:p@host", "s3://b/p?endpoint=http://host/path",
	} {
		if got, err := ParseLocation(in); api.CodeOf(err) != api.InvalidArgument {
			t.Errorf("%q: %+v, %v; want INVALID_ARGUMENT", in, got, err)
		}
	}
	t.Setenv("AWS_ENDPOINT_URL", "https://storage.example.com")
	t.Setenv("AWS_REGION", "here")
	if got, err := ParseLocation("s3://b"); err != nil || got.Endpoint != "https://storage.example.com" ||
		got.Region != "here" {
		t.Errorf("from the environment: %+v, %v", got, err)
	}
}

// A file more changes few parts, and reading gives back what was written.
func TestParts(t *testing.T) {
	write := func(n int, left int) (parts []Part, objects map[string][]byte) {
		objects = map[string][]byte{}
		w := partWriter{put: func(p Part, data []byte) error { objects[p.SHA256] = data; return nil }}
		for i := range n {
			if i == left {
				continue
			}
			f := store.FileChunks{Path: fmt.Sprintf("dir/file%05d.go", i), Hash: fmt.Sprintf("%064d", i)}
			f.Chunks = []api.Chunk{{ID: f.Path, Path: f.Path, Text: strings.Repeat(f.Path, 2000), StartLine: 1,
				EndLine: 2, ContentHash: f.Hash}}
			if err := w.add(api.CorpusCode, f); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.cut(); err != nil {
			t.Fatal(err)
		}
		return w.result, objects
	}
	parts, objects := write(600, -1)
	if len(parts) < 5 {
		t.Fatalf("%d parts of 20 MB", len(parts))
	}
	n := 0
	for _, p := range parts {
		err := readPart(objects[p.SHA256], func(c api.Corpus, f store.FileChunks) error {
			if f.Path != fmt.Sprintf("dir/file%05d.go", n) || len(f.Chunks) != 1 || c != api.CorpusCode {
				t.Fatalf("file %d is %s", n, f.Path)
			}
			n++
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n != 600 {
		t.Errorf("%d files came back, want 600", n)
	}
	_, fewer := write(600, 50)
	fresh := 0
	for sum := range fewer {
		if objects[sum] == nil {
			fresh++
		}
	}
	if fresh > 2 {
		t.Errorf("one file less made %d of %d parts new", fresh, len(fewer))
	}
}

func TestBadParts(t *testing.T) {
	pack := func(text string) []byte {
		e, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		return e.EncodeAll([]byte(text), nil)
	}
	good := `{"corpus":"code","path":"a/b.go","hash":"h","chunks":[{"ID":"x","StartLine":1,"EndLine":2}]}` + "\n"
	if err := readPart(pack(good), func(api.Corpus, store.FileChunks) error { return nil }); err != nil {
		t.Fatal(err)
	}
	for what, data := range map[string][]byte{
		"no zstd":       []byte("plain"),
		"no JSON":       pack("{\n"),
		"no end":        pack(strings.TrimSuffix(good, "\n")),
		"corpus":        pack(strings.ReplaceAll(good, `"code"`, `"else"`)),
		"absolute path": pack(strings.ReplaceAll(good, "a/b.go", "/etc/passwd")),
		"path upwards":  pack(strings.ReplaceAll(good, "a/b.go", "../b.go")),
		"backslash":     pack(strings.ReplaceAll(good, "a/b.go", `a\\b.go`)),
		"control":       pack(strings.ReplaceAll(good, "a/b.go", `a\u001bb.go`)),
		"lines":         pack(strings.ReplaceAll(good, `"EndLine":2`, `"EndLine":0`)),
		"too large":     pack(strings.Repeat("x", partLimit+10)),
	} {
		err := readPart(data, func(api.Corpus, store.FileChunks) error { return nil })
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v, want ErrDamaged", what, err)
		}
	}
}

// TestBudget: a publication can neither bring more files than it says nor text without end.
func TestBudget(t *testing.T) {
	file := store.FileChunks{Chunks: []api.Chunk{{Text: "abc"}, {Text: "de"}}}
	for b, want := range map[budget]bool{{2, 10}: true, {2, 9}: false, {1, 100}: false} {
		left := b
		err := errors.Join(left.take(file), left.take(file))
		if (err == nil) != want || err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("%+v: %v", b, err)
		}
	}
}

func FuzzPart(f *testing.F) {
	f.Add(`{"corpus":"code","path":"a/b.go","hash":"h","chunks":[{"ID":"x","StartLine":1,"EndLine":2}]}` + "\n")
	e, err := zstd.NewWriter(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		err := readPart(e.EncodeAll([]byte(text), nil), func(_ api.Corpus, file store.FileChunks) error {
			if strings.HasPrefix(file.Path, "/") || strings.Contains("/"+file.Path+"/", "/../") {
				t.Errorf("path %q", file.Path)
			}
			return nil
		})
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("%v, want ErrDamaged", err)
		}
	})
}
