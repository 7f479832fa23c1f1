package search

import (
	"path"
	"strings"
)

const (
	scopeWeight        = 0.6 // weight of paths that contain the scope of a commit message
	changedScopeWeight = 0.8 // weight of files changed by commits with the same scope
	knownScope         = 2   // number of commits that count as much as the names of paths
)

// inScope scores a path by its name and by commits with the query's scope, such as "router" in "fix(router): …".
func (r *ranking) inScope(p string) float64 {
	if r.q.scope == nil {
		return 0
	}
	named := scopeWeight * scopeMatch(p, r.q.scope)
	if r.scopeCommits == 0 {
		return named
	}
	n := float64(r.scopeCommits)
	return (knownScope*named + n*changedScopeWeight*r.scopeChanged(p)) / (knownScope + n)
}

// scopeMatch returns 1 if a file or folder in the path is named like a scope, and 0 otherwise.
func scopeMatch(p string, scopes []string) float64 {
	p = strings.ToLower(p)
	whole, bare := "/"+p+"/", "/"+strings.TrimSuffix(p, path.Ext(p))+"/"
	for _, s := range scopes {
		if strings.Contains(whole, "/"+s+"/") || strings.HasSuffix(bare, "/"+s+"/") || normalise(stem(p)) == normalise(s) {
			return 1
		}
	}
	return 0
}
