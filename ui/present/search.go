package present

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"searchmcp/engine/api"
)

func Summary(r api.Results, projects []api.Project) string {
	if len(r.Hits) == 0 {
		return ""
	}
	return Join(Results(len(r.Hits), r.Total), Completeness(r, projects))
}

func Results(listed, total int) string {
	if total > listed {
		return T("%s of %s", Number(listed), Count(total, "result"))
	}
	return Count(listed, "result")
}

func Completeness(r api.Results, projects []api.Project) string {
	note, whole, growing := "", 0, false
	for _, p := range projects {
		if p.Vectors >= p.Chunks {
			whole++
		}
		growing = growing || p.State == api.StateEmbedding || p.State == api.StateIndexing
	}
	switch {
	case !r.Semantic:
		note = T("by words only")
	case growing && whole > 0 && whole < len(projects): // Coverage averages over projects
		note = T("by meaning in %d of %d projects", whole, len(projects))
	case r.Coverage < 0.995:
		note = T("by meaning in %d %% of the project", int(100*r.Coverage))
	case r.Static > 0.005:
		note = T("with quick vectors in %d %% of the project", int(100*r.Static))
	}
	pending := ""
	if r.PendingFiles > 0 {
		pending = Count(r.PendingFiles, "changed file not read yet")
	}
	return Join(Took(r.Took), note, pending)
}

func PlaceOf(place string) (path string, line int, ok bool) {
	found := placeForm.FindStringSubmatch(place)
	if found == nil {
		return "", 0, false
	}
	line, err := strconv.Atoi(found[2])
	return found[1], line, err == nil
}

var placeForm = regexp.MustCompile(`^(.+):(\d+)(?: .*)?$`)

func FilesSummary(r api.FileResults) string {
	if len(r.Matches) == 0 {
		return ""
	}
	if r.Total > len(r.Matches) {
		return T("%s of %s", Number(len(r.Matches)), Count(r.Total, "file"))
	}
	return Count(r.Total, "file")
}

func LinesSummary(r api.GrepResults, took time.Duration) string {
	if r.Total == 0 {
		return ""
	}
	return Join(T("%s in %s", Count(r.Total, "line"), Count(len(r.Files), "file")), Took(took))
}

// File returns the absolute path of rel. It is below the first root, or below the root named by a prefix such as
// @name/.
func File(p api.Project, rel string) string {
	if name, rest, ok := strings.Cut(rel, "/"); ok && strings.HasPrefix(name, "@") {
		for _, r := range p.Roots {
			if r.Name != "" && r.Name == name[1:] {
				return filepath.Join(r.Path, filepath.FromSlash(rest))
			}
		}
	}
	return filepath.Join(p.Root(), filepath.FromSlash(rel))
}
