// Package scan walks a root, compares its files with the known files, and determines a project's root and identity. It
// must not depend on how changes are handled, and opens no files. Walk, Diff and Paths run a few goroutines and wait
// for them. The package has no locks.
package scan

import (
	"crypto/sha256"
	"fmt"
	"iter"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
)

var ErrRootGone = policy.ErrRootGone

type File struct {
	Path   string // slash-separated, in NFC, relative to the root
	Stamp  policy.Stamp
	Corpus api.Corpus
}

type Report struct {
	Files   int
	Bytes   int64
	Skipped api.Skipped
	// Examples lists a few skipped paths by reason.
	Examples map[api.Reason][]string
	Paths    map[string]api.Reason
	// Unreadable lists the files and folders that could not be read.
	Unreadable []string
}

const examples = 5

// MaxPaths limits Report.Paths to about 5 MB.
const MaxPaths = 50000

type Known interface {
	// Stamp returns the stamp of a known file, and when its content was last checked.
	Stamp(path string) (s policy.Stamp, checked time.Time, ok bool)
	// Paths yields all known files in any order.
	Paths() iter.Seq[string]
}

type Changes struct {
	Changed   []File   // new or possibly changed files, sorted by path
	Removed   []string // known files that are missing or now skipped, sorted
	Unchanged int      // number of files
	Report    Report
}

// racyWindow is the minimum age of a modification time. A file that was modified more recently may change again without
// a new time, because FAT stores times in units of 2 s (RFC 5.6).
const racyWindow = 2 * time.Second

// unchanged reports whether a file has the stamp old, which was taken when its content was last checked.
func unchanged(stamp, old policy.Stamp, checked time.Time) bool {
	return stamp.Size == old.Size && stamp.ModTime.Equal(old.ModTime) &&
		(stamp.Inode == old.Inode || stamp.Inode == 0 || old.Inode == 0) &&
		checked.Sub(old.ModTime) >= racyWindow
}

// Hash returns the SHA-256 of a file's content in hex (RFC 3.3).
func Hash(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }
