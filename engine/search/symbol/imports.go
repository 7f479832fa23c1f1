package symbol

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"searchmcp/engine/index/chunk"
	"searchmcp/engine/lang"
)

// Dependency is an import statement or, if Module is empty, an export statement.
type Dependency struct {
	Line   int
	Last   int
	Module string // the imported module, as written
	// Whole is the local name of the module or, if Default is set, of the module's default export.
	Whole   string
	Default bool
	Names   []Imported
	All     bool
	Export  bool // the file exports the names
}

// Imported is an exported name and its name in the importing file, as in "import { name as other }".
type Imported struct{ Name, As string }

const maxImportText = 512 << 10 // number of bytes at the start of a file that are searched for imports

// Imports returns the imports of a file.
func Imports(d *chunk.Document) []Dependency {
	x, text := &importing{d: d}, d.Text[:min(len(d.Text), maxImportText)]
	switch lang.Of(d.Language).Imports {
	case lang.ImportScript:
		x.script(text)
	case lang.ImportFrom:
		x.python(text)
	case lang.ImportPath:
		for _, declaration := range []string{"\nfunc ", "\ntype ", "\nvar ", "\nconst "} {
			text, _, _ = strings.Cut(text, declaration)
		}
		x.golang(text)
	default:
		x.others(text)
	}
	return x.out
}

var (
	scriptFrom = regexp.MustCompile(
		`\b(import|export)\s+(?:type\s+)?([\pL\pN_$*,\s]*(?:\{[^{}'"]*\})?[\pL\pN_$*,\s]*?)\s*\bfrom\s*['"]([^'"\n]+)['"]`)
	scriptCall = regexp.MustCompile(`(?:\b(?:const|let|var|import)\s+(\{[^}]*\}|[\pL\pN_$]+)\s*(?::[^=\n]*)?=\s*)?` +
		`(?:await\s+)?(?:[\w$.]+(?:<[^<>()]*>)?\(\s*(?:async\s*)?(?:\(\s*\)|function\s*\(\s*\))\s*(?:=>)?\s*)?` +
		`(?:\{\s*return\s+)?\(?(?:await\s+)?\b(require(?:\.resolve)?|import|URL|mock|requireActual|importActual)\s*\(\s*` +
		`(?:/\*.*?\*/\s*)?['"` + "`" + `]([^'"` + "`" + `\n]+)['"` + "`" + `]\s*[,)]\)?` +
		`(?:\s*\.\s*(?:then\s*\(\s*\(?\w+\)?\s*=>\s*(?:\(\s*\{\s*default\s*:\s*)?\w+\.)?([\pL\pN_$]+))?`)
	// scriptExport matches exports of local names, such as "export { a, b }".
	scriptExport = regexp.MustCompile(`\bexport\s+(?:type\s+)?\{([^}]*)\}(\s*from\b)?|` +
		`\bmodule\.exports\s*=\s*\{([^}]*)|\bexports\.([\pL\pN_$]+)\s*=\s*([\pL\pN_$]+)\s*(?:;|\n)`)
	scriptBare = regexp.MustCompile(`\bimport\s*['"]([^'"\n]+)['"]`)
)

// upTo cuts off the end of text that can't contain a match of a slow expression.
func upTo(text, signs string, words ...string) string {
	const statement = 600
	end := 0
	for _, w := range words {
		for at := strings.LastIndex(text, w); at >= end; at = strings.LastIndex(text[:at], w) {
			behind := strings.TrimLeft(text[at+len(w):], " \t\r\n\f\v")
			if behind != "" && strings.Contains(signs, behind[:1]) {
				end = at + len(w)
				break
			}
		}
	}
	if end == 0 {
		return ""
	}
	return text[:min(len(text), end+statement)]
}

type importing struct {
	d   *chunk.Document
	out []Dependency
}

func (x *importing) each(text string, pattern *regexp.Regexp, read func(in *Dependency, m []string)) {
	for _, at := range pattern.FindAllStringSubmatchIndex(text, -1) {
		x.add(text, 0, at, read)
	}
}

// add adds the import at the submatches at of text, which begins at the offset start of the document.
func (x *importing) add(text string, start int, at []int, read func(in *Dependency, m []string)) {
	in := Dependency{Line: x.d.LineAt(start + at[0]), Last: x.d.LineAt(start + max(at[1]-1, at[0]))}
	m := make([]string, len(at)/2)
	for i := range m {
		if at[2*i] >= 0 {
			m[i] = text[at[2*i]:at[2*i+1]]
		}
	}
	if read(&in, m); in.Module != "" || len(in.Names) > 0 || in.Default {
		x.out = append(x.out, in)
	}
}

func (x *importing) script(text string) {
	x.each(upTo(text, `'"`, "from"), scriptFrom, func(in *Dependency, m []string) {
		in.Module, in.Export = m[3], m[1] == "export"
		in.clause(m[2], true)
	})
	x.each(upTo(text, "(", "require", ".resolve", "import", "URL", "mock", "Actual"), scriptCall,
		func(in *Dependency, m []string) {
			local, member := m[1], m[4]
			in.Module = m[3]
			switch {
			case strings.HasPrefix(local, "{"):
				in.clause(strings.ReplaceAll(local, ":", " as "), true)
			case member != "" && member != "then" && member != "default":
				in.Names = []Imported{{member, cmp.Or(local, member)}}
			default:
				in.Whole, in.Default = local, true
			}
		})
	x.each(upTo(text, "{=.", "export", "exports", ".exports"), scriptExport, func(in *Dependency, m []string) {
		in.Export = true
		switch {
		case m[2] != "": // an import, too
		case m[1] != "":
			in.clause("{"+m[1]+"}", true)
		case m[4] != "":
			in.Names = []Imported{{m[5], m[4]}}
		default:
			for pair := range strings.SplitSeq(m[3], ",") {
				if key, value, ok := strings.Cut(pair, ":"); ok {
					in.Names = append(in.Names, Imported{strings.TrimSpace(value), strings.TrimSpace(key)})
				}
			}
		}
	})
	x.each(upTo(text, `'"`, "import"), scriptBare, func(in *Dependency, m []string) { in.Module = m[1] })
}

// clause parses the names of an import, such as "Panel, { a as b, default as C }" or "* as all".
func (in *Dependency) clause(s string, whole bool) {
	outside, list, braces := strings.Cut(s, "{")
	if !whole {
		outside, list, braces = "", s, true
	}
	if braces {
		list, _, _ = strings.Cut(list, "}")
		for part := range strings.SplitSeq(list, ",") {
			words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(part), "type "))
			switch {
			case len(words) == 0:
			case words[0] == "*":
				in.All = true
			case words[0] == "default" && whole:
				in.Default, in.Whole = true, words[len(words)-1]
			case len(words) == 3 && words[1] == "as":
				in.Names = append(in.Names, Imported{words[0], words[2]})
			default:
				in.Names = append(in.Names, Imported{words[0], words[0]})
			}
		}
	}
	for part := range strings.SplitSeq(outside, ",") {
		switch words := strings.Fields(part); {
		case len(words) == 3 && words[0] == "*":
			in.Whole = words[2]
		case len(words) > 0 && words[0] == "*":
			in.All = true
		case len(words) == 1:
			in.Whole, in.Default = words[0], true
		}
	}
}

var (
	pythonFrom = regexp.MustCompile(`(?m)(?:^|;)[ \t]*from[ \t]+([.\pL\pN_]+)[ \t]+c?import[ \t]+` +
		`(?:\(([^)]*)\)|((?:[^\\\n#;]|\\\n)+))`)
	pythonImport  = regexp.MustCompile(`(?m)(?:^|;)[ \t]*c?import[ \t]+([^\n#;]+)`)
	pythonComment = regexp.MustCompile(`#.*|\\`)
)

func (x *importing) python(text string) {
	x.each(text, pythonFrom, func(in *Dependency, m []string) {
		in.Module = m[1]
		in.clause(pythonComment.ReplaceAllString(m[2]+m[3], ""), false)
	})
	x.each(text, pythonImport, func(in *Dependency, m []string) {
		var modules Dependency
		modules.clause(m[1], false)
		for _, n := range modules.Names {
			x.out = append(x.out, Dependency{Line: in.Line, Last: in.Last, Module: n.Name, Whole: n.As})
		}
	})
}

var (
	goImport     = regexp.MustCompile(`(?m)^[ \t]*(?:import[ \t]+)?(?:([\pL\pN_.]+)[ \t]+)?"([^"\n]+)"[ \t]*(?://.*)?\r?$`)
	majorVersion = regexp.MustCompile(`/v[0-9]+$`)
)

func (x *importing) golang(text string) {
	x.each(text, goImport, func(in *Dependency, m []string) {
		in.Line, in.Module, in.Whole = in.Last, m[2], m[1]
		if m[1] == "" || m[1] == "import" {
			in.Whole = path.Base(majorVersion.ReplaceAllString(in.Module, ""))
		}
		in.All = in.Whole == "."
	})
}

var (
	otherImport = regexp.MustCompile(`^((?:(?:pub(?:\([^)]*\))?|global|static|export)[ \t]+)*)` +
		`(?:import|use|using|require_once|require_relative|require|include_once|include|alias|open|load|@import|@use|` +
		`@forward|#[ \t]*include|#[ \t]*import|library|extern crate|mod|source)\b[ \t(]*` +
		`([^;\n{]*(?:\{[^}]*\})?[^;\n]*)`)
	renamed      = regexp.MustCompile(`([\pL\pN_]+)(?:[ \t]*(?:[ \t]as:?[ \t]+|=>[ \t]*)|,[ \t]*as:[ \t]*)([\pL\pN_]+)`)
	renamedFirst = regexp.MustCompile(`^([\pL\pN_]+)[ \t]*=[ \t]*([\pL\pN_.\\:]+)`)
)

func (x *importing) others(text string) {
	for at := 0; at < len(text); {
		statement := strings.TrimLeft(text[at:], " \t")
		at = len(text) - len(statement)
		if statement != "" && strings.IndexByte("acegilmoprsu@#", statement[0]) >= 0 { // much faster than otherImport
			if m := otherImport.FindStringSubmatchIndex(statement); m != nil {
				x.add(statement, at, m, other)
				at += m[1]
			}
		}
		end := strings.IndexAny(text[at:], "\n;")
		if end < 0 {
			return
		}
		at += end + 1
	}
}

func other(in *Dependency, m []string) {
	clause := strings.Join(strings.Fields(m[2]), " ")
	in.Module, in.Export = clause, strings.HasPrefix(m[1], "pub")
	in.All = strings.Contains(clause, "*") || strings.HasSuffix(clause, "._")
	if r := renamedFirst.FindStringSubmatch(clause); r != nil {
		in.Names = append(in.Names, Imported{last(r[2]), r[1]})
	}
	for _, r := range renamed.FindAllStringSubmatch(clause, -1) {
		if strings.Contains(clause, "only:") && strings.Contains(r[0], "=>") { // in Fortran
			r[1], r[2] = r[2], r[1]
		}
		in.Names = append(in.Names, Imported{r[1], r[2]})
	}
}

func last(name string) string { return name[strings.LastIndexAny(name, `.:\/`)+1:] }

// Reach is how certainly an import refers to the file of a definition.
type Reach uint8

const (
	Elsewhere Reach = iota
	Perhaps         // the imported module may re-export the definition
	Reached
)

// Reaches returns how certainly an import refers to c's file. importer is the path of the importing file.
func (in *Dependency) Reaches(importer, language string, c *Candidate) Reach {
	switch lang.Of(language).Imports {
	case lang.ImportScript, lang.ImportFrom:
		if namesFile(importer, in.Module, language, c.Path) {
			return Reached
		}
		if ownModule(in.Module, language, c.Path) {
			return Perhaps
		}
		return Elsewhere
	case lang.ImportPath:
		dir := path.Dir(c.Path)
		switch base := path.Base(dir); {
		case dir == "." && strings.Contains(in.Module, "."): // the package in the root folder, which may have any name
			return Perhaps
		case dir == ".":
			return Elsewhere
		case in.Module == dir, strings.HasSuffix(in.Module, "/"+dir), strings.HasSuffix(dir, "/"+in.Module),
			base == path.Base(majorVersion.ReplaceAllString(in.Module, "")) &&
				strings.HasSuffix(in.Module, path.Join(path.Base(path.Dir(dir)), base)):
			return Reached
		}
		return Elsewhere
	}
	folders := moduleSeparators.Replace(strings.Trim(in.Module, `"'<>* `))
	folders = strings.Trim(strings.TrimRight(folders, "*_"), "/")
	switch {
	case hasWord(in.Module, Stem(c.Path)), hasWord(in.Module, c.Name) && !in.Renames(c.Name),
		in.All && strings.HasSuffix("/"+path.Dir(c.Path), "/"+folders),
		len(c.Scope) > 0 && (in.Module == c.Scope[0] || hasWord(in.Module, c.Scope[0])):
		return Reached
	case hasWord(in.Module, path.Base(path.Dir(c.Path))):
		return Perhaps
	}
	return Elsewhere
}

var moduleSeparators = strings.NewReplacer("::", "/", ".", "/", `\`, "/")

// Renames reports whether name is an alias, as in "import { other as name }".
func (in *Dependency) Renames(name string) bool {
	return slices.ContainsFunc(in.Names, func(n Imported) bool { return n.As == name && n.Name != name })
}

// namesFile reports whether the import of module in the file importer is an import of file.
func namesFile(importer, module, language, file string) bool {
	bare := strings.TrimSuffix(strings.TrimSuffix(file, path.Ext(file)), ".d")
	for _, index := range []string{"/index", "/__init__"} {
		bare = strings.TrimSuffix(bare, index)
	}
	if lang.Of(language).Imports == lang.ImportFrom {
		up := len(module) - len(strings.TrimLeft(module, "."))
		rest := strings.ReplaceAll(module[up:], ".", "/")
		if up == 0 {
			return rest != "" && (bare == rest || strings.HasSuffix(bare, "/"+rest))
		}
		dir := path.Dir(importer)
		for range up - 1 {
			dir = path.Dir(dir)
		}
		return path.Join(dir, rest) == bare
	}
	for _, ext := range []string{".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".mts", ".vue", ".svelte", ".astro"} {
		module = strings.TrimSuffix(module, ext)
	}
	if strings.HasSuffix(module, "/") && Stem(file) != "index" {
		return false
	}
	module = strings.TrimSuffix(module, "/index")
	if strings.HasPrefix(module, ".") {
		to := path.Join(path.Dir(importer), module)
		return to == bare || to == path.Join(path.Dir(file), Stem(file)) || to == strings.TrimSuffix(bare, "index") ||
			bare == "index" && to == "."
	}
	module = strings.TrimLeft(module, "@~#$/")
	return module != "" && (bare == module || strings.HasSuffix(bare, "/"+module) && strings.Contains(module, "/"))
}

// ownModule reports whether a module's name may refer to a file of the project. Other modules are libraries.
func ownModule(module, language, file string) bool {
	if lang.Of(language).Imports == lang.ImportFrom {
		first, _, _ := strings.Cut(module, ".")
		return first == "" || hasFolder(file, first)
	}
	base := path.Base(module)
	first, _, _ := strings.Cut(module, "/")
	// The names of npm packages are in lower case, so another name is an alias.
	return module != "" && (strings.ToLower(first) != first || strings.ContainsRune(".~#", rune(module[0])) ||
		strings.HasPrefix(module, "@/") || hasFolder(file, base) ||
		Stem(file) == base && hasFolder(file, path.Base(path.Dir(module))))
}

func hasFolder(p, name string) bool { return slices.Contains(strings.Split(path.Dir(p), "/"), name) }

// Stem returns the name of a file without its extensions.
func Stem(p string) string {
	base, _, _ := strings.Cut(path.Base(p), ".")
	return base
}

func hasWord(text, word string) bool {
	return word != "" && word != "." && strings.Contains(text, word) && (&lang.Language{}).Has(text, word)
}

var defaultName = regexp.MustCompile(`(?m)\b(?:export\s+default|(?:module\.)?exports(?:\.default)?\s*=)\s*` +
	`(?:(?:async\s+)?function\s*\*?\s*|(?:abstract\s+)?class\s+)([\pL\pN_$]+)|` +
	`\bexport\s+default\s+(?:[\w$.]+\((?:[^()]*\)\()?\s*)*([\pL\pN_$]+)|` +
	`\b(?:module\.)?exports(?:\.default)?\s*=\s*([\pL\pN_$]+)|` +
	`\bexport\s*\{[^}]*?\b([\pL\pN_$]+)\s+as\s+default\b|(?m)^\s*export\s*=\s*([\pL\pN_$]+)`)

var unnamed = regexp.MustCompile(`\b(?:export\s+default|module\.exports\s*=)\s*(?:async\s+)?` +
	`(?:function\s*\*?\s*\(|class\s*(?:\{|extends\b)|\(|\{|[\w$.]+\s*(?:=>|\())`)

// Whole reports whether a default export is named after its file, because the file is a component or the export has no
// name.
func Whole(path string, d *chunk.Document) bool {
	return lang.Of(lang.OfFile(path, nil)).Component || unnamed.MatchString(d.Text)
}

func (x *extraction) exportedWhole(m chunk.Definition) bool {
	if x.defaults == nil {
		x.defaults = map[string]bool{}
		for _, m := range defaultName.FindAllStringSubmatch(x.d.Text, -1) {
			x.defaults[strings.Join(m[1:], "")] = true
		}
	}
	return x.defaults[m.Name] && len(m.Scope) == 0
}
