package sources

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/host/disk"
	"searchmcp/engine/sources/site"
	"searchmcp/engine/sources/site/schema"
	"searchmcp/engine/store/files"
)

func (s *Sources) BuildSite(ctx context.Context, b api.SiteBuild) (api.SiteBuilt, error) {
	root, err := s.opt.Projects.Canonical(b.Dir)
	if err != nil {
		return api.SiteBuilt{}, err
	}
	if policy.IsTooBroad(root) {
		return api.SiteBuilt{}, api.ErrArgument("DIR", "the folder of one site, not a home folder or a whole disk")
	}
	if info, err := os.Stat(b.Out); err == nil && info.IsDir() {
		return api.SiteBuilt{}, api.New(api.InvalidArgument, fmt.Sprintf("%s is a folder: name a file, e.g. --out %s", b.Out,
			filepath.Join(b.Out, "search-index.json")), "out: expected a file", nil)
	}
	if _, err := os.Stat(filepath.Dir(b.Out)); errors.Is(err, fs.ErrNotExist) {
		return api.SiteBuilt{}, api.New(api.InvalidArgument, fmt.Sprintf("There is no folder %s.", filepath.Dir(b.Out)),
			"out: expected a file in an existing folder", err)
	}
	if !filepath.IsAbs(b.Out) {
		return api.SiteBuilt{}, api.ErrArgument("out", "an absolute path")
	}
	about := schema.Site{Name: b.Name, Domain: b.Domain, Description: b.Description, ToolPrefix: b.Prefix}
	built, err := site.Build(ctx, root, about, s.opt.Reader, time.Now())
	if err != nil {
		return api.SiteBuilt{}, err
	}
	data, err := json.MarshalIndent(built.Index, "", "  ")
	if err != nil {
		return api.SiteBuilt{}, fmt.Errorf("encode index: %w", err)
	}
	// A value from the user may break a rule, such as a domain with a protocol.
	if _, problems := schema.Parse(data); problems != nil {
		text := site.ProblemsError(problems).Error()
		return api.SiteBuilt{}, api.New(api.InvalidArgument, "No index was written: "+text+".", text, nil)
	}
	if err := files.WriteFile(b.Out, append(data, '\n')); err != nil {
		return api.SiteBuilt{}, disk.Error(fmt.Errorf("write index: %w", err), filepath.Dir(b.Out))
	}
	m := built.Index.Meta()
	return api.SiteBuilt{
		Out: b.Out, Name: m.Name, Domain: m.Domain, Pages: len(built.Index.Pages), Skipped: built.Skipped,
		Note: built.Note,
	}, nil
}
