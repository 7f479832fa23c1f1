package scope

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"searchmcp/app/endpoint/display"
	"searchmcp/app/endpoint/session"
	"searchmcp/engine/api"
)

type Documents interface {
	Projects
	Settings() map[string]any
	DocumentFolders() []string
}

// Settings that disable sources.
const (
	SettingDocuments = "documents"
	SettingSites     = "sites"
	SettingArchives  = "archives"
)

// Enabled reports whether settings enables the source with the given name. Sources are enabled by default.
func Enabled(settings map[string]any, name string) bool {
	on, set := settings[name].(bool)
	return !set || on
}

func Folders(ctx context.Context, s *session.Session, engine Documents) []api.DocumentFolder {
	folders, _ := Served(ctx, s, engine)
	return folders
}

// Served returns the document folders of a session: the folder of --docs, those of its projects, and those that the
// user added. problem is set if the folder of --docs is missing.
func Served(ctx context.Context, s *session.Session, engine Documents) (_ []api.DocumentFolder, problem *api.Error) {
	if !Enabled(engine.Settings(), SettingDocuments) {
		return nil, nil
	}
	var roots []string
	add := func(root string) {
		if !slices.Contains(roots, root) && !engine.IsTooBroad(root) {
			roots = append(roots, root)
		}
	}
	if dir := s.Hello().Docs; dir != "" {
		why := "is a home folder or a whole disk"
		root, err := engine.Canonical(dir)
		if err != nil {
			why = "is missing, is not a folder, or can't be read"
		} else {
			add(root)
		}
		if len(roots) == 0 {
			problem = api.New(api.InvalidArgument,
				fmt.Sprintf("The documents in '%s' (--docs) are not available: the folder %s.", display.Short(dir), why),
				"the --docs folder is not served", err)
		}
	}
	implied, err := (&Finder{Session: s, Projects: engine}).Known(ctx)
	if err == nil {
		for _, root := range implied {
			if p, found := engine.Lookup(root); found && p.Files > 0 {
				for _, r := range p.Roots {
					add(r.Path)
				}
			}
		}
	}
	for _, root := range engine.DocumentFolders() {
		add(root)
	}
	return prefixed(roots), problem
}

// Archive returns the path of the archive that the session searches, and whether it exists.
func Archive(s *session.Session, engine Engine) (path string, exists bool) {
	hello := s.Hello()
	return engine.Archive(hello.SearchDBPath, hello.Dir)
}

func prefixed(roots []string) []api.DocumentFolder {
	folders := make([]api.DocumentFolder, 0, len(roots))
	taken := map[string]bool{}
	for i, root := range roots {
		f := api.DocumentFolder{Root: root}
		if i > 0 {
			name := filepath.Base(root)
			f.Prefix = "@" + name + "/"
			for n := 2; taken[strings.ToLower(f.Prefix)]; n++ {
				f.Prefix = fmt.Sprintf("@%s-%d/", name, n)
			}
			taken[strings.ToLower(f.Prefix)] = true
		}
		folders = append(folders, f)
	}
	return folders
}
