package search

import (
	"math"
	"path"
	"strings"
)

// What other files say for a file. Tests describe in words what a file does, so a test that matches speaks for what it
// tests; files of one folder do one thing, so neighbours that match speak for each other.
const (
	testedWeight = 0.20 // of the best test's score
	folderWeight = 0.20 // of the mean of the folder's two best other files
	// changedFolderWeight is the same for messages of changes, which are answered by several files oftener.
	changedFolderWeight = 0.30
)

// What commits say for the files that they changed. Messages of changes are like messages of changes, so they count
// more for each other; a message that a program printed may begin like one, and be of the same package.
const (
	historyWeight        = 0.3
	changedHistoryWeight = 1.0
)

func (r *ranking) historyWeight() float64 {
	if r.q.change || r.q.scope != nil {
		return r.w.context * changedHistoryWeight
	}
	return r.w.context * historyWeight
}

// Messages of changes alone.
const (
	scopeWeight        = 0.6 // for files that the message's scope names
	changedScopeWeight = 0.8 // for files that commits of the message's scope changed
	// sizeWeight is what each doubling of a file's length beyond sizeUnit lines adds to its score: large files change
	// oftener.
	sizeWeight = 0.06
	sizeUnit   = 100
)

// fileContext has the scores of tests and folders.
type fileContext struct {
	tests   map[string]float64 // by the stem of what they test
	stems   map[string]int     // files that are no tests, by stem
	folders map[string][]rated // the best three files of each, best first
	top     float64
}

type rated struct {
	path  string
	score float64
}

// fileContext gathers the best scores of the candidates' files, relative to the best of all, top.
func (r *ranking) fileContext(top float64) fileContext {
	k := fileContext{tests: map[string]float64{}, stems: map[string]int{}, folders: map[string][]rated{},
		top: max(top, 1e-9)}
	if r.w.context == 0 {
		return k
	}
	for p, f := range r.files {
		switch {
		case len(f.scores) == 0:
		case f.role&isTest != 0:
			s := testedStem(p)
			k.tests[s] = max(k.tests[s], f.scores[0])
		default:
			k.stems[normalise(stem(p))]++
			if f.role&(isExample|isBenchmark) == 0 {
				k.addToFolder(rated{p, f.scores[0]})
			}
		}
	}
	return k
}

// considered is how many files of a folder count for each other.
const considered = 2

func (k *fileContext) addToFolder(f rated) {
	dir := path.Dir(f.path)
	all := append(k.folders[dir], f)
	for i := len(all) - 1; i > 0 && all[i].score > all[i-1].score; i-- {
		all[i], all[i-1] = all[i-1], all[i]
	}
	k.folders[dir] = all[:min(len(all), considered+1)]
}

// tested is the share of the best score that the tests of a file have. Of several files that a test may be of, each has
// its part.
func (k *fileContext) tested(p string) float64 {
	s := normalise(stem(p))
	return k.tests[s] / k.top / float64(max(1, k.stems[s]))
}

// neighbours is the mean share of the best score that the best other files of a file's folder have.
func (k *fileContext) neighbours(p string) float64 {
	sum, n := 0.0, 0
	for _, f := range k.folders[path.Dir(p)] {
		if f.path != p && n < considered {
			sum += f.score
			n++
		}
	}
	return sum / considered / k.top
}

// addContext adds to a candidate what other files and a message's scope say for its file.
func (r *ranking) addContext(k *fileContext, c *candidate, f *fileSignals) {
	if r.w.context == 0 {
		return
	}
	if r.q.scope != nil {
		c.add("scope", r.w.context*r.inScope(c.path), "")
	}
	if f.role&isTest == 0 {
		c.add("tests", r.w.context*testedWeight*k.tested(c.path), "")
		w := folderWeight
		if r.q.change {
			w = changedFolderWeight
		}
		c.add("folder", r.w.context*w*k.neighbours(c.path), "")
	}
	if r.q.certainChange {
		c.add("size", r.w.context*sizeWeight*c.score*math.Log2(1+float64(f.lines)/sizeUnit), "")
	}
}

// testedStem is the normalised stem of the file that a test is named after: session_test.go, test_session.py,
// SessionTests.swift.
func testedStem(p string) string {
	s := normalise(stem(p))
	for _, end := range []string{"test", "tests", "spec"} {
		s = strings.TrimRight(strings.TrimSuffix(s, end), "-")
	}
	return strings.TrimLeft(strings.TrimPrefix(s, "test"), "-")
}

// partOfName is the match of a scope that is one word of a folder's or file's name.
const partOfName = 0.5

// knownScope is how many commits of a scope say as much of where it is as its name does.
const knownScope = 2

// inScope is what a message's scope says for a path: by its name and, the more commits there are of the scope, by what
// they changed. "gpg: …" is rarely about the file gpg.c, but about its folder.
func (r *ranking) inScope(p string) float64 {
	named := scopeWeight * scopeMatch(p, r.q.scope)
	if r.scopeCommits == 0 {
		return named
	}
	n := float64(r.scopeCommits)
	return (knownScope*named + n*changedScopeWeight*r.scopeChanged(p)) / (knownScope + n)
}

// scopeMatch is how well a path is what a scope names, [0,1]: a file or a folder of that name or path, or less where
// the scope is a part of the name.
func scopeMatch(p string, scopes []string) float64 {
	best := 0.0
	p = strings.ToLower(p)
	whole, bare := "/"+p+"/", "/"+strings.TrimSuffix(p, path.Ext(p))+"/"
	for _, s := range scopes {
		if strings.Contains(whole, "/"+s+"/") || strings.HasSuffix(bare, "/"+s+"/") || normalise(stem(p)) == normalise(s) {
			return 1
		}
		if i := strings.Index(bare, s); i > 0 && isSeparator(bare[i-1]) && isSeparator(bare[i+len(s)]) {
			best = partOfName
		}
	}
	return best
}

func isSeparator(c byte) bool { return strings.IndexByte("/-_.", c) >= 0 }
