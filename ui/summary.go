package ui

import (
	"searchmcp/engine/api"
	"searchmcp/ui/present"
)

func (s *search) sum() string {
	a := s.answer
	if s.w.opts.Inline {
		a.code.Took, a.docs.Took = 0, 0
	}
	if s.typedAs.Match.Lines() {
		return present.LinesSummary(a.lines, a.code.Took)
	}
	switch s.source {
	case present.SourceFiles:
		return present.FilesSummary(a.files)
	case present.SourceDocuments:
		if len(a.docs.Hits) > 0 {
			return present.Summary(a.docs, s.searched())
		}
	case present.SourceCode:
		return present.Summary(a.code, s.searched())
	}
	n, left := 0, 0
	for source, list := range s.found() {
		n, left = n+len(list), left+s.left(source)
	}
	if n == 0 {
		return ""
	}
	found := present.Results(n, n+left)
	if s.source != present.SourceAll {
		return found
	}
	return present.Join(found, present.Completeness(a.code, s.searched()))
}

func (s *search) left(source present.Source) int {
	r := map[present.Source]api.Results{present.SourceCode: s.answer.code, present.SourceDocuments: s.answer.docs}[source]
	return max(0, r.Total-len(r.Hits))
}

func (s *search) searched() (all []api.Project) {
	for _, root := range s.roots() {
		if p, known := s.w.model.Project(root); known {
			all = append(all, p)
		}
	}
	return all
}
