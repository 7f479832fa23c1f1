package watch

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// Cause is the reason for a batch. The constants are in order of increasing priority.
type Cause int

const (
	CauseResume   Cause = iota + 1 // changes that an earlier Orchestrator did not release
	CauseIdle                      // no changes for a while (lazy)
	CauseFlush                     // a search is about to start
	CauseChange                    // files changed
	CauseGit                       // HEAD moved
	CauseOverflow                  // events were lost
	CausePolicy                    // an ignore file or the configuration changed

	// The causes below request a comparison of the whole project. The git strategy delays it until HEAD moves, so that
	// uncommitted files are not indexed.
	CauseStart
	CauseRestart // the watcher failed and was restarted (RFC 10)
	CauseWake
	CauseDaily // RFC 5.6's periodic pass

	// No strategy delays the causes below.
	CauseMount
	CauseRoot // the root disappeared, returned or was replaced
)

type Batch struct {
	// Root is the prefix of the root that the batch comes from, "" or "@name/". It is valid only with RootGone or Back,
	// because other batches of an Orchestrator may combine several roots.
	Root string
	// Paths lists files and folders that may have changed, in sorted order. They are slash-separated, spelled as on disk,
	// and begin with the root's prefix. A folder includes everything below it.
	Paths []string
	// Rescan requests a comparison of the whole project. Paths is empty then.
	Rescan bool
	// Full requests that the rescan hash every file instead of comparing size and time.
	Full bool
	// Ignore reports that an ignore file changed, so the whole project must be compared.
	Ignore bool
	// RootGone reports that the root is missing or unreadable. Nothing may be deleted from the index then.
	RootGone bool
	// Back, together with Rescan, reports that the root has returned.
	Back bool
	// Head is the position of HEAD under the git strategy, or "". After indexing the batch, the caller stores it in
	// OrchestratorOptions.Head.
	Head  string
	Cause Cause
}

func (b Batch) Empty() bool {
	return len(b.Paths) == 0 && !b.Rescan && !b.Full && !b.Ignore && !b.RootGone && !b.Back
}

// join adds c to b. RootGone and Back batches are never joined.
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

// collapse reduces a set of paths, relative to a root, to a sorted list. It drops paths below another path. It replaces
// the paths in a folder by the folder if their number exceeds perDir. It requests a rescan if the list exceeds total
// paths.
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
