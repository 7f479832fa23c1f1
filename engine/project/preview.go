package project

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/host/disk"
	"searchmcp/engine/index"
	"searchmcp/engine/lang"
	"searchmcp/engine/store/files"
)

// previewTimeout is the maximum duration of the scan, because the user waits for the result.
const previewTimeout = 15 * time.Second

// Speeds on a laptop with two cores (BENCHMARKS.md).
const (
	textBytesPerSecond = 6 << 20 // bytes of text indexed per second, without vectors
	textFilesPerSecond = 1000    // files indexed per second, without vectors
	chunksPerSecond    = 70      // vectors computed per second and core
	bytesPerChunk      = 1200    // average size of a chunk of source code in bytes
)

func (r *Registry) Preview(ctx context.Context, root string) (api.Preview, error) {
	w := &walk{root: root, folder: policy.Identify(root), config: r.Config(root), at: time.Now()}
	p, changes, err := r.preview(ctx, root, w.config)
	if err != nil {
		return p, err
	}
	if w.changes = changes; len(changes.Changed) == changes.Report.Files && !p.Truncated {
		r.walk.Store(w)
		time.AfterFunc(walkAge, func() { r.walk.CompareAndSwap(w, nil) }) // frees memory
	}
	r.checkSpace(&p)
	return p, nil
}

// walk is the result of walking the folder root for a question.
type walk struct {
	root    string
	folder  fs.FileInfo
	config  api.Config
	at      time.Time
	changes scan.Changes
}

// walkAge is the maximum age of a walk that a build uses.
const walkAge = time.Minute

// walked returns the result of the walk for the question about p. With the git strategy it returns false, because the
// watcher's scan then waits for a commit.
func (r *Registry) walked(p *Project) (scan.Changes, bool) {
	w, c := r.walk.Swap(nil), p.actor.Config()
	if w == nil || w.root != p.root() || time.Since(w.at) > walkAge || c.IndexingStrategy == api.Git ||
		len(c.ExtraRoots) > 0 || !reflect.DeepEqual(w.config, c) || !os.SameFile(w.folder, policy.Identify(w.root)) {
		return scan.Changes{}, false
	}
	return w.changes, true
}

func (r *Registry) PreviewConfig(ctx context.Context, root, text string) (api.Preview, []string, error) {
	base, err := r.defaults()
	if err != nil {
		return api.Preview{}, nil, invalidConfig(err)
	}
	var last *api.Config
	if p := r.Find(root); p != nil {
		last = p.last()
	}
	cfg, problems, err := files.ParseConfig([]byte(text), base, last)
	if err != nil {
		return api.Preview{}, nil, invalidConfig(err)
	}
	p, _, err := r.preview(ctx, root, cfg)
	return p, problems, err
}

// preview also returns the files that it has found, or only the first ones if they are more than maxFiles.
func (r *Registry) preview(ctx context.Context, root string, cfg api.Config) (api.Preview, scan.Changes, error) {
	var c scan.Changes
	pol, err := policy.New(root, cfg)
	if err != nil {
		return api.Preview{}, c, err
	}
	out := api.Preview{
		Root: root, Name: filepath.Base(root), Languages: map[string]int{}, Broad: policy.IsTooBroad(root),
	}
	sctx, cancel := context.WithTimeout(ctx, previewTimeout)
	defer cancel()
	report, err := scan.Walk(sctx, pol, func(f scan.File) error {
		if len(c.Changed) < cfg.MaxFiles {
			c.Changed = append(c.Changed, f)
		}
		if f.Corpus == api.CorpusDocs && !cfg.IndexDocs {
			return nil
		}
		out.Files++
		out.Bytes += f.Stamp.Size
		out.Languages[lang.OfFile(f.Path, nil)]++
		return nil
	})
	switch {
	case errors.Is(err, scan.ErrRootGone):
		return api.Preview{}, c, rootError(root, err)
	case err != nil && ctx.Err() != nil:
		return api.Preview{}, c, context.Cause(ctx)
	case err != nil && sctx.Err() != nil:
		out.Truncated = true
		out.Warnings = append(out.Warnings,
			fmt.Sprintf("Counting stopped after %d seconds; there are more files.", int(previewTimeout.Seconds())))
	case err != nil:
		return api.Preview{}, c, fmt.Errorf("scan folder: %w", err)
	}
	if n := len(report.Unreadable); n > 0 {
		out.Warnings = append(out.Warnings, fmt.Sprintf("%d folders or files can't be read and will be left out.", n))
	}
	if list := report.Examples[api.SkipCheckout]; len(list) > 0 && pol.Checkouts() {
		out.Warnings = append(out.Warnings, "The files of this repository are in its checkouts. Index one of these instead: "+
			strings.Join(list, ", ")+".")
	}
	out.Skipped, out.Examples = report.Skipped, report.Examples
	out.OverLimit = out.Files > cfg.MaxFiles
	r.estimate(&out)
	slices.SortFunc(c.Changed, func(a, b scan.File) int { return strings.Compare(a.Path, b.Path) })
	c.Report = report
	return out, c, nil
}

func (r *Registry) checkSpace(p *api.Preview) {
	free, err := r.opt.Free(filepath.Join(r.opt.Data, Dir))
	if err != nil {
		r.log.Warn("free disk space unknown", "err", err) // the job checks the free space again
		return
	}
	if need := p.DiskBytes + disk.Reserve(p.DiskBytes); free < need {
		p.Problem = api.ErrDiskFull(need>>20, free>>20, nil)
	}
}

func rootError(root string, err error) *api.Error {
	if errors.Is(err, fs.ErrPermission) {
		return api.ErrPermission(root, err)
	}
	return index.MissingRootError(api.Root{Path: root}, err)
}

func (r *Registry) estimate(p *api.Preview) {
	text := max(float64(p.Bytes)/textBytesPerSecond, float64(p.Files)/textFilesPerSecond)
	chunks := float64(p.Bytes)/bytesPerChunk + float64(p.Files)/2
	p.Searchable = seconds(text)
	p.Duration = seconds(text + chunks/float64(chunksPerSecond*r.threads()))
	p.DiskBytes = p.Bytes * index.DiskPerByte
}

func seconds(s float64) time.Duration {
	return time.Duration(s * float64(time.Second)).Round(time.Second)
}

func (r *Registry) threads() int {
	if n := r.opt.Threads(); n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}
