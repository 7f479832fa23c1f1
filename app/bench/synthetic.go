package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// synthetic generates projects of Go files. Names and comments consist of 20,000 random words, whose frequencies
// follow Zipf's law. All files are different.
type synthetic struct {
	r     *rand.Rand
	words []string
	zipf  *rand.Zipf
}

func newSynthetic() *synthetic {
	r := rand.New(rand.NewPCG(11, 12)) // the same in every run
	s := &synthetic{r: r, words: make([]string, 20_000)}
	for i := range s.words {
		b := make([]byte, 3+r.IntN(8))
		for j := range b {
			b[j] = byte('a' + r.IntN(26))
		}
		s.words[i] = string(b)
	}
	s.zipf = rand.NewZipf(r, 1.1, 8, uint64(len(s.words)-1))
	return s
}

func (s *synthetic) word() string { return s.words[s.zipf.Uint64()] }

func (s *synthetic) name(n int) string {
	var b strings.Builder
	for range n {
		w := s.word()
		b.WriteByte(w[0] - 'a' + 'A')
		b.WriteString(w[1:])
	}
	return b.String()
}

// project writes files of about size bytes each to dir, a hundred in each folder, and returns their total size.
func (s *synthetic) project(dir string, files, size int) (int64, error) {
	total := int64(0)
	for i := range files {
		folder := filepath.Join(dir, fmt.Sprintf("p%03d", i/10_000), fmt.Sprintf("d%02d", i/100%100))
		if i%100 == 0 {
			if err := os.MkdirAll(folder, 0o700); err != nil {
				return 0, err
			}
		}
		text := s.file(size)
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("f%02d.go", i%100)), text, 0o600); err != nil {
			return 0, err
		}
		total += int64(len(text))
	}
	return total, nil
}

// file returns the text of a file of at least size bytes.
func (s *synthetic) file(size int) []byte {
	var b bytes.Buffer
	b.WriteString("package " + s.word() + "\n")
	for b.Len() < size {
		f, v := s.name(2), s.word()
		fmt.Fprintf(&b, "\n// %s %s %s %s %s %s %s.\nfunc %s(%s int) error {\n", f, s.word(), s.word(), s.word(),
			s.word(), s.word(), s.word(), f, v)
		for range 3 + s.r.IntN(20) {
			fmt.Fprintf(&b, "\tif err := %s.%s(%s, %q); err != nil {\n\t\treturn fmt.Errorf(\"%s %s: %%w\", err)\n\t}\n",
				s.word(), s.name(2), v, s.word(), s.word(), s.word())
		}
		b.WriteString("\treturn nil\n}\n")
	}
	return b.Bytes()
}
