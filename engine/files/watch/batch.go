package watch

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// Cause is the reason for a batch.
type Cause string

// The causes. Those from CauseStart on ask for a pass over the whole project, which the git strategy alone holds back.
const (
	CauseChange   Cause = "change"   // files changed
	CauseOverflow Cause = "overflow" // events were lost
	CausePolicy   Cause = "policy"   // an ignore file or the configuration changed what belongs to the project
	CauseIdle     Cause = "idle"     // lazy: nothing changed for a while
	CauseFlush    Cause = "flush"    // a search waits for it
	CauseGit      Cause = "git"      // HEAD moved
	CauseResume   Cause = "resume"   // the pause or the strategy that held the paths back is over

	CauseStart   Cause = "start"   // the watches stand; RFC 5.6's pass at start
	CauseRestart Cause = "restart" // the watcher died and was started again (RFC 10)
	CauseMount   Cause = "mount"   // a file system below the root came or went
	CauseRoot    Cause = "root"    // the root went, came back or was replaced
	CauseDaily   Cause = "daily"   // RFC 5.6's periodic pass
	CauseWake    Cause = "wake"    // the machine slept
)

// bypassesStrategy reports whether a recorded batch of that cause is released whatever the strategy.
func (c Cause) bypassesStrategy() bool {
	switch c {
	case CauseStart, CauseRestart, CauseMount, CauseRoot, CauseDaily, CauseWake:
		return true
	}
	return false
}

// waitsForHead reports whether the git strategy keeps a batch of that cause until HEAD moves: a pass over the whole
// project would index what is not committed, and the move covers it.
func (c Cause) waitsForHead() bool {
	return c.bypassesStrategy() && c != CauseMount && c != CauseRoot
}

// Batch is a set of hints where files may have changed.
type Batch struct {
	// Root is the prefix of the root that the batch comes from, "" or "@name/". It matters with RootGone and Back; a
	// batch of an Orchestrator that has neither may join several roots.
	Root string
	// Paths are files and folders that may have changed, appeared or gone, with the root's prefix, slash-separated,
	// spelled as on disk, sorted. A folder stands for everything below it. A further root as a whole is its prefix
	// without the slash.
	Paths []string
	// Rescan asks for a comparison of the whole project; Paths is empty then.
	Rescan bool
	// Full asks that the rescan hash every file instead of trusting size and time.
	Full bool
	// Ignore says that an ignore file has changed, and with it which files belong to the project. Whatever Paths are, the
	// whole project has to be compared under the new rules.
	Ignore bool
	// RootGone says that the root is missing or unreadable: nothing is to be deleted, the project is offline. Back
	// ends that, and comes with Rescan.
	RootGone, Back bool
	// Head is where the git strategy saw HEAD: to be kept as OrchestratorOptions.Head when the batch is indexed, which may
	// be empty otherwise.
	Head string
	// Cause is why the batch was made; of joined batches, that of the highest priority.
	Cause Cause
}

// Empty says that there is nothing to do.
func (b Batch) Empty() bool {
	return len(b.Paths) == 0 && !b.Rescan && !b.Full && !b.Ignore && !b.RootGone && !b.Back
}

// causePriority selects the cause of joined batches.
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

// join adds c to b. Neither may be RootGone or Back; these keep their order and are never joined.
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

// collapse reduces a set of paths relative to a root: paths below another one are dropped, more than perDir in one
// folder become the folder, more than total become a rescan. The result is sorted.
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

// hasAncestor reports whether a folder above p is in the set.
func hasAncestor(set map[string]struct{}, p string) bool {
	for i := strings.LastIndexByte(p, '/'); i > 0; i = strings.LastIndexByte(p[:i], '/') {
		if _, ok := set[p[:i]]; ok {
			return true
		}
	}
	return false
}
