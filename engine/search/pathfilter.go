package search

import (
	"path"
	"slices"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/files/glob"
)

// ResolvePath returns the project path for a typed path, or "" for the whole project, and whether a file or folder has
// this path. If no file is named exactly as typed and typed is not a glob, ResolvePath cleans it. known may be nil.
func ResolvePath(known Lister, typed string) (name string, exists bool) {
	for _, t := range []string{typed, strings.TrimSpace(typed)} {
		for _, name := range []string{relative(t), strings.Trim(path.Clean("/"+t), "/")} {
			if strings.HasPrefix(path.Clean(t), "..") {
				continue
			}
			if name == "" || known != nil && hasPath(known, name) {
				return name, true
			}
		}
	}
	typed = strings.TrimPrefix(typed, "/")
	if clean := path.Clean(typed); !strings.ContainsAny(typed, glob.Meta) && !strings.HasPrefix(clean, "..") {
		return clean, false
	}
	return typed, false
}

func relative(typed string) string {
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(typed, "./"), "/"), "/")
}

func hasPath(known Lister, name string) bool {
	for _, corpus := range api.Corpora {
		paths := known.Paths(corpus)
		if _, found := slices.BinarySearch(paths, name); found {
			return true
		}
		if i, _ := slices.BinarySearch(paths, name+"/"); i < len(paths) && strings.HasPrefix(paths[i], name+"/") {
			return true
		}
	}
	return false
}

// PathFilter returns a filter for a typed path or glob, or nil for the whole project. A name without a slash matches at
// any depth. An invalid glob is an INVALID_PATTERN error.
func PathFilter(known Lister, typed string) (func(path string) bool, error) {
	name, exists := ResolvePath(known, typed)
	if exists {
		return below(name), nil
	}
	g, err := pathGlob(known, typed, true)
	if err != nil {
		return nil, err
	}
	return g.Match, nil
}

const maxEcho = 200 // maximum size in bytes of a pattern in an error message

func pathGlob(known Lister, typed string, anywhere bool) (*glob.Glob, error) {
	pattern, literal := asNamed(known, relative(strings.TrimSpace(typed)))
	prefix := ""
	if anywhere && !strings.Contains(pattern, "/") {
		prefix = "**/"
	}
	switch {
	case literal && anywhere:
		pattern += "{,/**}"
	case strings.HasSuffix(strings.TrimSpace(typed), "/"):
		pattern += "/**"
	}
	g, err := glob.Compile(prefix + pattern)
	if err != nil {
		return nil, api.ErrInvalidPattern(strings.ToValidUTF8(typed[:min(len(typed), maxEcho)], ""), err)
	}
	return g, nil
}

func below(name string) func(path string) bool {
	if name == "" {
		return nil
	}
	return func(p string) bool {
		rest, ok := strings.CutPrefix(p, name)
		return ok && (rest == "" || rest[0] == '/')
	}
}

// asNamed escapes names of existing files and folders that look like globs, such as "[slug]". It reports whether no
// wildcard remains.
func asNamed(known Lister, pattern string) (escaped string, literal bool) {
	parts := strings.Split(pattern, "/")
	literal = true
	for i, part := range parts {
		switch {
		case !strings.ContainsAny(part, glob.Meta):
		case known != nil && !strings.ContainsAny(part, `*?\`) && namesPart(known, part):
			parts[i] = glob.Escape(part)
		default:
			literal = false
		}
	}
	return strings.Join(parts, "/"), literal
}

func namesPart(known Lister, name string) bool {
	for _, corpus := range api.Corpora {
		for _, p := range known.Paths(corpus) {
			if strings.Contains(p, name) && strings.Contains("/"+p+"/", "/"+name+"/") {
				return true
			}
		}
	}
	return false
}
