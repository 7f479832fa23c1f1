package project

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/files/scan"
	"searchmcp/engine/host/disk"
	"searchmcp/engine/index"
	"searchmcp/engine/index/chunk"
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
	p, err := r.preview(ctx, root, r.Config(root))
	if err == nil {
		r.checkSpace(&p)
	}
	return p, err
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
	p, err := r.preview(ctx, root, cfg)
	return p, problems, err
}

func (r *Registry) preview(ctx context.Context, root string, cfg api.Config) (api.Preview, error) {
	pol, err := policy.New(root, cfg)
	if err != nil {
		return api.Preview{}, err
	}
	out := api.Preview{
		Root: root, Name: filepath.Base(root), Languages: map[string]int{}, Broad: policy.IsTooBroad(root),
	}
	sctx, cancel := context.WithTimeout(ctx, previewTimeout)
	defer cancel()
	report, err := scan.Walk(sctx, pol, func(f scan.File) error {
		if f.Corpus == api.CorpusDocs && !cfg.IndexDocs {
			return nil
		}
		out.Files++
		out.Bytes += f.Stamp.Size
		out.Languages[chunk.Language(f.Path, nil)]++
		return nil
	})
	switch {
	case errors.Is(err, scan.ErrRootGone):
		return api.Preview{}, rootError(root, err)
	case err != nil && ctx.Err() != nil:
		return api.Preview{}, context.Cause(ctx)
	case err != nil && sctx.Err() != nil:
		out.Truncated = true
		out.Warnings = append(out.Warnings,
			fmt.Sprintf("Counting stopped after %d seconds; there are more files.", int(previewTimeout.Seconds())))
	case err != nil:
		return api.Preview{}, fmt.Errorf("scan folder: %w", err)
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
	return out, nil
}

func (r *Registry) checkSpace(p *api.Preview) {
	free, err := r.opt.Free(filepath.Join(r.opt.Data, Dir))
	if err != nil {
		r.log.Warn("free disk space unknown", "err", err) // the job checks the free space again
		return
	}
	if need := p.DiskBytes + disk.ReserveBytes; free < need {
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
