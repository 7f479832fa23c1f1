package watch

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// Cause is the reason for a batch. The causes are in order of increasing priority.
type Cause int

const (
	CauseResume   Cause = iota + 1 // changes that an earlier run did not pass on
	CauseIdle                      // no changes for a while (lazy strategy)
	CauseFlush                     // a search is about to start
	CauseChange                    // files changed
	CauseGit                       // HEAD moved
	CauseOverflow                  // events were lost
	CausePolicy                    // an ignore file or the configuration changed

	// The causes below compare the whole project. Under the git strategy, the comparison waits until HEAD moves.
	CauseStart
	CauseRestart // the watcher failed and was restarted (RFC 10)
	CauseWake
	CauseDaily // daily comparison (RFC 5.6)

	// No strategy delays the causes below.
	CauseMount
	CauseRoot // the root disappeared, returned or was replaced
)

type Batch struct {
	// Root is the prefix of the root that is missing or has returned, "" or "@name/". It is used only with RootGone and
	// Back.
	Root string
	// Paths lists files and folders that may have changed, in sorted order. Each begins with the root's prefix. A
	// folder includes all files below the folder.
	Paths []string
	// Rescan requests a comparison of the whole project. Paths is then empty.
	Rescan bool
	// Full requests a comparison of all files by content, not only by size and time.
	Full bool
	// Ignore reports that an ignore file changed, so the whole project must be compared.
	Ignore bool
	// RootGone reports that the root is missing or unreadable. Then no file may be deleted from the index.
	RootGone bool
	// Back, with Rescan, reports that a missing root has returned.
	Back bool
	// Head is the position of HEAD under the git strategy, or "". The caller saves Head in OrchestratorOptions.Head
	// after indexing the batch.
	Head  string
	Cause Cause
}

func (b Batch) Empty() bool {
	return len(b.Paths) == 0 && !b.Rescan && !b.Full && !b.Ignore && !b.RootGone && !b.Back
}

// join adds the changes of c to b. b and c must not be RootGone or Back batches.
func (b Batch) join(c Batch) Batch {
	if b.Empty() {
		return c
	}
	b.Rescan = b.Rescan || c.Rescan
	b.Full = b.Full || c.Full
	b.Ignore = b.Ignore || c.Ignore
	b.Cause = max(b.Cause, c.Cause)
	if b.Root != c.Root {
		b.Root = ""
	}
	if b.Rescan {
		b.Paths = nil
		return b
	}
	b.Paths = slices.Concat(b.Paths, c.Paths)
	slices.Sort(b.Paths)
	b.Paths = slices.Compact(b.Paths)
	return b
}

// collapse sorts a set of paths and drops paths below other paths. It replaces more than perDir files of a folder by
// the folder. rescan is true for more than total paths.
func collapse(set map[string]struct{}, perDir, total int) (paths []string, rescan bool) {
	for {
		if _, ok := set["."]; ok {
			return nil, true
		}
		children := map[string]int{}
		for p := range set {
			if hasAncestor(set, p) {
				delete(set, p)
				continue
			}
			children[path.Dir(p)]++
		}
		merged := false
		for dir, n := range children {
			if n > perDir {
				set[dir] = struct{}{}
				merged = true
			}
		}
		if !merged {
			break
		}
	}
	if len(set) > total {
		return nil, true
	}
	return slices.Sorted(maps.Keys(set)), false
}

func hasAncestor(set map[string]struct{}, p string) bool {
	for i := strings.LastIndexByte(p, '/'); i > 0; i = strings.LastIndexByte(p[:i], '/') {
		if _, ok := set[p[:i]]; ok {
			return true
		}
	}
	return false
}
