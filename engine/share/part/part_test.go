package part

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"searchmcp/engine/api"
)

func pack(t testing.TB, text ...string) []byte {
	t.Helper()
	e, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return e.EncodeAll([]byte(strings.Join(text, "")), nil)
}

func file(chunks ...string) string {
	return `{"corpus":"code","path":"a/b.go","hash":"` + hash + `","chunks":[` + strings.Join(chunks, "") + "]}\n"
}

var hash = strings.Repeat("a", 64)

var id = api.ChunkID("a/b.go", hash, 0)

var chunk = `{"ID":"` + id + `","Path":"a/b.go","ContentHash":"` + hash + `","StartLine":1,"EndLine":2}`

func TestBadParts(t *testing.T) {
	good := file(chunk)
	if files, err := Read(pack(t, good, good)); err != nil || len(files) != 2 {
		t.Fatal(err)
	}
	for what, data := range map[string][]byte{
		"no zstd":        []byte("plain"),
		"no JSON":        pack(t, "{\n"),
		"no end":         pack(t, strings.TrimSuffix(good, "\n")),
		"corpus":         pack(t, strings.ReplaceAll(good, `"code"`, `"else"`)),
		"absolute path":  pack(t, strings.ReplaceAll(good, "a/b.go", "/etc/passwd")),
		"path upwards":   pack(t, strings.ReplaceAll(good, "a/b.go", "../b.go")),
		"backslash":      pack(t, strings.ReplaceAll(good, "a/b.go", `a\\b.go`)),
		"control":        pack(t, strings.ReplaceAll(good, "a/b.go", `a\u001bb.go`)),
		"lines":          pack(t, strings.ReplaceAll(good, `"EndLine":2`, `"EndLine":0`)),
		"too large":      pack(t, strings.Repeat("x", Limit+10)),
		"another's":      pack(t, file(strings.Replace(chunk, "a/b.go", "c.go", 1))),
		"another's hash": pack(t, file(strings.Replace(chunk, hash, strings.Repeat("b", 64), 1))),
		"no hash":        pack(t, strings.ReplaceAll(good, hash, strings.Repeat("A", 64))),
		"a large chunk":  pack(t, file(strings.Replace(chunk, "{", `{"Language":"`+strings.Repeat("x", chunkLimit)+`",`, 1))),
		"a long text":    pack(t, file(strings.Replace(chunk, "{", `{"Text":"`+strings.Repeat("x", textLimit+1)+`",`, 1))),
		"a long title":   pack(t, file(strings.Replace(chunk, "{", `{"Breadcrumb":["`+strings.Repeat("x", textLimit+1)+`"],`, 1))),
		"another's ID":   pack(t, file(strings.Replace(chunk, id, api.ChunkID("a/b.go", hash, 1), 1))),
		"no identifier":  pack(t, file(strings.Replace(chunk, id, "", 1))),
	} {
		if _, err := Read(data); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v, want ErrDamaged", what, err)
		}
	}
}

func TestHostileParts(t *testing.T) {
	with := func(field, value string) string {
		return file(strings.TrimSuffix(chunk, "}"), `,"`, field, `":`, value, "}")
	}
	many := func(element string) string {
		return "[" + strings.Repeat(element+",", 20_000_000) + element + "]"
	}
	for what, text := range map[string]string{
		"chunks":       file(strings.Repeat("{},", 20_000_000), "{}"),
		"declarations": with("Decls", many("{}")),
		"symbols":      with("Symbols", many(`""`)),
		"numbers":      with("Breadcrumb", many("0")),
		"fields":       "{" + strings.Repeat(`"x":0,`, 10_000_000) + `"x":0}` + "\n",
		"breadcrumbs":  with("Breadcrumb", `["`+strings.Repeat("x", 40<<20)+`"]`),
		"files":        strings.Repeat(file(), 300_000),
		"nesting":      strings.Repeat("[", 60<<20) + "\n",
		"a quote":      `{"x":"` + strings.Repeat(",", 60<<20) + "\n",
	} {
		data := pack(t, text)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Read(data)
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, ErrDamaged) || taken > 500<<20 {
			t.Errorf("%s of %d KB: %v, %d MB", what, len(data)>>10, err, taken>>20)
		}
	}
}

func TestElements(t *testing.T) {
	for text, want := range map[string]int{`[]`: 1, `[1,2,3]`: 3, `["a,b","\\",",\",,"]`: 3, `{"a":[1,2],"b":"\\\\"}`: 3,
		`["open, `: 1} {
		if got := Elements([]byte(text)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

func FuzzPart(f *testing.F) {
	f.Add(file(chunk))
	e, err := zstd.NewWriter(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		files, err := Read(e.EncodeAll([]byte(text), nil))
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("%v, want ErrDamaged", err)
		}
		for _, file := range files {
			if strings.HasPrefix(file.Path, "/") || strings.Contains("/"+file.Path+"/", "/../") {
				t.Errorf("path %q", file.Path)
			}
		}
	})
}
