package policy

import (
	"errors"
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"

	"searchmcp/engine/api"
	pattern "searchmcp/engine/files/glob"
)

type glob struct {
	*pattern.Glob
	dirOnly bool
	all     bool     // matches every file
	name    string   // file name of the pattern, if it has no wildcards
	lead    []string // parts of the path before the first wildcard
	deep    bool     // may match in any folder below lead
}

type globs struct {
	list []glob
	fold bool
}

func compileGlobs(patterns []string, fold bool) (globs, error) {
	set := globs{fold: fold}
	for _, text := range patterns {
		if strings.TrimSpace(text) == "" {
			continue
		}
		g, err := compileGlob(text, fold)
		if err != nil {
			return globs{}, api.ErrInvalidPattern(text, err)
		}
		set.list = append(set.list, g)
	}
	return set, nil
}

func compileGlob(text string, fold bool) (glob, error) {
	p := norm.NFC.String(strings.TrimPrefix(text, "./"))
	switch {
	case strings.HasPrefix(p, "!"):
		return glob{}, errors.New("a pattern can't be negated here; use negated lines in a .searchignore file")
	case p == ".." || strings.HasPrefix(p, "../") || strings.Contains(p, "/../") || strings.HasSuffix(p, "/.."):
		return glob{}, errors.New("a pattern can't leave the project folder")
	}
	var g glob
	if fold {
		p = lower(p)
	}
	p, g.dirOnly = strings.CutSuffix(p, "/")
	p, anchored := strings.CutPrefix(p, "/")
	if !anchored && !strings.Contains(p, "/") {
		p = "**/" + p
	}
	compiled, err := pattern.Compile(p)
	if err != nil {
		return glob{}, err
	}
	g.Glob, g.all = compiled, !g.dirOnly && compiled.All()
	if base := path.Base(p); !g.dirOnly && !strings.ContainsAny(base, pattern.Meta) {
		g.name = base
	}
	for part := range strings.SplitSeq(p, "/") {
		if strings.ContainsAny(part, pattern.Meta) {
			g.deep = true
			break
		}
		g.lead = append(g.lead, part)
	}
	return g, nil
}

func (s *globs) some(key string, f func(g *glob, key string) bool) bool {
	if len(s.list) > 0 && s.fold {
		key = lower(key)
	}
	for i := range s.list {
		if f(&s.list[i], key) {
			return true
		}
	}
	return false
}

func (s *globs) match(key string, dir bool) bool {
	return s.some(key, func(g *glob, key string) bool { return g.match(key, dir) })
}

func (g *glob) match(key string, dir bool) bool {
	return (dir || !g.dirOnly) && g.Match(key)
}

func (s *globs) all() bool {
	return len(s.list) == 0 || s.some("", func(g *glob, _ string) bool { return g.all })
}

func (s *globs) names(key string) bool {
	return s.some(key, func(g *glob, key string) bool {
		return g.name != "" && path.Base(key) == g.name && g.match(key, false)
	})
}

func (s *globs) leads(key string) bool {
	return s.some(key, func(g *glob, key string) bool {
		return strings.HasPrefix(strings.Join(g.lead, "/")+"/", key+"/")
	})
}

// matchPrefixed reports whether a pattern that begins with the path of folder matches key. If below is set, a pattern
// that may match a file in the folder key is enough.
func (s *globs) matchPrefixed(folder, key string, below bool) bool {
	if s.fold {
		folder = lower(folder)
	}
	return s.some(key, func(g *glob, key string) bool {
		return strings.HasPrefix(strings.Join(g.lead, "/")+"/", folder+"/") &&
			(g.match(key, false) || g.match(key, true) || below && g.reaches(key))
	})
}

func (s *globs) reaches(key string) bool { return s.some(key, (*glob).reaches) }

func (g *glob) reaches(key string) bool {
	n := 0
	for part := range strings.SplitSeq(key, "/") {
		if n == len(g.lead) {
			return g.deep
		}
		if g.lead[n] != part {
			return false
		}
		n++
	}
	return true
}
