package watch

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/text/unicode/norm"

	"searchmcp/engine/api"
)

type everything struct{ *rules }

func (everything) Dir(string) api.Reason    { return "" }
func (everything) Path(string) api.Reason   { return "" }
func (everything) IsIgnoreFile(string) bool { return false }

// likeFSEvents imitates FSEvents at its most inconvenient: late, with all possible flags, in any order, and with the
// root in another spelling.
type likeFSEvents struct{ t *testing.T }

func (f likeFSEvents) stream(dir string, report func([]streamEvent)) (func(), error) {
	const all = streamCreated | streamRemoved | streamRenamed | streamModified | streamInodeMeta | streamXattr
	w := New(everything{newRules(dir)}, Options{open: openTree, limits: limits{
		quiet: 5 * time.Millisecond, maxDelay: 50 * time.Millisecond, noisyAfter: time.Second, maxPerDir: 100,
		maxPaths: 1000, maxPending: 50000,
	}})
	ctx, cancel := context.WithCancel(context.Background())
	out, started := make(chan Batch), make(chan struct{})
	var work sync.WaitGroup
	work.Go(func() {
		defer close(out)
		w.Run(ctx, out)
	})
	spelled := strings.ToUpper(norm.NFD.String(dir))
	work.Go(func() {
		for b := range out {
			switch {
			case b.Cause == CauseStart:
				close(started)
				continue
			case b.RootGone || b.Back:
				report([]streamEvent{{dir, streamRootChanged}})
			case b.Rescan:
				report([]streamEvent{{spelled + "/", streamMustScan | streamKernelDrop}})
			}
			list := []streamEvent{{spelled, streamInodeMeta}}
			for _, rel := range b.Paths {
				e := streamEvent{spelled + "/" + rel, all}
				if fi, err := os.Lstat(filepath.Join(dir, rel)); err == nil && fi.IsDir() {
					e.flags |= streamMustScan
				}
				list = append(list, e)
			}
			report(list)
		}
	})
	<-started
	return func() { cancel(); work.Wait() }, nil
}

func TestStreamsKeepTheContract(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has other paths and uses recursive_windows.go")
	}
	for name, test := range map[string]func(*testing.T){
		"FilesAndFolders": TestFilesAndFolders, "MoveAcrossTheRoot": TestMoveAcrossTheRoot,
		"FoldersThatCostNoWatch": TestFoldersThatCostNoWatch, "FolderReplacedByLink": TestFolderReplacedByLink,
		"UnreadableFolder": TestUnreadableFolder, "IgnoreFile": TestIgnoreFile, "RealPolicy": TestRealPolicy,
		"RootRemovedAndBack": TestRootRemovedAndBack, "RootMissingAtStart": TestRootMissingAtStart,
		"RandomOperations": TestRandomOperations,
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			must(t, os.Mkdir(filepath.Join(top, "Private Größe"), 0o700))
			must(t, os.Symlink("Private Größe", filepath.Join(top, "tmp")))
			t.Setenv("TMPDIR", filepath.Join(top, "tmp"))
			old := rigTree
			t.Cleanup(func() { rigTree = old })
			rigTree = streamTree(likeFSEvents{t})
			test(t)
		})
	}
}

func streamTree(system streamSystem) func(*queue) sources {
	return func(q *queue) sources {
		return sources{tree: &stream{system: system, queue: q}, recursive: true, outside: newFake()}
	}
}

type handEvents struct {
	refuse error

	mu     sync.Mutex
	log    []string
	report func(...streamEvent)
}

func (h *handEvents) stream(_ string, report func([]streamEvent)) (func(), error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.refuse != nil {
		return nil, h.refuse
	}
	h.log = append(h.log, "start")
	h.report = func(list ...streamEvent) { report(list) }
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.log = append(h.log, "stop")
		h.report = nil
	}, nil
}

func (h *handEvents) calls() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.log)
}

func TestStreamDecode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths are others")
	}
	const dir, real = "/tmp/Größe", "/private/tmp/Größe"
	decomposed := norm.NFD.String(real)
	for _, test := range []struct {
		name        string
		event       streamEvent
		want        string // "" for no event
		scan, moved bool
	}{
		{"created", streamEvent{real + "/a.go", streamCreated | 0x10000}, "/a.go CREATE", false, false},
		{"all at once", streamEvent{real + "/a.go", streamCreated | streamRemoved | streamRenamed | streamModified},
			"/a.go CREATE|REMOVE|WRITE|RENAME", false, false},
		{"an unsaved editor's clone", streamEvent{real + "/a.go", streamCloned}, "/a.go WRITE", false, false},
		{"fetched by iCloud", streamEvent{real + "/a.go", streamInodeMeta}, "/a.go WRITE|CHMOD", false, false},
		{"Finder's tag", streamEvent{real + "/a.go", streamXattr | streamFinderInfo}, "/a.go CHMOD", false, false},
		{"another owner", streamEvent{real + "/a.go", streamChangedOwner}, "/a.go CHMOD", false, false},
		{"a kind alone", streamEvent{real + "/a.go", 0x10000}, "", false, false},
		{"as added", streamEvent{dir + "/a.go", streamRemoved}, "/a.go REMOVE", false, false},
		{"decomposed", streamEvent{decomposed + "/u\u0308.go", streamRemoved}, "/u\u0308.go REMOVE", false, false},
		{"another case", streamEvent{"/PRIVATE/tmp/GRÖSSE/a.go", streamRemoved}, "", true, false}, // ß is not S
		{"the same in capitals", streamEvent{"/PRIVATE/TMP/GRÖẞE/A.go", streamRemoved}, "/A.go REMOVE", false, false},
		{"on its volume", streamEvent{dataVolume + real + "/a.go", streamRenamed}, "/a.go RENAME", false, false},
		{"the root", streamEvent{real + "/", streamInodeMeta}, " WRITE|CHMOD", false, false},
		{"the root's name", streamEvent{real, streamRenamed}, " RENAME", false, false},
		{"a root that came", streamEvent{real, streamCreated}, "", true, false},
		{"lost below", streamEvent{real + "/x/y/", streamMustScan}, "/x/y CREATE|REMOVE", false, false},
		{"lost at the root", streamEvent{real + "/", streamMustScan | streamUserDropped}, "", true, false},
		{"lost above", streamEvent{"/", streamMustScan | streamKernelDrop}, "", true, false},
		{"beside", streamEvent{real + "2/a.go", streamModified}, "", true, false},
		{"nowhere", streamEvent{"", streamModified}, "", true, false},
		{"a volume came", streamEvent{real + "/disk", streamMount}, "/disk CREATE|REMOVE", false, false},
		{"a volume went", streamEvent{real + "/disk", streamUnmount}, "/disk CREATE|REMOVE", false, false},
		{"moved", streamEvent{real, streamRootChanged}, "", true, true},
		{"no more history", streamEvent{"/Volumes/x", streamHistoryDone}, "", false, false},
		{"numbers begin anew", streamEvent{"/", streamIDsWrapped}, "", false, false},
		{"and something else", streamEvent{real + "/a.go", streamIDsWrapped | streamModified}, "/a.go WRITE", false, false},
	} {
		events, scan, moved := streamPaths{dir, real}.decode([]streamEvent{test.event})
		var got string
		for _, e := range events {
			got += strings.TrimPrefix(e.Name, dir) + " " + e.Op.String()
		}
		wantEqual(t, got, test.want, "%s: result", test.name)
		wantEqual(t, scan, test.scan, "%s: scan", test.name)
		wantEqual(t, moved, test.moved, "%s: moved", test.name)
	}
}

func FuzzStreamDecode(f *testing.F) {
	f.Add("/r", "/r/a", "/R/A/b", uint32(streamMustScan))
	f.Fuzz(func(t *testing.T, dir, real, path string, flags uint32) {
		events, scan, _ := streamPaths{dir, real}.decode([]streamEvent{{path, streamFlags(flags)}})
		if len(events) == 0 && !scan && streamFlags(flags).op() != 0 && streamFlags(flags)&streamRootChanged == 0 {
			t.Errorf("nothing comes of %x at %q below %q", flags, path, real)
		}
	})
}

func TestMovedRootGetsNewStream(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	h := &handEvents{}
	s := &stream{system: h, queue: newQueue(10)}
	move := func(want ...string) {
		t.Helper()
		must(t, s.Add(root))
		h.report(streamEvent{root, streamRootChanged})
		<-s.queue.signal
		if _, overflow, err := s.queue.take(); !overflow || err != nil {
			t.Errorf("overflow %v, error %v", overflow, err)
		}
		wantList(t, h.calls(), want, "calls")
	}
	move("start", "stop", "start")
	must(t, s.Add(root))
	must(t, os.Rename(root, root+".away"))
	move("start", "stop", "start", "stop")
	must(t, os.Rename(root+".away", root))
	move("start", "stop", "start", "stop", "start", "stop", "start")
	must(t, s.Close())
	must(t, s.Close())
	wantEqual(t, h.report == nil, true, "a stream runs on")
}

func TestNoStream(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	write(t, filepath.Join(root, "d", "e", "a.go"), "1")
	h := &handEvents{refuse: errors.New("no")}
	synctest.Test(t, func(t *testing.T) {
		w, out := bubble(t, newRules(root), streamTree(h))
		<-out
		s := w.Status()
		if s.Watched != 0 || s.Polled != 3 || runtime.GOOS != "linux" && !strings.Contains(s.Note, "no file events") {
			t.Errorf("%+v", s)
		}
		h.mu.Lock()
		h.refuse = nil
		h.mu.Unlock()
		write(t, filepath.Join(root, "d", "b.go"), "1")
		wantList(t, (<-out).Paths, []string{"d/b.go"}, "paths")
		if s := w.Status(); s.Watched != 3 || s.Polled != 0 || len(h.calls()) != 1 {
			t.Errorf("%+v, %v", s, h.calls())
		}
	})
}

func TestOtherSpelling(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	decomposed := norm.NFD.String("Größe")
	write(t, filepath.Join(root, decomposed, "Src", "a.go"), "1")
	write(t, filepath.Join(root, "node_modules", "x", "b.go"), "1")
	write(t, filepath.Join(root, ".git", "info", "exclude"), "")
	write(t, filepath.Join(root, ".git", "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(root, ".git", "config"), "")
	synctest.Test(t, func(t *testing.T) {
		h := &handEvents{}
		_, out := bubble(t, newRules(root), streamTree(h))
		<-out
		h.report(streamEvent{root + "/node_modules/X/b.go", streamModified},
			streamEvent{root + "/GRÖẞE/src/a.go", streamModified})
		wantList(t, (<-out).Paths, []string{decomposed + "/Src/a.go"}, "paths")
		h.report(streamEvent{root + "/" + decomposed, streamMustScan})
		wantList(t, (<-out).Paths, []string{decomposed}, "paths")
		h.report(streamEvent{root + "/.git/info", streamMustScan})
		if b := <-out; !b.Ignore {
			t.Errorf("%+v", b)
		}
	})
}

func TestChangeOfCase(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	write(t, filepath.Join(root, "src", "in", "a.go"), "1")
	if _, err := os.Lstat(filepath.Join(root, "SRC")); err != nil {
		t.Skip("this file system is case-sensitive")
	}
	if fi, err := os.Lstat(root); err != nil || fileIDOf(fi) == (fileID{}) {
		t.Skip("folders have no identity here; a tree of one watch has one name too many until the next full pass")
	}
	rename := func(from, to string) { // through a third name, because Wine ignores a change of case alone
		t.Helper()
		between := filepath.Join(root, "between")
		must(t, errors.Join(os.Rename(filepath.Join(root, from), between), os.Rename(between, filepath.Join(root, to))))
	}
	for i, names := range [][2]string{{"src", "SRC"}, {"SRC", "src"}} {
		for _, first := range []int{0, 1} {
			tr := newTree(newRules(root), sources{tree: newFake(), outside: newFake()}, slog.New(slog.DiscardHandler))
			tr.add(t.Context(), ".")
			rename(names[0], names[1])
			for _, name := range []string{names[first], names[1-first]} {
				if d := tr.find(name); d != nil {
					tr.remove(d)
				}
				tr.add(t.Context(), name)
			}
			if tr.find(names[0]) != nil || tr.find(names[1]+"/in") == nil || tr.folders[watched] != 3 ||
				tr.folders[polled] != 0 {
				t.Errorf("%d %d: %d watched, %d polled", i, first, tr.folders[watched], tr.folders[polled])
			}
			rename(names[1], names[0])
			tr.resync(t.Context())
			if tr.find(names[1]) != nil || tr.find(names[0]) == nil || tr.folders[watched] != 3 || tr.folders[polled] != 0 {
				t.Errorf("%d %d after a resync: %d watched, %d polled", i, first, tr.folders[watched], tr.folders[polled])
			}
		}
		rename(names[0], names[1])
	}
}
