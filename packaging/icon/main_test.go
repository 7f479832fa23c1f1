package main

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// TestCommitted holds that the committed icons are what is drawn.
func TestCommitted(t *testing.T) {
	folder := filepath.Join("..", "..", "assets", "icons")
	committed, err := filepath.Glob(filepath.Join(folder, "*.png"))
	if err != nil || len(committed) != 1+len(states) {
		t.Fatalf("%v, %v", committed, err)
	}
	drawn := t.TempDir()
	if err := run(filepath.Join(drawn, "app.png"), "", "", drawn, ""); err != nil {
		t.Fatal(err)
	}
	for _, path := range committed {
		want, err := os.ReadFile(filepath.Join(drawn, filepath.Base(path)))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what is drawn (%v): make icon", path, err)
		}
	}
}

// TestSizes looks at a theme and at an icon of Windows: each size is there once, as a picture of that size.
func TestSizes(t *testing.T) {
	dir := t.TempDir()
	ico := filepath.Join(dir, "app.ico")
	if err := run("", filepath.Join(dir, "theme"), ico, "", "name"); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "theme", "*", "apps", "name.png"))
	if err != nil || len(files) != len(sizes) {
		t.Errorf("%v, %v", files, err)
	}
	data, err := os.ReadFile(ico)
	if err != nil {
		t.Fatal(err)
	}
	const head, entry = 6, 16
	pictures := int(data[4])
	if pictures != len(sizes)-1 {
		t.Errorf("%d pictures", pictures)
	}
	for i := range pictures {
		e := data[head+i*entry:]
		from := int(e[12]) | int(e[13])<<8 | int(e[14])<<16
		config, err := png.DecodeConfig(bytes.NewReader(data[from:]))
		if err != nil || config.Width != sizes[i] || byte(config.Width) != e[0] {
			t.Errorf("picture %d: %d pixels, entry %d, %v", i, config.Width, e[0], err)
		}
	}
}
