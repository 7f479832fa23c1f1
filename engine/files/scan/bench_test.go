package scan

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// bigTree makes 50,000 files in 2,500 folders (RFC 5.2's soft limit), with a .gitignore in every tenth.
func bigTree(b *testing.B) string {
	b.Helper()
	quiet(b)
	root := b.TempDir()
	for d := range 2500 {
		dir := filepath.Join(root, fmt.Sprintf("area%d", d%25), fmt.Sprintf("pkg%d", d%250), fmt.Sprintf("part%d", d))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			b.Fatal(err)
		}
		if d%10 == 0 {
			if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*.o\n/out-*/\n"), 0o644); err != nil {
				b.Fatal(err)
			}
		}
		for f := range 20 {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("file%d.go", f)), []byte("package x\n"), 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(root, ".gitignore"),
		[]byte("*.log\nnode_modules/\n*.tmp\n/build-*\n**/gen/*.pb.go\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	return root
}

func BenchmarkWalk50k(b *testing.B) {
	p := newPolicy(b, bigTree(b))
	for b.Loop() {
		report, err := Walk(context.Background(), p, func(File) error { return nil })
		if err != nil || report.Files != 50251 {
			b.Fatal(report.Files, err)
		}
	}
}

func BenchmarkDiff50k(b *testing.B) {
	p := newPolicy(b, bigTree(b))
	k := known{}
	c, err := Diff(context.Background(), p, k, false)
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range c.Changed {
		k[f.Path] = entry{f.Stamp, time.Now().Add(time.Hour)}
	}
	for b.Loop() {
		if c, err := Diff(context.Background(), p, k, false); err != nil || c.Unchanged != 50251 {
			b.Fatal(c.Unchanged, err)
		}
	}
}

func BenchmarkPathsOneSave(b *testing.B) {
	p := newPolicy(b, bigTree(b))
	k := known{}
	c, err := Diff(context.Background(), p, k, false)
	if err != nil {
		b.Fatal(err)
	}
	k.commit(c)
	for b.Loop() {
		if _, err := Paths(context.Background(), p, k, []string{"area3/pkg3/part3/file7.go"}); err != nil {
			b.Fatal(err)
		}
	}
}
