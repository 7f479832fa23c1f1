package symbol

import (
	"path"
	"slices"
	"strings"

	"searchmcp/engine/index/chunk"
)

// Candidate is a definition that a use may mean, and where it stands.
type Candidate struct {
	Path, Language string
	Definition
}

// Resolver decides which of several definitions of one name a use means.
type Resolver struct {
	Candidates []Candidate
	// Defined reports whether the project defines a type of a name; nil: not known.
	Defined func(name string) bool
	// Types tells what receivers are; nil: only what their file says counts.
	Types *Types
}

// How sure a use is of a definition. Only their order and least matter: they were chosen by looking at uses that
// language servers find.
const (
	certain  = 1.0
	likely   = 0.8
	probable = 0.6
	possible = 0.4
	weak     = 0.3
	least    = 0.3
	never    = 0.0
)

// Use is a reference in a file.
type Use struct {
	Path, Language string
	Imports        []string
	Reference
}

// Resolve returns the indexes of the candidates that a use most likely means: none, one, or several where a receiver
// may be of several types.
func (r *Resolver) Resolve(u Use) []int {
	if found, ok := r.byType(u); ok {
		return found
	}
	best, at := 0.0, -1
	for i := range r.Candidates {
		c := &r.Candidates[i]
		s := r.score(u, c)
		if s < least {
			continue
		}
		s += nearness(u.Path, c.Path) / 100
		if s > best {
			at, best = i, s
		}
	}
	if at < 0 {
		return nil
	}
	if c := &r.Candidates[at]; u.Language == "cpp" && u.Role == Call && isType(c) {
		return append(r.constructors(c), at)
	}
	return []int{at}
}

// constructors are the candidates that construct a type which is one.
func (r *Resolver) constructors(of *Candidate) []int {
	var out []int
	for i := range r.Candidates {
		if c := &r.Candidates[i]; constructor(c) && sameScope(c, of) {
			out = append(out, i)
		}
	}
	return out
}

// constructor reports whether a candidate is one of C++'s, which have their type's name.
func constructor(c *Candidate) bool {
	return c.Kind == chunk.KindMethod && family(c.Language) == "c" && generic(lastPart(c.Owner())) == c.Name
}

// sameScope reports whether a constructor stands in a type: in the scopes around both.
func sameScope(c, of *Candidate) bool {
	a, b := c.Scope[:len(c.Scope)-1], of.Scope
	return len(a) == len(b) && inside(a, b)
}

// byType finds what a use means by the type of its receiver; ok is false if the project does not tell that type.
func (r *Resolver) byType(u Use) (found []int, ok bool) {
	if r.Types == nil || len(u.Expr) == 0 {
		return nil, false
	}
	if found = r.Types.exports(u.Expr, from{u.Path, u.Language}, r.Candidates); len(found) > 0 {
		return found, true
	}
	types := r.Types.Of(u.Expr, u.Path, u.Language)
	if len(types) == 0 || len(types) == 1 && types[0] == (Type{Name: literalType}) {
		return nil, false
	}
	found, outside := r.Types.Reach(types, r.Candidates)
	if outside && u.Receiver == "this" && family(u.Language) == "javascript" {
		// a component as an object literal: its methods, what it computes
		for i := range r.Candidates {
			if c := &r.Candidates[i]; c.Path == u.Path && c.member() && !c.Inner {
				found = append(found, i)
			}
		}
	}
	if len(found) == 0 {
		found = r.extensions(u, types)
	}
	if !outside || len(found) > 0 {
		return found, len(found) > 0 || !r.Types.project.Late()
	}
	if plainChain(u.Expr) && (!explicit[family(u.Language)] || r.importsName(u.Imports, u.Expr[0][1:])) {
		return nil, false // a module or a namespace
	}
	return nil, true
}

// plainChain reports whether an expression is nothing but names: a module's, perhaps.
func plainChain(e Expr) bool {
	if !strings.HasPrefix(e[0], valueRoot) && !strings.HasPrefix(e[0], bareRoot) {
		return false
	}
	return !slices.ContainsFunc(e[1:], func(s string) bool { return s[0] != '.' })
}

// nearness is the share of a path's folders that another one has, 1 for the same file.
func nearness(a, b string) float64 {
	if a == b {
		return 1
	}
	pa, pb := strings.Split(path.Dir(a), "/"), strings.Split(path.Dir(b), "/")
	n := 0
	for n < len(pa) && n < len(pb) && pa[n] == pb[n] {
		n++
	}
	return 0.9 * float64(n) / float64(max(len(pa), len(pb)))
}

// families are languages whose code uses each other's names.
var families = func() map[string]string {
	m := map[string]string{}
	for _, f := range []string{"javascript typescript tsx vue svelte html", "c cpp objective-c cuda",
		"java kotlin scala groovy", "python cython"} {
		first, _, _ := strings.Cut(f, " ")
		for l := range strings.FieldsSeq(f) {
			m[l] = first
		}
	}
	return m
}()

// Family is the language by which a family of languages is known whose code uses each other's names.
func Family(language string) string { return family(language) }

func family(language string) string {
	if f := families[language]; f != "" {
		return f
	}
	return language
}

// How languages let names be seen.
var (
	// explicit: what another file defines has to be imported by name.
	explicit = wordSet("python javascript")
	// bareMembers: a member is used without its object inside its type and what inherits from it.
	bareMembers = wordSet("java csharp cpp c swift ruby groovy dart elixir objective-c")
)

// member reports whether a definition is reached through an object or type.
func (c *Candidate) member() bool {
	return c.Member && len(c.Scope) > 0 && c.Kind != "namespace" && c.Kind != "module"
}

// exported reports whether a definition is a member of the object that a module of JavaScript exports.
func (c *Candidate) exported() bool {
	return c.Member && len(c.Scope) == 0 && family(c.Language) == "javascript"
}

// enumerator reports whether a definition is one of C's enumerators, which are seen where the enumeration is.
func (c *Candidate) enumerator() bool {
	return c.Kind == "constant" && (family(c.Language) == "c" || c.Language == "swift")
}

func (r *Resolver) score(u Use, c *Candidate) float64 {
	if u.Page && !strings.Contains(strings.TrimPrefix(u.Receiver, "this"), ".") {
		switch {
		case u.Path == c.Path && u.Receiver == "":
			return certain // whatever it stands in: methods, computed
		case stem(u.Path) == stem(c.Path) && path.Dir(u.Path) == path.Dir(c.Path) && u.Receiver == "":
			return likely // a component and its template
		}
	}
	if family(u.Language) != family(c.Language) {
		return never
	}
	if u.Receiver == "$" { // a variable of a shell
		if c.Kind == chunk.KindValue {
			return probable
		}
		return never
	}
	if constructor(c) && u.Receiver == "" {
		return never // its type is what is named
	}
	if hidden(c) && u.Path != c.Path {
		return never
	}
	if c.Inner && !c.member() || c.Inner && c.Kind == chunk.KindFunction {
		if u.Path == c.Path && inside(u.In, c.Scope) && (u.Receiver == "" || c.Member) {
			return certain
		}
		return never
	}
	if u.Role == Import {
		return r.imported(u, c)
	}
	if u.Receiver == "" {
		return r.bare(u, c)
	}
	return r.qualified(u, c)
}

// hidden reports whether a definition of C or C++ is seen in its own file only.
func hidden(c *Candidate) bool {
	if family(c.Language) != "c" || c.member() || isType(c) || c.Kind == "macro" {
		return false
	}
	switch path.Ext(c.Path) {
	case ".c", ".cc", ".cpp", ".cxx":
	default:
		return false
	}
	return strings.HasPrefix(c.Signature, "static ") ||
		c.Language == "cpp" && (strings.HasPrefix(c.Signature, "const ") && !strings.Contains(c.Signature, "*") ||
			strings.HasPrefix(c.Signature, "constexpr "))
}

// inside reports whether a path of definitions begins with another.
func inside(in, scope []string) bool {
	return len(in) >= len(scope) && slices.Equal(in[:len(scope)], scope)
}

// imported scores an import: members are not imported.
func (r *Resolver) imported(u Use, c *Candidate) float64 {
	if c.member() && !c.enumerator() && c.Language != "rust" && family(c.Language) != "java" {
		return never
	}
	if u.Language == "go" {
		return never // a package's name
	}
	if u.Type != "" { // its own statement
		u.Imports = []string{u.Type}
	}
	switch s := r.statement(u, c); {
	case s > 0 && c.member():
		return min(s, weak)
	case s > 0:
		return s
	case explicit[family(u.Language)]:
		return never
	case c.member():
		return weak
	}
	return possible
}

// statement scores what a file's imports say of a name: by the module that it is taken from.
func (r *Resolver) statement(u Use, c *Candidate) float64 {
	best := never
	for _, line := range u.Imports {
		if !hasWord(line, c.Name) {
			continue
		}
		switch module := moduleOf(line, u.Language); {
		case module != "" && names(u.Path, module, u.Language, c.Path):
			return certain
		case own(line, u.Language, c):
			best = max(best, probable) // passed on by another module
		case module == "" && r.namesModule([]string{line}, c):
			return certain
		}
	}
	return best
}

// moduleOf is the module that an import statement takes names from, "" if it does not say.
func moduleOf(line, language string) string {
	switch family(language) {
	case "python":
		if words := strings.Fields(line); len(words) > 2 && words[0] == "from" {
			return words[1]
		}
	case "javascript":
		for _, quote := range []string{"'", `"`, "`"} {
			if parts := strings.Split(line, quote); len(parts) > 2 {
				return parts[len(parts)-2]
			}
		}
	}
	return ""
}

// names reports whether a module, as a file names it, is another file.
func names(from, module, language, file string) bool {
	bare := strings.TrimSuffix(file, path.Ext(file))
	bare = strings.TrimSuffix(bare, ".d")
	for _, index := range []string{"/index", "/__init__"} {
		bare = strings.TrimSuffix(bare, index)
	}
	if family(language) == "python" {
		up := len(module) - len(strings.TrimLeft(module, "."))
		rest := strings.ReplaceAll(module[up:], ".", "/")
		if up > 0 {
			dir := path.Dir(from)
			for range up - 1 {
				dir = path.Dir(dir)
			}
			return path.Join(dir, rest) == bare
		}
		return rest != "" && (bare == rest || strings.HasSuffix(bare, "/"+rest))
	}
	if strings.HasPrefix(module, ".") {
		for _, ext := range []string{".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".mts"} {
			module = strings.TrimSuffix(module, ext)
		}
		return path.Join(path.Dir(from), module) == bare
	}
	return strings.HasSuffix(bare, "/"+strings.TrimLeft(module, "@~/"))
}

// own reports whether an import statement is of the project's own modules, as far as it says.
func own(line, language string, c *Candidate) bool {
	module := moduleOf(line, language)
	switch family(language) {
	case "python":
		first, _, _ := strings.Cut(module, ".")
		return module != "" && (first == "" || hasFolder(c.Path, first))
	case "javascript": // "" of a list of several lines, whose end stands elsewhere
		return module == "" || strings.ContainsRune(".~#", rune(module[0])) || strings.HasPrefix(module, "@/") ||
			hasFolder(c.Path, path.Base(module))
	}
	return true
}

// bare scores a name that stands alone.
func (r *Resolver) bare(u Use, c *Candidate) float64 {
	lang, fam := u.Language, family(u.Language)
	if c.member() && !c.enumerator() {
		switch {
		case lang == "c" && u.Role != Key:
			return never
		case u.Role == Key:
			owner := generic(lastPart(c.Owner()))
			switch {
			case u.Type != "" && u.Type == owner:
				return certain
			case u.Type != "" && (r.owned(u.Type) || r.Defined != nil && !r.Defined(u.Type)), lang == "python":
				return never
			case u.Type != "":
				return weak
			}
			if c.Kind == chunk.KindMethod && lang != "typescript" && lang != "javascript" && lang != "tsx" {
				return never
			}
			if u.Path == c.Path {
				return probable
			}
			return possible
		case bareMembers[lang] || fam == "java":
			switch {
			case contains(u.In, c.Owner()):
				return certain
			case isType(c) && u.Path == c.Path:
				return likely
			case r.importsName(u.Imports, c.Name) || isType(c) || r.importsAll(u.Imports, c):
				return probable
			}
			for i := range r.Candidates {
				if o := &r.Candidates[i]; o != c && o.Owner() != "" && contains(u.In, o.Owner()) {
					return never // its own type has one
				}
			}
			return weak
		case lang == "rust" && r.importsName(u.Imports, c.Owner()) && upper(c.Name):
			return possible
		case (lang == "python" || fam == "javascript") && u.Path == c.Path && sameTail(u.In, c.Scope):
			return probable // in the class's own body
		}
		return never
	}
	if u.Role == Key && !(lang == "go" || fam == "c") {
		return never
	}
	if u.Path == c.Path {
		switch {
		case u.Role == Key:
			return possible
		case c.exported():
			return never // reached through the object
		}
		return certain
	}
	switch {
	case u.Role == Key:
		return never
	case explicit[fam]:
		if s := r.statement(u, c); s > 0 {
			return s
		}
		if r.importsAll(u.Imports, c) {
			return probable
		}
		return never
	case lang == "go":
		if path.Dir(u.Path) == path.Dir(c.Path) && (!isTest(c.Path) || isTest(u.Path)) {
			return certain
		}
		return never
	case lang == "rust":
		switch {
		case r.importsName(u.Imports, c.Name):
			return likely
		case c.Kind == "macro", r.importsAll(u.Imports, c):
			return probable
		}
		return never
	case path.Dir(u.Path) == path.Dir(c.Path):
		return likely
	case r.importsName(u.Imports, c.Name):
		return likely
	case fam == "c" && r.namesModule(u.Imports, c):
		return likely
	case fam == "java" && !r.importsAll(u.Imports, c):
		return weak
	}
	return possible
}

func isType(c *Candidate) bool {
	switch c.Kind {
	case chunk.KindType, "class", "interface", "struct", "enum", "trait", "record", "protocol", "object", "union":
		return true
	}
	return false
}

func isTest(p string) bool { return strings.HasSuffix(p, "_test.go") }

// qualified scores a name behind a receiver.
func (r *Resolver) qualified(u Use, c *Candidate) float64 {
	chain := strings.Split(u.Receiver, ".")
	last := chain[len(chain)-1]
	if c.exported() && u.Path == c.Path && (last == "this" || last == exportsName) {
		return likely
	}
	if !c.member() || isType(c) {
		if s := r.throughModule(u, c, chain, last); s > 0 || !c.member() {
			return s
		}
	}
	owner := generic(lastPart(c.Owner()))
	switch {
	case last == "super" || last == "parent" || last == "base":
		if contains(u.In, owner) {
			return never
		}
		return possible
	case last == owner:
		return certain
	case selfWords[last]:
		if u.Type == owner || contains(u.In, owner) {
			return certain
		}
		if r.owned(u.Type) || u.Type == "" && u.Path != c.Path {
			return never
		}
		return possible
	case r.extends(c) != "":
		return r.onExtended(u, c)
	case u.Type != "":
		return r.typed(u, u.Type, c, owner)
	case u.Language == "go" && len(chain) == 1 && r.importsPackage(u.Imports, last):
		return never
	case upper(last) && last == generic(last) && !strings.HasSuffix(last, "()") && strings.ToUpper(last) != last:
		return r.typed(u, last, c, owner)
	case u.Language == "python" && len(chain) == 1 && importsModule(u.Imports, last):
		return never
	}
	switch {
	case similar(last, owner):
		return likely
	case builtin(u.Language, c.Name):
		return never
	}
	if u.Path == c.Path {
		return probable
	}
	return possible
}

// typed scores a use on a receiver of a known type.
func (r *Resolver) typed(u Use, typ string, c *Candidate, owner string) float64 {
	switch {
	case typ == owner:
		return certain
	case r.owned(typ):
		return never
	case len(typ) > 1 && r.Defined != nil && !r.Defined(typ):
		return never // a type of another project
	}
	return weak
}

// owned reports whether a type has one of the candidates itself.
func (r *Resolver) owned(typ string) bool {
	for i := range r.Candidates {
		if typ != "" && generic(lastPart(r.Candidates[i].Owner())) == typ {
			return true
		}
	}
	return false
}

func lastPart(name string) string {
	if i := strings.LastIndexAny(name, ".:"); i >= 0 {
		return name[i+1:]
	}
	return name
}

// similar reports whether a variable is called like a type: session and Session, repo and UserRepo.
func similar(variable, typ string) bool {
	v, t := strings.ToLower(strings.Trim(variable, "_()$")), strings.ToLower(typ)
	if len(v) == 1 && t != "" {
		return v[0] == t[0]
	}
	return len(v) >= 3 && (v == t || strings.HasSuffix(t, v) || strings.HasPrefix(t, v) ||
		strings.HasSuffix(v, t) && len(t) >= 3)
}

// contains reports whether one of the definitions around a place is called so.
func contains(in []string, name string) bool {
	return name != "" && slices.ContainsFunc(in, func(s string) bool { return generic(s) == generic(name) })
}

func sameTail(in, scope []string) bool {
	return len(in) >= len(scope) && len(scope) > 0 && contains(in[:len(scope)], scope[len(scope)-1]) &&
		len(in) <= len(scope)+1
}

// stem is a file's name, or its folder's where the file stands for it.
func stem(p string) string {
	base := path.Base(p)
	if i := strings.IndexByte(base, '.'); i > 0 {
		base = base[:i]
	}
	switch base {
	case "index", "__init__", "mod", "lib", "main", "init":
		return path.Base(path.Dir(p))
	}
	return base
}
