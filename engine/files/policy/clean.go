package policy

import (
	"io/fs"
	"os"
	"os/user"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"searchmcp/engine/api"
)

const (
	// MaxDepth is the maximum depth of a folder below the root (RFC 5.2, Resource Limits).
	MaxDepth = 20
	// maxPath is the longest path of any system in bytes (PATH_MAX of Linux).
	maxPath = 4096
)

// Clean converts a path from a tool call to a key (see Keys in the package comment), without invisible characters. It
// returns INVALID_ARGUMENT if the path is absolute, is not UTF-8, or contains ".." or a control character (RFC 5.2).
func Clean(rel string) (string, error) {
	return clean(rel, runtime.GOOS == "windows")
}

func clean(rel string, windows bool) (string, error) {
	refuse := func() (string, error) {
		return "", api.ErrArgument("path", "a relative path inside the project")
	}
	if len(rel) > maxPath || !utf8.ValidString(rel) {
		return refuse()
	}
	if !isASCII(rel) {
		rel = norm.NFC.String(strip(rel, invisible))
	}
	if windows {
		rel = strings.ReplaceAll(rel, `\`, "/")
	}
	if strings.HasPrefix(rel, "/") || strings.ContainsFunc(rel, unicode.IsControl) {
		return refuse()
	}
	parts := make([]string, 0, strings.Count(rel, "/")+1)
	for part := range strings.SplitSeq(rel, "/") {
		switch {
		case part == "" || part == ".":
			continue
		case part == "..":
			return refuse()
		case windows && !windowsName(part):
			return refuse()
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return ".", nil
	}
	return strings.Join(parts, "/"), nil
}

// windowsName reports whether Windows opens exactly the file named part. It rejects "a:b" (an alternate data stream),
// trailing dots and spaces, and device names such as "NUL".
func windowsName(part string) bool {
	stem, _, _ := strings.Cut(part, ".")
	return !strings.ContainsRune(part, ':') && !strings.HasSuffix(part, ".") && !strings.HasSuffix(part, " ") &&
		!devices[strings.ToUpper(strings.TrimRight(stem, " "))]
}

var devices = set("CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$",
	"COM0", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8", "COM9", "COM¹", "COM²", "COM³",
	"LPT0", "LPT1", "LPT2", "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9", "LPT¹", "LPT²", "LPT³")

// Key converts a path from disk, an event or an index to a key. Paths with invisible characters are not valid.
func Key(rel string) (string, bool) {
	if rel == "" || rel == "." {
		return ".", true
	}
	rel = strings.TrimSuffix(filepath.ToSlash(rel), "/")
	if len(rel) > maxPath {
		return "", false
	}
	start, ascii := 0, true
	for i := 0; i <= len(rel); i++ {
		if i < len(rel) && rel[i] != '/' {
			if rel[i] < 0x20 || rel[i] == 0x7f {
				return "", false
			}
			ascii = ascii && rel[i] < utf8.RuneSelf
			continue
		}
		part := rel[start:i]
		if part == "" || part == "." || part == ".." {
			return "", false
		}
		if runtime.GOOS == "windows" && !windowsName(part) {
			return "", false
		}
		start = i + 1
	}
	if ascii {
		return rel, true
	}
	if !utf8.ValidString(rel) || strings.ContainsFunc(rel,
		func(r rune) bool { return invisible(r) || unicode.IsControl(r) }) {
		return "", false
	}
	return norm.NFC.String(rel), true
}

// invisible reports whether r is invisible (RFC 5.2). Emoji need variation selectors, so they are allowed.
func invisible(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case r == 0xad, r == 0x34f, r == 0x61c, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5,
		r == 0x3164, r == 0xfeff, r == 0xffa0,
		r >= 0x180b && r <= 0x180f, r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e,
		r >= 0x2060 && r <= 0x206f, r >= 0xfff0 && r <= 0xfffb, r >= 0x1bca0 && r <= 0x1bca3,
		r >= 0x1d173 && r <= 0x1d17a, r >= 0xe0000 && r <= 0xe00ff, r >= 0xe01f0 && r <= 0xe0fff:
		return true
	}
	return false
}

func variation(r rune) bool {
	return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef
}

func skeleton(name string) string {
	if isASCII(name) {
		return name
	}
	return norm.NFC.String(strip(name, func(r rune) bool { return invisible(r) || variation(r) }))
}

func strip(s string, drop func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if drop(r) {
			return -1
		}
		return r
	}, s)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// lower folds the case of s. It converts to upper case first, because "s" and "ſ" have the same capital letter.
func lower(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return strings.ToLower(strings.ToUpper(s))
}

// SafeJoin returns the absolute path of an existing file or folder below root (RFC 5.2). It returns SYMLINK_NOT_ALLOWED
// for a path through a symbolic link. A link may replace the file after the check, so open files only with Policy.Read.
func SafeJoin(root, rel string) (string, error) {
	key, err := Clean(rel)
	if err != nil {
		return "", err
	}
	if key == "." {
		return root, nil
	}
	p := &Policy{root: root, fold: foldsCase(root)}
	p.cache.Store(newCache())
	dir, err := p.openDir(path.Dir(key))
	if err != nil {
		return "", err
	}
	defer dir.Close()
	name, info, err := dir.lstat(path.Base(key), key)
	if err != nil {
		return "", err
	}
	if kind(info)&fs.ModeSymlink != 0 {
		return "", api.ErrSymlink(key)
	}
	return filepath.Join(root, filepath.FromSlash(dir.disk), name), nil
}

// OnDisk returns the path of a file or folder with its name on disk, which may be decomposed Unicode (NFD). If the file
// is missing, OnDisk returns key.
func (p *Policy) OnDisk(key string) string {
	if isASCII(key) {
		return key
	}
	if full, err := SafeJoin(p.root, key); err == nil {
		if rel, err := filepath.Rel(p.root, full); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return key
}

var systemFolders = strings.Fields(`/home /root /usr /etc /var /opt /mnt /media /tmp /bin /sbin /lib /lib64 /boot /dev
	/proc /sys /run /srv /snap /Users /System /Library /Applications /Volumes /private /private/tmp /private/var
	/private/etc`)

// IsTooBroad reports whether root is a drive, a home folder, a folder of home folders, or a system folder. The user has
// to confirm such a root twice.
func IsTooBroad(root string) bool {
	root = filepath.Clean(root)
	parent := filepath.Dir(root)
	if parent == root {
		return true
	}
	same := func(a, b string) bool {
		if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
			return strings.EqualFold(norm.NFC.String(a), norm.NFC.String(b))
		}
		return a == b
	}
	if slices.ContainsFunc(homes(), func(home string) bool { return same(root, home) || same(root, filepath.Dir(home)) }) {
		return true
	}
	if runtime.GOOS == "windows" {
		top := filepath.Dir(parent) == parent
		switch lower(filepath.Base(root)) {
		case "users", "windows", "program files", "program files (x86)", "programdata":
			return top
		}
		return lower(filepath.Base(parent)) == "users" && filepath.Dir(filepath.Dir(parent)) == filepath.Dir(parent)
	}
	return same(parent, "/home") || same(parent, "/Users") ||
		slices.ContainsFunc(systemFolders, func(dir string) bool { return same(root, dir) })
}

func homes() []string {
	var dirs []string
	add := func(dir string) {
		if !filepath.IsAbs(dir) {
			return
		}
		dirs = append(dirs, filepath.Clean(dir))
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dirs = append(dirs, real)
		}
	}
	if dir, err := os.UserHomeDir(); err == nil {
		add(dir)
	}
	if u, err := user.Current(); err == nil {
		add(u.HomeDir)
	}
	return dirs
}
