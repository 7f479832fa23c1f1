package watch

import (
	"maps"
	"path"
	"slices"
	"strings"
)

type Cause string

// CauseStart and the causes after it request a pass over the whole project, which only the git strategy delays.
const (
	CauseChange   Cause = "change"   // files changed
	CauseOverflow Cause = "overflow" // events were lost
	CausePolicy   Cause = "policy"   // an ignore file or the configuration changed
	CauseIdle     Cause = "idle"     // no changes for a while (lazy)
	CauseFlush    Cause = "flush"    // a search is about to start
	CauseGit      Cause = "git"      // HEAD moved
	CauseResume   Cause = "resume"   // the pause or strategy that delayed the paths has ended

	CauseStart   Cause = "start"   // the watches are set
	CauseRestart Cause = "restart" // the watcher failed and was restarted (RFC 10)
	CauseMount   Cause = "mount"
	CauseRoot    Cause = "root"  // the root disappeared, returned or was replaced
	CauseDaily   Cause = "daily" // RFC 5.6's periodic pass
	CauseWake    Cause = "wake"  // the machine slept
)

// bypassesStrategy reports whether a batch with this cause is released at once under every strategy, except if
// waitsForHead delays it under git.
func (c Cause) bypassesStrategy() bool {
	switch c {
	case CauseStart, CauseRestart, CauseMount, CauseRoot, CauseDaily, CauseWake:
		return true
	}
	return false
}

// waitsForHead reports whether the git strategy keeps a batch with this cause until HEAD moves, because an earlier pass
// would index uncommitted files.
func (c Cause) waitsForHead() bool {
	return c.bypassesStrategy() && c != CauseMount && c != CauseRoot
}

type Batch struct {
	// Root is the prefix of the root that the batch comes from, "" or "@name/". It is valid only with RootGone or Back,
	// because other batches of an Orchestrator may combine several roots.
	Root string
	// Paths lists files and folders that may have changed, sorted, with slashes, in the spelling on disk, each with the
	// root's prefix. A folder includes everything below it. The prefix without its slash represents a whole additional
	// root.
	Paths []string
	// Rescan requests a comparison of the whole project. Paths is empty then.
	Rescan bool
	// Full requests that the rescan hash every file instead of comparing size and time.
	Full bool
	// Ignore reports that an ignore file changed, so that the whole project must be compared.
	Ignore bool
	// RootGone reports that the root is missing or unreadable, in which case nothing may be deleted from the index. Back,
	// together with Rescan, reports that the root has returned.
	RootGone, Back bool
	// Head is the position of HEAD under the git strategy, or "". The caller stores it as OrchestratorOptions.Head after
	// indexing the batch.
	Head string
	// Cause is the reason for the batch. A joined batch has the cause of highest priority.
	Cause Cause
}

func (b Batch) Empty() bool {
	return len(b.Paths) == 0 && !b.Rescan && !b.Full && !b.Ignore && !b.RootGone && !b.Back
}

var causePriority = map[Cause]int{
	CauseResume: 1, CauseIdle: 1, CauseFlush: 1, CauseChange: 2, CauseGit: 3, CauseOverflow: 4, CausePolicy: 5,
	CauseStart: 6, CauseRestart: 7, CauseMount: 8, CauseWake: 9, CauseDaily: 10, CauseRoot: 11,
}

func higherPriority(a, b Cause) Cause {
	if causePriority[b] > causePriority[a] {
		return b
	}
	return a
}

// join adds c to b. RootGone and Back batches are never joined.
func (b Batch) join(c Batch) Batch {
	if b.Empty() {
		return c
	}
	b.Rescan = b.Rescan || c.Rescan
	b.Full = b.Full || c.Full
	b.Ignore = b.Ignore || c.Ignore
	b.Cause = higherPriority(b.Cause, c.Cause)
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

// collapse reduces a set of paths relative to a root to a sorted list. It drops paths below another path, replaces more
// than perDir paths in a folder by the folder, and more than total paths by a rescan.
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
