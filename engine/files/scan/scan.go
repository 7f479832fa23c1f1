// Package scan walks a root under its policy, compares it with the known files, and determines a project's root and
// identity.
//
// It owns the rule that recognizes an unchanged file without reading it. It must not know how changes are handled. It
// opens no files: package policy lists folders and examines files.
//
// Walk runs a few goroutines that list folders and waits for them before it returns; Diff and Paths call it. The
// package has no locks.
package scan

import (
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
)

// ErrRootGone reports that the root is missing, unreadable, or an unmounted mount point (empty, and not the folder
// that contained the known files). Nothing is known about its files.
var ErrRootGone = policy.ErrRootGone

// File is a file that policy allows, as far as it is known without opening it.
type File struct {
	Path   string // relative to the root, slash-separated, NFC
	Stamp  policy.Stamp
	Corpus api.Corpus
}

// Report summarises a walk.
type Report struct {
	Files   int   // number of visited files
	Bytes   int64 // total size of visited files
	Skipped api.Skipped
	// Examples lists the first few skipped paths by reason.
	Examples map[api.Reason][]string
	// Paths maps skipped paths to reasons, at most MaxPaths; Skipped counts all.
	Paths map[string]api.Reason
	// Unreadable lists unreadable folders and entries. Known files at or below them are kept.
	Unreadable []string
}

// examples is the number of skipped paths per reason that a preview shows.
const examples = 5

// MaxPaths limits Report.Paths to about 5 MB. A skipped folder is one path, so that few projects have more than
// hundreds.
const MaxPaths = 50000

// Known provides the committed files for comparison.
type Known interface {
	// Stamp returns a file's metadata and the time of their comparison with its content.
	Stamp(path string) (s policy.Stamp, checked time.Time, ok bool)
	// Paths yields every known file, in any order.
	Paths() iter.Seq[string]
}

// Changes is the difference between the disk and the known files.
type Changes struct {
	Changed   []File   // new, or not recognizably unchanged; sorted by path
	Removed   []string // known, but missing or skipped by the current rules; sorted
	Unchanged int      // number of unchanged files
	Report    Report
}

// racyWindow is the minimum age of a trusted time: a file system's granularity is up to 2 s (FAT; RFC 5.6).
const racyWindow = 2 * time.Second

// unchanged reports whether a file is recognizably unchanged since it was checked. Inodes are compared if both are
// known.
func unchanged(now, then policy.Stamp, checked time.Time) bool {
	return now.Size == then.Size && now.ModTime.Equal(then.ModTime) &&
		(now.Inode == then.Inode || now.Inode == 0 || then.Inode == 0) &&
		checked.Sub(then.ModTime) >= racyWindow
}

// Hash returns the SHA-256 of a file's content in lower-case hex, the value of a fingerprint (RFC 3.3).
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
