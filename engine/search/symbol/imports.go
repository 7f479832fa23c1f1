package symbol

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"searchmcp/engine/index/chunk"
)

// Imports are the import statements of a file, a line each.
func Imports(d *chunk.Document) []string {
	const most = 4000 // bytes of one statement
	var out []string
	text := head(d.Text, d.Language)
	roles := chunk.Lines(text, d.Language, 1)
	var at strings.Builder
	depth, n := 0, 0
	for line := range strings.Lines(text) {
		starts := n < len(roles) && roles[n] == chunk.LineHeader || strings.Contains(line, "require(") ||
			strings.HasPrefix(strings.TrimLeft(line, " \t"), "from") && strings.Contains(line, " import")
		n++
		if !starts && depth <= 0 {
			continue
		}
		said := strings.Join(strings.Fields(line), " ")
		if i := strings.Index(said, " #"); i > 0 && d.Language == "python" {
			said = said[:i]
		}
		depth += strings.Count(said, "(") + strings.Count(said, "{") - strings.Count(said, ")") - strings.Count(said, "}")
		if at.Len()+len(said) < most {
			at.WriteString(said)
			at.WriteByte(' ')
		}
		if depth <= 0 || at.Len() > most {
			out = append(out, at.String())
			at.Reset()
			depth = 0
		}
	}
	if at.Len() > 0 {
		out = append(out, at.String())
	}
	return out
}

// head is the part of a file in which imports can stand: in Go, before the first declaration.
func head(text, language string) string {
	if language != "go" {
		return text
	}
	from := max(strings.LastIndex(text, "\nimport"), 0)
	end := len(text)
	for _, keyword := range []string{"\nfunc ", "\ntype ", "\nvar ", "\nconst "} {
		if i := strings.Index(text[from:end], keyword); i >= 0 {
			end = from + i + 1
		}
	}
	return text[:end]
}

// namesModule reports whether an import statement names the file of a definition, or a folder that passes it on.
func (r *Resolver) namesModule(imports []string, c *Candidate) bool {
	s, dir := stem(c.Path), path.Base(path.Dir(c.Path))
	return slices.ContainsFunc(imports, func(line string) bool {
		return hasWord(line, s) || hasWord(line, dir) || strings.Contains(line, path.Base(c.Path))
	})
}

func (r *Resolver) importsName(imports []string, name string) bool {
	return slices.ContainsFunc(imports, func(line string) bool { return hasWord(line, name) })
}

// importsAll reports whether everything of a definition's module is imported.
func (r *Resolver) importsAll(imports []string, c *Candidate) bool {
	return slices.ContainsFunc(imports, func(line string) bool {
		return strings.Contains(line, "*") && (r.namesModule([]string{line}, c) || strings.Contains(line, "super::*"))
	})
}

// majorVersion ends a module's path and is no package's name.
var majorVersion = regexp.MustCompile(`/v[0-9]+"`)

// importsPackage reports whether a Go file imports a package of that name.
func (r *Resolver) importsPackage(imports []string, name string) bool {
	return slices.ContainsFunc(imports, func(line string) bool {
		line = majorVersion.ReplaceAllString(line, `"`)
		return hasAny(line, "/"+name+`"`, `"`+name+`"`, " "+name+` "`) || strings.HasPrefix(line, name+` "`)
	})
}

// importsDir reports whether a Go file imports a folder's package under a name.
func (r *Resolver) importsDir(imports []string, name, dir string) bool {
	base := path.Base(dir)
	tail := dir
	if parts := strings.Split(dir, "/"); len(parts) > 2 {
		tail = strings.Join(parts[len(parts)-2:], "/")
	}
	for _, line := range imports {
		for _, piece := range strings.Split(line, `"`) {
			if piece != tail && !strings.HasSuffix(piece, "/"+tail) {
				continue
			}
			if strings.Contains(line, name+` "`) || base == name || strings.Contains(base, name) {
				return true
			}
		}
	}
	return false
}

// importsModule reports whether a Python file imports a module under a name.
func importsModule(imports []string, name string) bool {
	return slices.ContainsFunc(imports, func(line string) bool {
		return strings.HasPrefix(line, "import ") && hasWord(line, name) || strings.Contains(line, " as "+name+" ")
	})
}

// hasWord reports whether a text has a word.
func hasWord(text, word string) bool {
	if word == "" || word == "." {
		return false
	}
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		if at := from + i; wordAt(text, at, len(word)) {
			return true
		}
		from += i + len(word)
	}
}

// importNodes are the types of nodes that bring names into a file.
var importNodes = wordSet(`import_statement import_from_statement future_import_statement import_declaration
	import_spec import_clause use_declaration extern_crate_declaration using_directive using_declaration
	namespace_use_declaration import_header import_list preproc_include package_clause package_declaration package_header
	export_clause namespace_import aliased_import package_identifier`)

// elixirImport begins what brings names into a file of Elixir, where it is a call like any other.
var elixirImport = regexp.MustCompile(`^(?:alias|import|require|use) `)

func importing(up []ancestor, d *chunk.Document) bool {
	for _, a := range up {
		if importNodes[a.kind] {
			return true
		}
		if a.kind == "call" && d.Language == "elixir" && elixirImport.MatchString(d.Text[a.node.StartByte():]) {
			return true
		}
		if (a.kind == "variable_declarator" || a.kind == "variable_declaration") &&
			strings.Contains(d.Text[a.node.StartByte():a.node.EndByte()], "require(") &&
			a.node.EndByte()-a.node.StartByte() < 300 {
			return true
		}
	}
	return false
}

// statement is the import statement around an occurrence on one line, if it says where names come from.
func statement(up []ancestor, d *chunk.Document) string {
	for _, a := range up {
		switch a.kind {
		case "import_from_statement", "import_statement", "export_statement":
			if n := a.node.EndByte() - a.node.StartByte(); n < 4000 {
				return strings.Join(strings.Fields(d.Text[a.node.StartByte():a.node.EndByte()]), " ") + " "
			}
		}
	}
	return ""
}
