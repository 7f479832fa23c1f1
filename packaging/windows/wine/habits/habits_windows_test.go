package habits

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// TestHabits checks the differences between Wine and Windows for which skips.txt skips tests. When one disappears,
// remove its lines there and the programs' workarounds.
func TestHabits(t *testing.T) {
	if windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version").Find() != nil {
		t.Skip("this is Windows")
	}
	t.Run("a symbolic link is said to be made, and is not", func(t *testing.T) {
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(t.TempDir(), link); err != nil {
			t.Error(err)
		}
		if _, err := os.Lstat(link); err == nil {
			t.Error("it is there")
		}
	})
	t.Run("a junction is not made", func(t *testing.T) {
		if out, err := exec.Command("cmd", "/c", "mklink", "/J", filepath.Join(t.TempDir(), "junction"),
			t.TempDir()).CombinedOutput(); err == nil {
			t.Errorf("%s", out)
		}
	})
	t.Run("a rename that changes the case alone changes nothing", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "name.go"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(dir, "name.go"), filepath.Join(dir, "NAME.go")); err != nil {
			t.Error(err)
		}
		if list, err := os.ReadDir(dir); err != nil || len(list) != 1 || list[0].Name() != "name.go" {
			t.Errorf("%v, %v", list, err)
		}
	})
	t.Run("ReadDirectoryChangesW of a tree tells of its top alone", func(t *testing.T) {
		if told := firstChange(t); told != "top" {
			t.Errorf("told of %s first", told)
		}
	})
}

// firstChange watches a tree in which one file is created below and then one at the top, and returns the first reported
// name.
func firstChange(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		t.Fatal(err)
	}
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	h, err := windows.CreateFile(name, windows.FILE_LIST_DIRECTORY, share, nil, windows.OPEN_EXISTING,
		windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer windows.CloseHandle(h)
	made := make(chan error, 2)
	time.AfterFunc(300*time.Millisecond, func() { // wakes the call below
		made <- os.WriteFile(filepath.Join(dir, "sub", "below"), nil, 0o600)
		made <- os.WriteFile(filepath.Join(dir, "top"), nil, 0o600)
	})
	var buf [1024]uint32
	var n uint32
	err = windows.ReadDirectoryChanges(h, (*byte)(unsafe.Pointer(&buf[0])), uint32(unsafe.Sizeof(buf)), true,
		windows.FILE_NOTIFY_CHANGE_FILE_NAME, &n, nil, 0)
	if err != nil || n == 0 {
		t.Fatalf("%d bytes, %v", n, err)
	}
	for range 2 {
		if err := <-made; err != nil {
			t.Fatal(err)
		}
	}
	info := (*windows.FileNotifyInformation)(unsafe.Pointer(&buf[0]))
	return windows.UTF16ToString(unsafe.Slice(&info.FileName, info.FileNameLength/2))
}
