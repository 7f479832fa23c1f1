package test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestUnpackNative checks that a library is used only if its content has the hash in the table.
func TestUnpackNative(t *testing.T) {
	need(t, "xz")
	content := strings.Repeat("a library ", 5000)
	packed := must(t, nil, "xz", "-c", write(t, filepath.Join(t.TempDir(), "library"), content))
	for name, test := range map[string]struct {
		archive, lib string // "" if the file is missing
		hash, needs  string // "" for the hash of content, and for no needs
		want, err    string
	}{
		"first run":                   {archive: packed, want: content},
		"current":                     {lib: content, want: content},
		"wrong library":               {archive: packed, lib: content[1:], want: content},
		"damaged archive":             {archive: packed[:len(packed)/2], err: "can't be decompressed"},
		"other content":               {archive: packed, hash: strings.Repeat("0", 64), err: "does not have the hash"},
		"no archive":                  {err: "make native builds it"},
		"built elsewhere":             {lib: "any", hash: "-", want: "any"},
		"neither built nor committed": {hash: "-", err: "make native builds it"},
		"newer glibc":                 {archive: packed, needs: "glibc-99.1", err: "needs glibc 99.1"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			platform := runtime.GOOS + "/" + runtime.GOARCH
			folder := filepath.Join(dir, strings.ReplaceAll(platform, "/", "-"))
			if test.hash == "" {
				test.hash = fmt.Sprintf("%x", sha256.Sum256([]byte(content)))
			}
			if test.needs == "" {
				test.needs = "-"
			}
			write(t, filepath.Join(dir, "libraries.txt"), fmt.Sprintf("# a comment\nplan9/386 x 1 MIT libx.so - - -\n"+
				"%s x 1 MIT libx.so %s %s -\n", platform, test.hash, test.needs))
			lib := filepath.Join(folder, "lib", "libx.so")
			if test.archive != "" {
				write(t, filepath.Join(folder, "libx.so.xz"), test.archive)
			}
			if test.lib != "" {
				write(t, lib, test.lib)
			}
			out, err := run(t, []string{"NATIVE=" + dir}, "packaging/native/unpack.sh")
			if (err != nil) != (test.err != "") || !strings.Contains(out, test.err) {
				t.Fatalf("%v, want %q in\n%s", err, test.err, out)
			}
			if err != nil {
				test.want = test.lib
			}
			if got, _ := os.ReadFile(lib); !bytes.Equal(got, []byte(test.want)) {
				t.Errorf("%d bytes, want %d", len(got), len(test.want))
			}
			if parts, _ := filepath.Glob(filepath.Join(folder, "lib", ".part*")); len(parts) > 0 {
				t.Errorf("left: %v", parts)
			}
		})
	}
}
