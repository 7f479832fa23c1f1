package share

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"searchmcp/engine/api"
	"searchmcp/engine/share/part"
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

func TestParts(t *testing.T) {
	write := func(n int, left int) (parts []Part, objects map[string][]byte) {
		objects = map[string][]byte{}
		w := partWriter{put: func(p Part, data []byte) error { objects[p.SHA256] = data; return nil }}
		for i := range n {
			if i == left {
				continue
			}
			f := store.FileChunks{Path: fmt.Sprintf("dir/file%05d.go", i), Hash: fmt.Sprintf("%064d", i)}
			f.Chunks = []api.Chunk{{ID: api.ChunkID(f.Path, f.Hash, 0), Path: f.Path,
				Text: strings.Repeat(f.Path, 2000), StartLine: 1, EndLine: 2, ContentHash: f.Hash}}
			must(t, w.add(api.CorpusCode, f))
		}
		must(t, w.cut())
		return w.result, objects
	}
	parts, objects := write(600, -1)
	if len(parts) < 5 {
		t.Fatalf("%d parts of 20 MB", len(parts))
	}
	n := 0
	for _, p := range parts {
		files, err := part.Read(objects[p.SHA256])
		must(t, err)
		for _, f := range files {
			if f.Path != fmt.Sprintf("dir/file%05d.go", n) || len(f.Chunks) != 1 || f.Corpus != api.CorpusCode {
				t.Fatalf("file %d is %s", n, f.Path)
			}
			n++
		}
	}
	wantEqual(t, n, 600, "count")
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

func TestBudget(t *testing.T) {
	file := part.File{Chunks: []api.Chunk{{Text: "abc"}, {Breadcrumb: []string{"de"}, Symbols: []string{"f1"}}}}
	n := 2 * file.Cost()
	for b, want := range map[[3]int]bool{{2, n, 2}: true, {2, n - 1, 2}: false, {1, n, 2}: false, {2, n, 1}: false} {
		left := &budget{files: b[0], size: b[1], words: b[2]}
		err := errors.Join(left.take(&file), left.take(&file))
		if (err == nil) != want || err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("%+v: %v", b, err)
		}
	}
}

func TestHostileManifests(t *testing.T) {
	for name, text := range map[string]string{
		"parts":      `{"format":1,"parts":[` + strings.Repeat("{},", 5_000_000) + `{}]}`,
		"numbers":    `{"format":1,"parts":[` + strings.Repeat("0,", 8_000_000) + `0]}`,
		"tables":     `{"format":1,"vectors":{` + strings.Repeat(`"":1,`, 3_000_000) + `"":1}}`,
		"files":      `{"format":1,"files":300000}`,
		"large part": `{"format":1,"parts":[{"sha256":"` + strings.Repeat("0", 64) + `","size":30000000}]}`,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := parseManifest([]byte(text))
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, ErrDamaged) || taken > 40<<20 {
			t.Errorf("%s: %v, %d MB", name, err, taken>>20)
		}
	}
}

func TestRefusedOnce(t *testing.T) {
	s := newStorage(t)
	at := strings.TrimSuffix(s.at.key(manifestName), manifestName)
	put := func(name, text string) Part {
		e, err := zstd.NewWriter(nil)
		must(t, err)
		data := e.EncodeAll([]byte(text), nil)
		sum := sha256.Sum256(data)
		p := Part{SHA256: hex.EncodeToString(sum[:]), Size: int64(len(data)), Files: 1}
		s.Put(t, at+p.name(), data)
		m, err := json.Marshal(Manifest{Format: format, Project: name, Files: 1, Parts: []Part{p}})
		must(t, err)
		s.Put(t, at+manifestName, m)
		return p
	}
	reads := 0
	c, err := Open(t.Context(), t.TempDir(), s.at, model, nil, func(_ context.Context, data []byte) ([]part.File, error) {
		reads++
		return part.Read(data)
	}, quiet)
	must(t, err)
	defer c.Close()
	refused := func(name string, read int) {
		t.Helper()
		for range 3 {
			if _, err := c.Refresh(t.Context()); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s: %v", name, err)
			}
		}
		wantEqual(t, reads, read, "%s: reads", name)
	}
	bad := `{"corpus":"code","path":"b.go","hash":"` + strings.Repeat("0", 64) + `","chunks":[{}]}` + "\n"
	put("one", bad)
	refused("a bad part", 1)
	put("two", strings.Replace(bad, "{}", "", 1)+strings.Replace(bad, "{}", "", 1))
	refused("more files than announced", 2)
	s.Put(t, at+manifestName, []byte("{"))
	refused("no manifest", 2)
	put("three", bad)
	refused("the bad part in another publication", 2)
	put("four", strings.Replace(bad, "{}", `{"ID":"x","Path":"b.go","ContentHash":"`+strings.Repeat("0", 64)+`"}`, 1))
	refused("a wrong identifier", 3)
	put("five", strings.Replace(bad, "{}", "", 1))
	if changed, err := c.Refresh(t.Context()); err != nil || !changed {
		t.Errorf("a good one: %v, %v", changed, err)
	}
}
