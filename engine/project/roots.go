package project

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/files/policy"
	"searchmcp/engine/store/files"
)

func (r *Registry) AddRoot(ctx context.Context, root, dir, name string) (api.Project, error) {
	return r.changeRoots(ctx, root, func(main string, extra []api.Root) ([]api.Root, error) {
		folder, err := r.Canonical(dir)
		if err != nil {
			return nil, err
		}
		if policy.IsTooBroad(folder) {
			return nil, api.ErrArgument("dir", "a folder of a project; '"+folder+"' contains too much")
		}
		if name == "" {
			name = filepath.Base(folder)
		}
		if strings.ContainsAny(name, `/\@`) || name == "." || name == ".." {
			return nil, api.ErrArgument("name", "a name without slashes or @")
		}
		for _, have := range append([]api.Root{{Path: main}}, extra...) {
			if have.Name == name {
				return nil, api.ErrArgument("name", fmt.Sprintf("another name; '%s' is taken", name))
			}
			if within(have.Path, folder) || within(folder, have.Path) {
				return nil, api.ErrArgument("dir", "a folder outside the project's others; it overlaps with "+have.Path)
			}
		}
		return append(extra, api.Root{Name: name, Path: folder}), nil
	})
}

func (r *Registry) RemoveRoot(ctx context.Context, root, dir string) (api.Project, error) {
	return r.changeRoots(ctx, root, func(_ string, extra []api.Root) ([]api.Root, error) {
		for i, have := range extra {
			if have.Name == dir || have.Path == filepath.Clean(dir) {
				return append(extra[:i], extra[i+1:]...), nil
			}
		}
		return nil, api.ErrArgument("dir", "a further folder of the project, by path or name")
	})
}

// changeRoots changes the field extraRoots in the project's config.json. Other fields remain.
func (r *Registry) changeRoots(ctx context.Context, root string,
	change func(main string, extra []api.Root) ([]api.Root, error)) (api.Project, error) {
	p, err := r.get(root)
	if err != nil {
		return api.Project{}, err
	}
	if problem := p.misconfigured.Load(); problem != nil {
		return api.Project{}, problem // the current additional roots are unknown
	}
	extra, err := change(p.root(), slices.Clone(p.actor.Config().ExtraRoots))
	if err != nil {
		return api.Project{}, err
	}
	text, _, err := r.ConfigText(root)
	if err != nil {
		return api.Project{}, err
	}
	edited, err := files.PatchConfig([]byte(text), "extraRoots", extra)
	if err != nil {
		return api.Project{}, fmt.Errorf("change configuration: %w", err)
	}
	if _, err := r.SetConfigText(ctx, root, string(edited)); err != nil {
		return api.Project{}, err
	}
	return p.Snapshot(), nil
}
