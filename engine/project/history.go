package project

import (
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/history"
)

// maxDepth is how far below a project's folders a repository may be that counts: services/shop/api.
const maxDepth = 3

// historyFolders are a project's folders, and those below them that may be repositories: they hold indexed files.
func (p *Project) historyFolders() []history.Folder {
	tree := p.actor.Tree()
	var all []history.Folder
	for prefix, policy := range tree.Policies() {
		all = append(all, history.Folder{Path: policy.Root(), Prefix: prefix})
	}
	names := p.names()
	defer names.release()
	known := map[string]bool{}
	for _, file := range names.Paths(api.CorpusCode) {
		end := -1
		for range maxDepth {
			n := strings.IndexByte(file[end+1:], '/')
			if n < 0 {
				break
			}
			end += 1 + n
			folder := file[:end]
			if known[folder] {
				continue
			}
			known[folder] = true
			if place, err := tree.Absolute(folder); err == nil {
				all = append(all, history.Folder{Path: place, Prefix: folder + "/", Nested: true})
			}
		}
	}
	return all
}
