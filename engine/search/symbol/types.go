package symbol

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"searchmcp/engine/index/chunk"
)

// Project is what Types asks of the other files.
type Project interface {
	// Named returns the definitions of a name wherever they are.
	Named(name string) []Candidate
	// In returns those of one file.
	In(path, name string) []Candidate
	// Imports returns a file's import statements.
	Imports(path string) []string
	// Late reports whether there is no time left to read further files: they may say more.
	Late() bool
}

// Types follows expressions through the files of a project. It belongs to one goroutine.
type Types struct {
	project   Project
	resolvers map[string]*Resolver
	known     map[string][]Type
	basesOf   map[site][]*Candidate
	ancestors map[site][]*Candidate
	depth     int
	nested    int // calls within another that may come back to where they began
	work      int // of the outermost of them
}

// NewTypes returns Types of a project.
func NewTypes(p Project) *Types {
	return &Types{project: p, resolvers: map[string]*Resolver{}, known: map[string][]Type{},
		basesOf: map[site][]*Candidate{}, ancestors: map[site][]*Candidate{}}
}

// Type is a type that an expression may have. At is nil for one that the project does not define.
type Type struct {
	Name string
	At   *Candidate
}

// Bounds: code may say that a is what b gives, and b what a gives. maxFollow is of definitions followed one after the
// other.
const (
	maxFollow = 12
	maxNested = 60
	maxWork   = 4000
)

// enter begins a step that may lead to itself, false if it has been followed far enough. Call leave after it.
func (t *Types) enter() bool {
	if t.nested >= maxNested || t.work >= maxWork {
		return false
	}
	t.nested++
	t.work++
	return true
}

func (t *Types) leave() {
	if t.nested--; t.nested == 0 {
		t.work = 0
	}
}

// from is a file that says something.
type from struct{ path, language string }

// value is what an expression gives, one step at a time.
type value struct {
	from
	text   string     // a type as it is written, of which this is a value
	at     *Candidate // what it names: a type, function or variable
	module string     // or a name that may be a module's
	file   string     // or what a module of JavaScript exports, by its path as the file names it
	elem   string     // of a collection's method: what the collection holds
	// outside is true for what comes from elsewhere than the project; text may say its type.
	outside bool
}

// Of returns the types that an expression in a file may have; none if the project does not say.
func (t *Types) Of(e Expr, file, language string) []Type {
	if len(e) == 0 {
		return nil
	}
	key := file + "\x00" + strings.Join(e, "\x00")
	if known, ok := t.known[key]; ok {
		return known
	}
	t.known[key] = nil // while it is followed
	var out []Type
	for _, v := range t.follow(e, from{file, language}) {
		for _, one := range t.types(v) {
			if !slices.ContainsFunc(out, func(o Type) bool {
				return o.Name == one.Name && (o.At == nil) == (one.At == nil) && (o.At == nil || o.At.Path == one.At.Path)
			}) {
				out = append(out, one)
			}
		}
	}
	t.known[key] = out
	return out
}

// follow takes the steps of an expression.
func (t *Types) follow(e Expr, in from) []value {
	if t.depth > maxFollow {
		return nil
	}
	t.depth++
	defer func() { t.depth-- }()
	var now []value
	switch root := e[0][1:]; e[0][:1] {
	case typeRoot:
		now = []value{{from: in, text: root}}
	case moduleRoot:
		now = []value{moduleValue(root, in)}
	case bareRoot:
		owner, name, _ := strings.Cut(root, " ")
		now = slices.DeleteFunc(t.member(value{from: in, text: owner}, name), func(w value) bool { return w.outside })
		if len(now) == 0 {
			now = t.named(name, "", in)
		}
	default:
		now = t.named(root, "", in)
	}
	for i, step := range e[1:] {
		var next []value
		for _, v := range now {
			next = append(next, t.step(v, step, e[1:][i+1:])...)
		}
		if now = next; len(now) == 0 || len(now) > 16 {
			return nil
		}
	}
	return now
}

// named is what a name means in a file, behind the name of a module or alone.
func (t *Types) named(name, module string, in from) []value {
	if c := t.resolve(name, module, in); c != nil {
		return []value{{from: from{c.Path, c.Language}, at: c}}
	}
	if module == "" {
		if from := importedFrom(t.project.Imports(in.path), name, in.language); from != "" {
			return []value{moduleValue(from, in)}
		}
		return []value{{from: in, module: name}}
	}
	if len(t.resolver(name).Candidates) == 0 && !t.project.Late() {
		return []value{{from: in, outside: true}}
	}
	return nil
}

func (t *Types) resolver(name string) *Resolver {
	r := t.resolvers[name]
	if r == nil {
		r = &Resolver{Types: t}
		for _, c := range t.project.Named(name) {
			if !c.Inner && (!c.member() || isType(&c) || c.enumerator()) {
				r.Candidates = append(r.Candidates, c)
			}
		}
		if slices.ContainsFunc(r.Candidates, func(c Candidate) bool { return isType(&c) && !c.member() }) {
			// nested ones are named through their type
			r.Candidates = slices.DeleteFunc(r.Candidates, func(c Candidate) bool {
				return family(c.Language) == "c" &&
					isType(&c) && c.member()
			})
		}
		if t.project.Late() {
			return r
		}
		t.resolvers[name] = r
	}
	return r
}

// resolve finds the definition that a name means in a file.
func (t *Types) resolve(name, module string, in from) *Candidate {
	imports := t.project.Imports(in.path)
	role := Mention
	if real := renamed(imports, name, in.language); real != "" && module == "" {
		name, role = real, Import
	}
	r := t.resolver(name)
	u := Use{Path: in.path, Language: in.language, Imports: imports, Reference: Reference{Receiver: module, Role: role}}
	if found := r.Resolve(u); len(found) > 0 {
		return &r.Candidates[found[0]]
	}
	if same := slices.IndexFunc(r.Candidates, func(c Candidate) bool { return c.Path == in.path }); same >= 0 &&
		module == "" {
		return &r.Candidates[same]
	}
	if module == "" {
		for _, c := range t.project.In(in.path, name) { // a class in a function
			if c.Inner && isType(&c) {
				return &c
			}
		}
	}
	if !explicit[family(in.language)] || module != "" {
		return nil
	}
	var only *Candidate // that the project has one type of a name says enough where a comment names it
	for i := range r.Candidates {
		if c := &r.Candidates[i]; isType(c) && family(c.Language) == family(in.language) &&
			!strings.HasSuffix(c.Path, ".d.ts") {
			if only != nil {
				return nil
			}
			only = c
		}
	}
	return only
}

// renamed is the name that an import gives another one, "" if none does.
func renamed(imports []string, name, language string) string {
	switch family(language) {
	case "javascript", "python", "rust", "java", "php":
	default:
		return ""
	}
	for _, line := range imports {
		if !strings.Contains(line, " as "+name) {
			continue
		}
		if m := regexp.MustCompile(`(\w+)\s+as\s+` + regexp.QuoteMeta(name) + `\b`).FindStringSubmatch(line); m != nil {
			return m[1]
		}
	}
	return ""
}

// Renamed is the name under which imports bring in another one, "" if they keep it.
func Renamed(imports []string, name string) string {
	for _, line := range imports {
		if !strings.Contains(line, name+" as ") {
			continue
		}
		if m := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\s+as\s+(\w+)`).FindStringSubmatch(line); m != nil &&
			m[1] != name {
			return m[1]
		}
	}
	return ""
}

// Has reports whether a type has a member, its own or an inherited one.
func (t *Types) Has(at *Candidate, name string) bool { return len(t.memberOf(at, name, 0)) > 0 }

// gathered is what each of a list gives.
func gathered[A, B any](list []A, gives func(A) []B) (out []B) {
	for _, one := range list {
		out = append(out, gives(one)...)
	}
	return out
}

// step takes one step; rest are those behind it.
func (t *Types) step(v value, step string, rest []string) []value {
	if !t.enter() {
		return nil
	}
	defer t.leave()
	if v.outside {
		return []value{v}
	}
	if v.file != "" && step[0] != '.' {
		return gathered(t.exported(v), func(w value) []value { return t.step(w, step, rest) })
	}
	if v.module != "" && step[0] != '.' {
		v = t.elsewhere(v)
		if v.outside {
			return []value{v}
		}
	}
	switch step[0] {
	case '.':
		return t.member(v, step[1:])
	case '(':
		if len(step) > 1 && step[1] != ')' {
			return t.parameter(v, int(step[1]-'0'))
		}
		index := 0
		if len(step) > 2 {
			index = int(step[2] - '0')
		}
		return t.call(v, index)
	case '?':
		key, literal, _ := strings.Cut(step[1:], "=")
		return t.withLiteral(v, key, literal, 0)
	case '[':
		if v.at != nil {
			return gathered(t.valueOf(v), func(w value) []value { return t.step(w, step, rest) })
		}
		if text := Element(v.text, v.language); text != "" {
			return []value{{from: v.from, text: text}}
		}
		for _, one := range t.types(v) { // an alias of a collection
			if one.At != nil && one.At.Alias != "" {
				if text := Element(one.At.Alias, one.At.Language); text != "" {
					return []value{{from: from{one.At.Path, one.At.Language}, text: text}}
				}
			}
		}
	case '^':
		var out []value
		for _, one := range t.types(v) {
			if one.At == nil {
				continue
			}
			for _, b := range one.At.Bases {
				out = append(out, value{from: from{one.At.Path, one.At.Language}, text: b})
			}
		}
		return out
	}
	return nil
}

// Methods of collections that give an element, the collection, or what they are called on.
var (
	elementMethods = wordSet(`get pop shift find first last at front back peek next remove getOrDefault get_mut first_mut
		last_mut iter_next take unwrap_or_default First Last Single FirstOrDefault firstOrNull find_map max_by min_by
		findLast pop_front pop_back poll element ElementAt`)
	sameMethods = wordSet(`values filter slice reverse sort concat clone items iter iter_mut into_iter copy toList to_vec
		toArray Where OrderBy ToList stream entries keys splice values_mut drain sorted take skip rev cloned copied collect
		chunks as_slice as_mut_slice ToArray toSorted`)
	wrapperMethods = wordSet(`unwrap expect unwrap_or unwrap_or_else unwrap_or_default ok as_ref as_mut clone borrow
		borrow_mut lock read write to_owned get_mut into as_deref as_deref_mut ok_or ok_or_else map_err cloned copied await
		take get join deref release as_ptr then catch finally upgrade try_lock Value value orElse orElseThrow get_ref
		get_or_insert_with`)
)

// withLiteral are the types of a union whose member has a literal as its type, or may have it.
func (t *Types) withLiteral(v value, key, literal string, depth int) []value {
	var out []value
	for _, one := range t.types(v) {
		switch {
		case one.At == nil:
			out = append(out, value{from: v.from, outside: true})
			continue
		case one.At.Alias != "" && len(one.At.Bases) > 0 && depth < 4:
			for _, b := range one.At.Bases {
				out = append(out, t.withLiteral(value{from: from{one.At.Path, one.At.Language}, text: b}, key, literal, depth+1)...)
			}
			continue
		}
		fits := true
		for _, m := range t.memberOf(one.At, key, 0) {
			if len(m.Gives) == 1 && strings.HasPrefix(m.Gives[0], typeRoot) {
				if said := m.Gives[0][1:]; strings.HasPrefix(said, "'") || strings.HasPrefix(said, `"`) {
					fits = strings.Contains(said, literal)
				}
			}
		}
		if fits {
			out = append(out, value{from: from{one.At.Path, one.At.Language}, text: one.Name, at: one.At})
		}
	}
	return out
}

// elsewhere tells a name that nothing in the project defines from one that may be a module's.
func (t *Types) elsewhere(v value) value {
	if t.project.Late() {
		return v
	}
	all := t.resolver(v.module).Candidates
	if len(all) == 0 {
		return value{from: v.from, outside: true}
	}
	if !explicit[family(v.language)] || slices.ContainsFunc(all, func(c Candidate) bool { return c.Path == v.path }) {
		return v
	}
	for _, line := range t.project.Imports(v.path) { // where names are imported, one that is not is nobody's
		if hasWord(line, v.module) || strings.Contains(line, "*") {
			return v
		}
	}
	return value{from: v.from, outside: true}
}

// member is what a name behind a value means.
func (t *Types) member(v value, name string) []value {
	if !t.enter() {
		return nil
	}
	defer t.leave()
	if v.file != "" {
		return t.exportedAs(v, name)
	}
	if v.module != "" {
		return t.named(name, v.module, v.from)
	}
	if v.at != nil && !isType(v.at) { // of a variable, or of a function that is used like one
		return gathered(t.valueOf(v), func(w value) []value { return t.member(w, name) })
	}
	if v.at == nil && Holds(v.text, v.language) {
		elem := Element(v.text, v.language)
		switch {
		case iterating[name]:
			return []value{{from: v.from, text: funcOf(v.text), elem: elem}}
		case elementMethods[name]:
			return []value{{from: v.from, text: funcOf(elem), elem: elem}}
		case sameMethods[name]:
			return []value{{from: v.from, text: funcOf(v.text), elem: elem}}
		}
	}
	var out []value
	types := t.types(v)
	for _, one := range types {
		if one.At == nil {
			out = append(out, value{from: v.from, outside: true})
			continue
		}
		for _, c := range t.memberOf(one.At, name, 0) {
			out = append(out, value{from: from{c.Path, c.Language}, at: c})
		}
	}
	if !slices.ContainsFunc(out, func(w value) bool { return !w.outside }) && v.at == nil && wrapperMethods[name] {
		return []value{{from: v.from, text: funcOf(v.text)}}
	}
	if len(out) == 0 && v.at != nil && (name == "new" || name == "default" || name == "prototype") {
		return []value{{from: v.from, at: v.at}}
	}
	return out
}

// gives marks a type as the one that a call gives.
const givesMark = "\x01"

func funcOf(text string) string {
	if text == "" {
		return ""
	}
	return givesMark + text
}

// memberOf finds a member of a type, or of what it inherits from.
func (t *Types) memberOf(at *Candidate, name string, depth int) []*Candidate {
	if depth > 5 {
		return nil
	}
	owned := func(list []Candidate) (out []*Candidate) {
		for i := range list {
			if c := &list[i]; owns(c, at) {
				out = append(out, c)
			}
		}
		return out
	}
	if found := owned(t.project.In(at.Path, name)); len(found) > 0 {
		return found
	}
	if elsewhere[at.Language] {
		if found := owned(t.project.Named(name)); len(found) > 0 {
			return found
		}
	}
	var out []*Candidate
	for _, b := range at.Bases {
		for _, one := range t.types(value{from: from{at.Path, at.Language}, text: b}) {
			if one.At != nil && one.At != at {
				out = append(out, t.memberOf(one.At, name, depth+1)...)
			}
		}
	}
	return out
}

// elsewhere are the languages in which a type's members stand in other files than the type.
var elsewhere = wordSet("go rust cpp swift csharp kotlin ruby objective-c elixir c")

// owns reports whether a definition is a member of a type.
func owns(c, at *Candidate) bool {
	owner := generic(lastPart(c.Owner()))
	if owner != at.Name || family(c.Language) != family(at.Language) {
		return false
	}
	return c.Path == at.Path || elsewhere[at.Language] && (at.Language != "go" || path.Dir(c.Path) == path.Dir(at.Path))
}

var selfType = regexp.MustCompile(`\bSelf\b`)

// valueOf is what a variable holds, or a function gives.
func (t *Types) valueOf(v value) []value {
	if v.at == nil || len(v.at.Gives) == 0 {
		return nil
	}
	in := from{v.at.Path, v.at.Language}
	found := t.follow(v.at.Gives, in)
	for i := range found {
		if found[i].text == "Self" || found[i].text == "this" {
			found[i].text = v.at.Owner()
		}
	}
	return found
}

// types are the types that a value may have.
func (t *Types) types(v value) []Type {
	if !t.enter() {
		return nil
	}
	defer t.leave()
	if v.module != "" {
		v = t.elsewhere(v)
	}
	if v.outside {
		return []Type{{Name: "?"}}
	}
	if v.module != "" {
		return nil
	}
	if v.file != "" {
		out := gathered(t.exported(v), t.types)
		return slices.DeleteFunc(out, func(one Type) bool { return one.At == nil }) // its own definitions are exported, too
	}
	if v.at != nil {
		if isType(v.at) {
			return []Type{{v.at.Name, v.at}}
		}
		if t.depth > maxFollow {
			return nil
		}
		t.depth++
		defer func() { t.depth-- }()
		if v.at.Kind == chunk.KindFunction || v.at.Kind == chunk.KindMethod { // used like a property
			return gathered(t.call(v, 0), t.types)
		}
		return gathered(t.valueOf(v), t.types)
	}
	var out []Type
	for _, head := range Heads(strings.TrimPrefix(v.text, givesMark), v.language) {
		module, name := "", head
		if i := strings.LastIndexByte(head, '.'); i >= 0 {
			module, name = head[:i], head[i+1:]
		}
		c := t.resolve(name, module, v.from)
		if c == nil && module != "" && v.language != "go" {
			c = t.resolve(name, "", v.from)
		}
		if c != nil && !isType(c) && !makes(c, v.language) {
			c = nil
		}
		if c == nil && module == "" {
			if from := importedFrom(t.project.Imports(v.path), name, v.language); strings.HasPrefix(from, ".") {
				if found := t.types(moduleValue(from, v.from)); len(found) > 0 {
					out = append(out, found...)
					continue
				}
			}
		}
		out = append(out, Type{name, c})
	}
	return out
}

// makes reports whether a definition may be a function that makes objects of JavaScript, written like a type.
func makes(c *Candidate, language string) bool {
	return c.Kind == chunk.KindFunction && family(language) == "javascript"
}
