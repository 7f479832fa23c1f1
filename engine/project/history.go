package project

import (
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/search/history"
)

const (
	maxDepth   = 3    // maximum depth of a repository below the project's root, as in services/shop/api
	maxFolders = 1000 // maximum number of checked folders; a check can take milliseconds
)

func (p *Project) historyFolders() []history.Folder {
	tree := p.actor.Tree()
	var all []history.Folder
	for prefix, policy := range tree.Policies() {
		all = append(all, history.Folder{Path: policy.Root(), Prefix: prefix})
	}
	names := p.overlay()
	paths := names.Paths(api.CorpusCode)
	names.release()
	var below [maxDepth][]string
	known := map[string]bool{}
	for _, file := range paths {
		end := -1
		for depth := range below {
			n := strings.IndexByte(file[end+1:], '/')
			if n < 0 {
				break
			}
			end += 1 + n
			if folder := file[:end]; !known[folder] {
				known[folder] = true
				below[depth] = append(below[depth], folder)
			}
		}
	}
	nested := slices.Concat(below[:]...)
	for _, folder := range nested[:min(len(nested), maxFolders)] {
		if place, err := tree.Absolute(folder); err == nil {
			all = append(all, history.Folder{Path: place, Prefix: folder + "/", Nested: true})
		}
	}
	return all
}
