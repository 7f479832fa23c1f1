// Package scan finds out what is on disk: it walks a root under its policy, compares what it finds with what is known,
// and tells which folder is a project's root and what a project's identity is.
//
// It owns the rule by which an unchanged file is recognised without reading it. It must not know what is done about a
// change, and it opens no file: folders are listed and files looked at through package policy.
//
// Walk runs a handful of goroutines that list folders and waits for all of them before it returns; Diff and Paths call
// it. The one lock guards the queue of folders and is held over no I/O.
package scan

import (
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
)

// ErrRootGone says that the root is missing, unreadable, or an unmounted mount point: empty, and not the folder that
// held the known files. Nothing may be concluded about any file.
var ErrRootGone = policy.ErrRootGone

// File is one file that policy lets pass as far as can be told without opening it.
type File struct {
	Path   string // key: relative to the root, slash-separated, NFC
	Stamp  policy.Stamp
	Corpus api.Corpus
}

// Report summarises a walk.
type Report struct {
	Files   int   // visited
	Bytes   int64 // of these
	Skipped api.Skipped
	// Examples has the first few skipped paths by reason.
	Examples map[api.Reason][]string
	// Paths has the reason of each skipped path, of MaxPaths at most; Skipped counts all.
	Paths map[string]api.Reason
	// Unreadable lists folders and entries about which nothing could be found out: what is known at or below them stays.
	Unreadable []string
}

// examples is how many skipped paths of a reason a preview shows.
const examples = 5

// MaxPaths bounds Report.Paths: some 5 MB. A skipped folder is one path, so that few projects have more than hundreds.
const MaxPaths = 50000

// Known are the committed files, which a scan compares with.
type Known interface {
	// Stamp gives a file's metadata and the time at which they were compared with its content.
	Stamp(path string) (s policy.Stamp, checked time.Time, ok bool)
	// Paths gives every known file, in any order.
	Paths() iter.Seq[string]
}

// Changes is the difference between disk and what is known.
type Changes struct {
	Changed   []File   // new, or not recognisably the same; sorted by path
	Removed   []string // known, and gone or skipped by today's rules; sorted
	Unchanged int      // files that are the same
	Report    Report
}

// racyWindow is how much older than its check a file's time must be to be trusted: file systems have times of up to 2 s
// granularity (FAT), and a file written twice within one tick looks unchanged (RFC 5.6: younger than 2 s).
const racyWindow = 2 * time.Second

// unchanged reports whether a file is recognisably unchanged since it was checked. Inodes count where both sides have
// one.
func unchanged(now, then policy.Stamp, checked time.Time) bool {
	return now.Size == then.Size && now.ModTime.Equal(then.ModTime) &&
		(now.Inode == then.Inode || now.Inode == 0 || then.Inode == 0) &&
		checked.Sub(then.ModTime) >= racyWindow
}

// Hash is the SHA-256 of a file's content in lower-case hex, the value of a fingerprint (RFC 3.3).
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
