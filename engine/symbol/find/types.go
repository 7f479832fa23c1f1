package find

import (
	"context"
	"time"

	"searchmcp/engine/symbol"
)

// maxNamed is how many files that define a name are read to follow a type: names that more define are no types.
const maxNamed = 24

// files is a symbol.Project: definitions in the files of a finder's project, each read when something asks for it.
type files struct {
	f     *finder
	ctx   context.Context
	named map[string][]symbol.Candidate
	read  map[[2]string]*file
}

// Late implements symbol.Project.
func (p *files) Late() bool {
	if p.ctx.Err() != nil {
		return true
	}
	return !p.f.req.Query.Complete && !p.f.began.IsZero() && time.Since(p.f.began) > p.most()
}

// most is how long files are read from the first one on.
func (p *files) most() time.Duration {
	if len(p.read)+len(p.named) < leastFiles {
		return mostTime
	}
	return readingTime - p.f.spent
}

// Named implements symbol.Project.
func (p *files) Named(name string) []symbol.Candidate {
	if known, ok := p.named[name]; ok {
		return known
	}
	if p.Late() {
		return nil
	}
	rows, _, err := p.f.r.Holding(p.ctx, name, true)
	if err != nil {
		return nil
	}
	var out []symbol.Candidate
	seen := map[string]bool{}
	for _, row := range rows {
		if !seen[row.Path] && len(seen) < maxNamed && p.f.req.Allowed(row.Path) {
			seen[row.Path] = true
			out = append(out, p.in(row.Path, row.Language, name)...)
		}
	}
	if p.named == nil {
		p.named = map[string][]symbol.Candidate{}
	}
	p.named[name] = out
	return out
}

// In implements symbol.Project.
func (p *files) In(path, name string) []symbol.Candidate { return p.in(path, "", name) }

func (p *files) in(path, language, name string) []symbol.Candidate {
	got := p.extract(path, language, name)
	if got == nil {
		return nil
	}
	out := make([]symbol.Candidate, 0, len(got.Definitions))
	for _, d := range got.Definitions {
		out = append(out, symbol.Candidate{Path: got.path, Language: got.language, Definition: d})
	}
	return out
}

// extract reads what a file has of a name; nil if the file is not to be had.
func (p *files) extract(path, language, name string) *file {
	if name == p.f.name {
		if got := p.f.read[path]; got != nil {
			return got
		}
	}
	key := [2]string{path, name}
	if got, ok := p.read[key]; ok {
		return got
	}
	if p.Late() {
		return nil
	}
	ctx := p.ctx
	if !p.f.req.Query.Complete && !p.f.began.IsZero() {
		var stop context.CancelFunc
		ctx, stop = context.WithDeadline(ctx, p.f.began.Add(p.most()))
		defer stop()
	}
	got, err := p.f.readFile(ctx, holder{path: path, language: language}, name)
	if err != nil {
		return nil
	}
	if p.read == nil {
		p.read = map[[2]string]*file{}
	}
	p.read[key] = got
	return got
}

// Imports implements symbol.Project.
func (p *files) Imports(path string) []string {
	if got := p.f.read[path]; got != nil {
		return got.File.Imports
	}
	for key, got := range p.read {
		if key[0] == path && got != nil {
			return got.File.Imports
		}
	}
	return nil
}
