package tools

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"searchmcp/engine/api"
)

type symbolParams struct {
	Name string `json:"name" arg:"required" doc:"'Sessions.rotate', 'pkg::Type'"`
	Uses bool   `json:"uses" doc:"Also its uses"`
	Path string `json:"path" doc:"File, file:line, folder or glob of the definition"`
	projectsParam
	MaxTokens int `json:"max_tokens" arg:"100..10000" default:"600" doc:"Size limit"`
}

// symbolResult groups uses by file, to save tokens.
type symbolResult struct {
	Definitions   []definition `json:"definitions"`
	Uses          []usesOfFile `json:"uses,omitempty"`
	Tests         []usesOfFile `json:"tests,omitempty"`
	TotalUses     int          `json:"totalUses,omitempty"`
	Possible      []string     `json:"possible,omitempty"`
	TotalPossible int          `json:"totalPossible,omitempty"`
	Text          []string     `json:"text,omitempty"`
	TotalText     int          `json:"totalText,omitempty"`
	notes
	size
}

type definition struct {
	Name      string `json:"name"`
	Kind      string `json:"kind"`
	Path      string `json:"path"`
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Signature string `json:"signature"`
	Comment   string `json:"comment,omitempty"`
	Project   string `json:"project,omitempty"`
}

// usesOfFile lists the uses in a file as lines such as "12,40 Server.login".
type usesOfFile struct {
	Path     string   `json:"path"`
	Project  string   `json:"project,omitempty"`
	Calls    []string `json:"calls,omitempty"`
	Mentions []string `json:"mentions,omitempty"`
	Imports  []string `json:"imports,omitempty"`
}

const (
	shownDefinitions = 10
	withUses         = 5 // maximum definitions, if uses are listed too
	withPossible     = 6 // maximum files with possible uses, if definite uses are listed too
	withText         = 3 // maximum files that only mention the name, if uses are listed too
)

func findSymbol() tool {
	return define(tool{
		name: "find_symbol", title: "Find a definition and its uses",
		sentence: "Where a name is defined and, with uses, who calls it, by file and function.",
		more: "By syntax, not types. uses are definite; possible: by name alone, in strings, XML, templates; " +
			"text: only the word. Prefer it to grep for names.",
		output: symbolResult{}, readOnly: true, idempotent: true,
	}, func(ctx context.Context, c *call, a symbolParams) (any, error) {
		if strings.TrimSpace(a.Name) == "" || len(a.Name) > api.MaxName {
			return nil, api.ErrArgument("name", "the name of a function, type or variable")
		}
		c.activity.Query = a.Name
		roots, err := c.projects(ctx, a.Project)
		if err != nil {
			return nil, err
		}
		q := api.SymbolQuery{Name: a.Name, Uses: a.Uses}
		q.At(a.Path)
		found, err := c.engine.Symbol(ctx, roots, q)
		if err != nil {
			return nil, err
		}
		c.activity.Results = len(found.Definitions) + found.TotalUses
		return newSymbolResult(found, q, a.MaxTokens), nil
	})
}

const SymbolTokens = 600

// SymbolAnswer returns the answer of find_symbol, for measurements.
func SymbolAnswer(found api.SymbolResults, q api.SymbolQuery, tokens int) ([]byte, error) {
	return fit(newSymbolResult(found, q, tokens))
}

func newSymbolResult(found api.SymbolResults, q api.SymbolQuery, tokens int) *symbolResult {
	r := &symbolResult{Definitions: []definition{}, TotalUses: found.TotalUses, TotalPossible: found.TotalPossible,
		TotalText: found.TotalText, notes: notes{Notes: slices.Clone(found.Notes)}}
	most := shownDefinitions
	if q.Uses && found.TotalUses > 0 {
		most = withUses
	}
	for _, d := range found.Definitions[:min(len(found.Definitions), most)] {
		r.Definitions = append(r.Definitions, definition{Name: d.Name, Kind: d.Kind, Path: d.Path, StartLine: d.StartLine,
			EndLine: d.EndLine, Signature: d.Signature, Comment: d.Comment, Project: d.Project})
	}
	for _, f := range found.Uses {
		if f.Test {
			r.Tests = append(r.Tests, usesOf(f))
		} else {
			r.Uses = append(r.Uses, usesOf(f))
		}
	}
	possible, text := found.Possible, found.Text
	if found.TotalUses > 0 {
		possible = possible[:min(len(possible), withPossible)]
	}
	if found.TotalUses+found.TotalPossible > 0 {
		text = text[:min(len(text), withText)]
	}
	r.Possible, r.Text = linesOf(possible), linesOf(text)
	shown := r.count()
	r.size = size{tokens * charsPerToken, func() {
		if left := shown - r.count(); left > 0 {
			r.addNote(fmt.Sprintf("%d lines of uses are omitted. A larger max_tokens shows more.", left))
		}
	}}
	if len(found.NotRead) > 0 {
		r.addNote("These files contain the name, but definitions in their languages aren't recognized. " +
			"search_code shows the lines: " + strings.Join(found.NotRead, ", ") + ".")
	}
	switch n := len(found.Definitions) - most; {
	case found.Like:
		r.addNote("No definition has exactly that name. These names are similar.")
	case found.Missing:
		r.addNote("No definition of that name. search_code finds code by what it does.")
	case n > 0:
		r.addNote(fmt.Sprintf("%d more definitions: narrow the search with path, or use Owner.name.", n))
	}
	if !q.Uses {
		return r
	}
	if found.Unread > 0 {
		r.addNote(fmt.Sprintf("%d more files may contain the word. There was no time to read them.", found.Unread))
	}
	switch {
	case found.TotalUses > 0 || found.Like:
	case found.TotalPossible > 0:
		r.addNote("No definite uses, but there are possible uses. Check them before you delete it.")
	case found.TotalText > 0:
		r.addNote("No uses in code: the word is in comments, prose or strings, or names something else.")
	case found.Implicit:
		r.addNote("No uses by this name. An operator, a decorator, a base type, a framework or an import of a default " +
			"export may use it without its name.")
	case found.Unread == 0 && len(found.Definitions) > 0:
		r.addNote("No uses found.")
	}
	return r
}

// linesOf returns a string such as "src/a.ts: 12,40 Server.login" for each file.
func linesOf(files []api.SymbolFile) []string {
	var out []string
	for _, f := range files {
		var lines []string
		for _, role := range []string{api.UseCall, api.UseMention, api.UseImport, api.UseString, api.UseComment} {
			uses := strings.Join(byFunction(f.Uses, role), "; ")
			if uses != "" && (role == api.UseString || role == api.UseComment) {
				uses += " " + role
			}
			if uses != "" {
				lines = append(lines, uses)
			}
		}
		out = append(out, f.Path+": "+strings.Join(lines, "; "))
	}
	return out
}

func usesOf(f api.SymbolFile) usesOfFile {
	return usesOfFile{Path: f.Path, Project: f.Project, Calls: byFunction(f.Uses, api.UseCall),
		Mentions: byFunction(f.Uses, api.UseMention), Imports: byFunction(f.Uses, api.UseImport)}
}

func byFunction(uses []api.SymbolUse, role string) []string {
	var out []string
	var in string
	var lines []string
	flush := func() {
		if len(lines) > 0 {
			out = append(out, strings.TrimSpace(strings.Join(lines, ",")+" "+in))
		}
		lines = nil
	}
	for _, u := range uses {
		if u.Role != role {
			continue
		}
		if u.In != in {
			flush()
			in = u.In
		}
		if line := strconv.Itoa(u.Line); len(lines) == 0 || lines[len(lines)-1] != line {
			lines = append(lines, line)
		}
	}
	flush()
	return out
}

func (r *symbolResult) count() int {
	n := len(r.Possible) + len(r.Text)
	for _, list := range [][]usesOfFile{r.Uses, r.Tests} {
		for _, f := range list {
			n += len(f.Calls) + len(f.Mentions) + len(f.Imports)
		}
	}
	return n
}

// shrink shortens the mentions first, then possible uses, uses in tests, other uses, and the definitions last.
func (r *symbolResult) shrink(share float64) bool {
	least := func(others int) int { return max(0, 1-others) } // 1 if the other lists are empty
	lists := []cuttable{to(least(len(r.Uses)+len(r.Possible)), &r.Text), to(least(len(r.Uses)), &r.Possible),
		to(0, &r.Tests), to(1, &r.Uses)}
	if len(r.Uses) == 1 {
		f := &r.Uses[0]
		lists = append(lists, to(0, &f.Imports), to(least(len(f.Calls)), &f.Mentions), to(1, &f.Calls))
	}
	return drop(share, append(lists, to(1, &r.Definitions))...)
}
