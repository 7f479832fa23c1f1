package symbol

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"searchmcp/engine/index/chunk"
	"searchmcp/engine/index/chunk/tree"
)

// moduleValue is what a module of JavaScript exports; outside if another project has it.
func moduleValue(name string, in from) value {
	if !strings.HasPrefix(name, ".") {
		return value{from: in, outside: true}
	}
	return value{from: in, file: name}
}

// wholeImport matches an import of all that a module exports, or of its default.
var wholeImport = regexp.MustCompile(
	`^import\s+(?:type\s+)?(?:([\w$]+)\s*(?:,\s*\{.*\}\s*)?|\*\s+as\s+([\w$]+)\s+)from\s+['"]([^'"]+)['"]|` +
		`^(?:const|let|var)\s+([\w$]+)\s*=\s*require\(\s*['"]([^'"]+)['"]\s*\)`)

// importedFrom is the module of JavaScript that a file imports under a name as a whole, "" if it does not.
func importedFrom(imports []string, name, language string) string {
	if family(language) != "javascript" {
		return ""
	}
	for _, line := range imports {
		if !strings.Contains(line, name) {
			continue
		}
		switch m := wholeImport.FindStringSubmatch(line); {
		case m == nil:
		case m[1] == name, m[2] == name:
			return m[3]
		case m[4] == name:
			return m[5]
		}
	}
	return ""
}

// moduleFiles are the files that the path of a module may mean.
func moduleFiles(v value) []string {
	p := path.Join(path.Dir(v.path), v.file)
	switch ext := path.Ext(p); ext {
	case ".js", ".mjs", ".cjs", ".jsx": // what is compiled to it is written in TypeScript, perhaps
		bare := strings.TrimSuffix(p, ext)
		return []string{p, bare + ".ts", bare + ".tsx"}
	case ".ts", ".tsx", ".mts", ".vue":
		return []string{p}
	}
	own := path.Ext(v.path)
	out := []string{p + own, p + "/index" + own}
	for _, ext := range []string{".js", ".ts", ".tsx", ".mjs", ".cjs", ".d.ts"} {
		if ext != own {
			out = append(out, p+ext, p+"/index"+ext)
		}
	}
	return out
}

// The names of what a module exports as a whole, in CommonJS and in ECMAScript.
const (
	exportsName = "exports"
	defaultName = "default"
	exportName  = "export" // export = name, in TypeScript
)

// exports are the candidates that a module exports, where an expression is a module of JavaScript.
func (t *Types) exports(e Expr, in from, candidates []Candidate) []int {
	if family(in.language) != "javascript" || len(e) > 1 {
		return nil
	}
	var out []int
	for _, v := range t.follow(e, in) {
		if v.file == "" {
			continue
		}
		files := moduleFiles(v)
		for i := range candidates {
			if c := &candidates[i]; !c.Inner && !c.member() && slices.Contains(files, c.Path) {
				out = append(out, i)
			}
		}
	}
	return out
}

// exported is what a module exports as a whole.
func (t *Types) exported(v value) []value {
	for _, file := range moduleFiles(v) {
		for _, name := range []string{exportsName, defaultName, exportName} {
			if name == exportName && !strings.HasSuffix(file, ".ts") {
				continue
			}
			for _, c := range t.project.In(file, name) {
				if c.Kind == kindExport && len(c.Gives) > 0 {
					if found := t.follow(c.Gives, from{c.Path, c.Language}); len(found) > 0 {
						return found
					}
				}
			}
		}
	}
	return nil
}

// exportedAs is what a module exports under a name.
func (t *Types) exportedAs(v value, name string) (out []value) {
	for _, file := range moduleFiles(v) {
		for _, c := range t.project.In(file, name) {
			if !c.Inner && !c.member() {
				out = append(out, value{from: from{c.Path, c.Language}, at: &c})
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return gathered(t.exported(v), func(w value) []value { return t.member(w, name) })
}

// exports reports whether an expression is what the own module of JavaScript exports.
func (x *extraction) exports(n tree.Node) bool {
	text := x.text(n)
	return family(x.d.Language) == "javascript" && (text == "module."+exportsName || text == exportsName)
}

// kindExport is the kind of what a module exports as a whole.
const kindExport chunk.Kind = "export"

// export lays out what a module exports as a whole: module.exports = …, export default …
func (x *extraction) export(at int) (d Definition, ok bool) {
	if x.d.Root == nil || x.name != exportsName && x.name != defaultName && x.name != exportName ||
		family(x.d.Language) != "javascript" {
		return d, false
	}
	leaf := x.d.Root.Named(at, at+len(x.name))
	if leaf == nil {
		return d, false
	}
	up := climb(leaf)
	var given tree.Node
	switch {
	case x.name == exportName && leaf.Type() == "export_statement" &&
		strings.HasPrefix(strings.TrimLeft(x.d.Text[at+len(x.name):], " "), "="):
		given = leaf.NamedChild(0)
	case x.name == defaultName && leaf.Type() == "export_statement":
		given = child(leaf, "value|declaration")
	case x.name == exportsName && len(up) > 1 && up[0].kind == "member_expression" &&
		up[1].kind == "assignment_expression" &&
		x.text(up[0].node) == "module.exports" && within(leaf, child(up[1].node, "left")):
		given = child(up[1].node, "right")
	case x.name == exportsName && len(up) > 0 && up[0].kind == "assignment_expression" &&
		within(leaf, child(up[0].node, "left")):
		given = child(up[0].node, "right")
	}
	if given == nil {
		return d, false
	}
	line := x.d.LineAt(at)
	d = Definition{Name: x.name, Kind: kindExport, Line: line, Last: line, NameLine: line,
		Column: x.column(at), Place: true,
		Signature: strings.Join(strings.Fields(x.d.Line(line)), " ")}
	if n := child(given, "name"); n != nil && (functional(given.Type()) || strings.Contains(given.Type(), "class")) {
		d.Gives = Expr{valueRoot + x.text(n)}
	} else if d.Gives = x.infer(given, 0); given.Type() == "identifier" {
		d.Gives = Expr{valueRoot + x.text(given)} // a variable of the file, which says more than its value
	}
	return d, true
}

// throughModule scores a name behind what may be its module: a package, a file's stem, a namespace.
func (r *Resolver) throughModule(u Use, c *Candidate, chain []string, last string) float64 {
	fam := family(u.Language)
	switch {
	case u.Language == "go":
		dir := path.Base(path.Dir(c.Path))
		switch {
		case len(chain) > 1 || strings.HasSuffix(last, ")") || path.Dir(u.Path) == path.Dir(c.Path) && !isTest(u.Path):
			return never
		case r.importsDir(u.Imports, last, path.Dir(c.Path)):
			return certain
		case last == dir && r.importsPackage(u.Imports, last) == r.importsPackage(u.Imports, dir):
			return probable
		case !strings.Contains(c.Path, "/") && r.importsPackage(u.Imports, last):
			return possible // the module's own package, of whatever name
		}
		return never
	case u.Type != "" && !selfWords[last] && r.Defined != nil && explicit[fam]:
		return never
	case len(c.Scope) > 0 && contains(c.Scope, last):
		return certain
	case last == stem(c.Path), last == path.Base(path.Dir(c.Path)):
		return likely
	case explicit[fam]:
		for _, line := range u.Imports {
			if hasWord(line, chain[0]) && r.namesModule([]string{line}, c) {
				return likely
			}
		}
		if fam == "python" && hasFolder(c.Path, chain[0]) && importsModule(u.Imports, chain[0]) {
			return probable
		}
		return never
	case u.Language == "rust":
		if last == "crate" || last == "super" || last == "self" || hasFolder(c.Path, last) {
			return probable
		}
		return never
	case fam == "c":
		if upper(last) || strings.HasSuffix(last, ")") || strings.HasSuffix(last, "]") {
			return never
		}
		if r.owned(last) || u.Type != "" {
			return never
		}
		return weak
	case isType(c):
		return possible
	case !chunk.HasGrammar(u.Language): // read by lines, which tell no members from functions
		return possible
	}
	return never
}

func hasFolder(p, name string) bool {
	return slices.Contains(strings.Split(path.Dir(p), "/"), name)
}
