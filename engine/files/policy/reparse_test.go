package policy

import (
	"io/fs"
	"testing"
)

func TestWindowsKind(t *testing.T) {
	for name, test := range map[string]struct {
		mode       fs.FileMode
		attributes uint32
		want       fs.FileMode // type bits
		elsewhere  bool
	}{
		"file":                  {0o666, 0x20, 0, false},
		"folder":                {fs.ModeDir | 0o777, 0x10, fs.ModeDir, false},
		"symbolic link":         {fs.ModeSymlink | 0o666, 0x420, fs.ModeSymlink, false},
		"junction":              {fs.ModeIrregular | 0o666, 0x410, fs.ModeSymlink, false},
		"OneDrive, on disk":     {fs.ModeIrregular | 0o666, 0x420, 0, false},
		"OneDrive, online only": {fs.ModeIrregular | 0o666, 0x401620, 0, true},
		"OneDrive, its folder":  {fs.ModeDir | fs.ModeIrregular | 0o777, 0x410, fs.ModeDir, false},
		"disguised placeholder": {0o666, 0x401220, 0, true},
		"archived":              {0o666, 0x1020, 0, true},
		"recalled when opened":  {0o666, 0x40020, 0, true},
		"irregular otherwise":   {fs.ModeIrregular | 0o666, 0x20, fs.ModeIrregular, false},
	} {
		if got := windowsKind(test.mode, test.attributes).Type(); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
		if got := windowsElsewhere(test.attributes); got != test.elsewhere {
			t.Errorf("%s: elsewhere %v", name, got)
		}
	}
}
