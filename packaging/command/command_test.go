package command

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "new", "file")
	for _, text := range []string{"first, and longer", "second"} {
		if err := Write(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		info, statErr := os.Stat(path)
		if err != nil || statErr != nil || string(data) != text || info.Mode().Perm() != 0o644 {
			t.Errorf("%q, %v, mode %v", data, err, info.Mode())
		}
	}
	// A folder at the file's path makes the attempt fail, which must not leave a file.
	if err := Write(filepath.Join(dir, "new"), []byte("x")); err == nil {
		t.Error("a folder was replaced")
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}

func TestDate(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	if date, err := Date(); err != nil || !date.Equal(time.Date(2023, 11, 14, 22, 13, 20, 0, time.UTC)) ||
		date.Location() != time.UTC {
		t.Errorf("%v, %v", date, err)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "yesterday")
	if date, err := Date(); err == nil {
		t.Errorf("no number: %v", date)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "")
	if date, err := Date(); err != nil || time.Since(date) > time.Minute {
		t.Errorf("without a variable: %v, %v", date, err)
	}
}
