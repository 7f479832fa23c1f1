package repo

import (
	"bufio"
	"bytes"
	"testing"
)

func FuzzLog(f *testing.F) {
	file := ":100644 100644 " + "aaaa bbbb M\x00"
	f.Add([]byte("commit repair\n\x00\n" + file + "a.go\x00" + file + "b.go\x00commit more\n\x00"))
	f.Add([]byte(file + file + "commit \x00commit"))
	f.Add(bytes.Repeat([]byte(":1 2 3 4\x00x\x00"), 100))
	f.Add(append([]byte("commit "), bytes.Repeat([]byte("x"), 200_000)...))
	f.Fuzz(func(t *testing.T, said []byte) {
		list := reading{in: bufio.NewReaderSize(bytes.NewReader(said), 4096), limit: 10}
		_ = list.all()
		if len(list.commits) > 10 {
			t.Fatalf("%d commits", len(list.commits))
		}
		for _, c := range list.commits {
			if len(c.Message) > maxMessage || len(c.Files) == 0 || len(c.Files) > maxFiles {
				t.Fatalf("message of %d bytes, %d files", len(c.Message), len(c.Files))
			}
			for _, name := range c.Files {
				if len(name) > maxName {
					t.Fatalf("name of %d bytes", len(name))
				}
			}
		}
	})
}
