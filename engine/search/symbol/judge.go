package symbol

import (
	"path"
	"slices"
	"strings"

	"searchmcp/engine/index/chunk"
	"searchmcp/engine/lang"
)

// Certainty is how certainly an occurrence uses a definition.
type Certainty uint8

const (
	TextOnly Certainty = iota // only the word matches, or another definition is used
	Unlikely                  // code that can't see the definition
	Likely                    // no evidence for another definition
	Certain                   // the file contains or imports the definition, or the receiver's type defines the member
)

// Place is a file that contains uses.
type Place struct {
	Path, Language string
	Imports        []Dependency
}

// Judge decides how certainly a name in a file refers to the requested definitions.
type Judge struct {
	All     []Candidate
	Asked   []bool // whether each definition in All was requested
	Partial bool   // whether All may lack definitions in files that were not parsed

	families map[string]*family // by name
}

// family contains the owners and files of the candidates in one language family, such as C and C++.
type family struct{ owners, paths map[string]bool }

func (j *Judge) prepare() {
	j.families = map[string]*family{}
	for i := range j.All {
		c := &j.All[i]
		name := lang.Family(c.Language)
		if j.families[name] == nil {
			j.families[name] = &family{map[string]bool{}, map[string]bool{}}
		}
		if !c.Inner {
			j.families[name].owners[c.Owner()], j.families[name].paths[c.Path] = true, true
		}
	}
}

// Of returns how certainly a reference in a file uses one of the requested definitions.
func (j *Judge) Of(u Reference, in Place) Certainty {
	if j.families == nil {
		j.prepare()
	}
	switch {
	case u.Renamed:
		return Certain
	case u.Spelled, u.Role == String && u.Exact:
		return Likely
	case u.Role == Comment && !u.Exact:
		return TextOnly
	case u.Role == Comment, u.Role == String:
		return Unlikely
	}
	asked, other := none, none
	nearest, nearestOther := 0, 0 // of the nearest certain candidate
	own := j.families[lang.Family(in.Language)] != nil
	for i := range j.All {
		c := &j.All[i]
		s, n := j.score(u, in, c), 0
		if s == sure {
			n = in.nearness(c)
		}
		if j.Asked[i] {
			asked, nearest = max(asked, s), max(nearest, n)
		} else {
			other, nearestOther = max(other, s), max(nearestOther, n)
		}
	}
	switch {
	case asked == sure && nearest < nearestOther: // for example, a TypeScript declaration file is nearer
		return Likely
	case asked == sure:
		return Certain
	case asked == none && !own && !u.Local, asked > none && other < sure:
		return Likely
	case u.Role != Import && other < sure && (!u.Local || lang.Of(in.Language).Imports == lang.ImportFrom):
		return Unlikely // a parameter in Python may be a pytest fixture
	}
	return TextOnly
}

// Scores of a definition for a use, in ascending order.
const (
	none = iota
	may
	near
	sure
)

func (j *Judge) score(u Reference, in Place, c *Candidate) int {
	l := lang.Of(in.Language)
	switch {
	case u.Page && in.Path == c.Path && u.Receiver == "":
		return sure
	case u.Page:
		s, _ := j.statement(in, c, 0)
		return max(near, s)
	case l.Family != lang.Family(c.Language):
		return none
	case u.Receiver == "$" && c.Kind == chunk.KindValue: // a shell variable
		return j.alone(c)
	case u.Receiver == "$", hidden(c) && in.Path != c.Path:
		return none
	case c.Inner && !c.member() || c.Inner && c.Kind == chunk.KindFunction:
		if in.Path == c.Path && inside(u.In, c.Scope) && (u.Receiver == "" || c.Member) {
			return sure
		}
		return none
	case u.Local:
		return none
	case u.Role == Import:
		return j.imported(u, in, c)
	case u.Receiver == "":
		return j.bare(u, in, c, l)
	}
	return j.qualified(u, in, c, l)
}

// alone scores a globally visible definition: sure if no other definition has the same name.
func (j *Judge) alone(c *Candidate) int {
	if j.unique(c) {
		return sure
	}
	return near
}

// unique reports whether all visible definitions of the name in c's language have the same owner.
func (j *Judge) unique(c *Candidate) bool {
	l := lang.Of(c.Language)
	of := j.families[l.Family]
	return !j.Partial && len(of.owners) <= 1 && (l.Visibility == lang.Included || c.member() || len(of.paths) <= 1)
}

// nearness ranks certain candidates. Those in the same file precede those in imported files.
func (in *Place) nearness(c *Candidate) int {
	switch {
	case in.Path == c.Path:
		return 2
	case in.reach(c) == Reached:
		return 1
	}
	return 0
}

func (in *Place) reach(c *Candidate) (best Reach) {
	for i := range in.Imports {
		best = max(best, in.Imports[i].Reaches(in.Path, in.Language, c))
	}
	return best
}

// all reports whether the file imports all names of the module of c, as "from m import *" does.
func (in *Place) all(c *Candidate, certainty Reach) bool {
	return slices.ContainsFunc(in.Imports, func(m Dependency) bool {
		return m.All && m.Reaches(in.Path, in.Language, c) >= certainty
	})
}

// statement scores c by the import at a line, or by all imports if line is 0.
func (j *Judge) statement(in Place, c *Candidate, line int) (score int, has bool) {
	for i := range in.Imports {
		m := &in.Imports[i]
		if m.Module == "" || line > 0 && (line < m.Line || m.Last < line) {
			continue
		}
		named := slices.ContainsFunc(m.Names, func(n Imported) bool { return n.As == c.Name || n.Name == c.Name })
		if !named && (!m.Default || m.Whole != c.Name) {
			continue
		}
		has = true
		switch m.Reaches(in.Path, in.Language, c) {
		case Reached:
			return sure, true
		case Perhaps:
			score = max(score, j.alone(c))
		}
	}
	return score, has
}

func (j *Judge) imported(u Reference, in Place, c *Candidate) int {
	if in.Path == c.Path && !c.member() && lang.Of(in.Language).Imports == lang.ImportScript {
		return sure // an export
	}
	switch l := lang.Of(in.Language); {
	case l.Visibility == lang.Named && !l.Crates:
		if s, has := j.statement(in, c, u.Line); has || c.member() {
			return s
		}
		if in.reach(c) != Reached {
			return none
		}
	case l.Packages:
		return none // the import names only a package
	case in.reach(c) != Reached:
		return near
	}
	return sure
}

// member reports whether a definition is accessed through an object or a type.
func (c *Candidate) member() bool { return c.Member && c.Kind != "namespace" && c.Kind != "module" }

// hidden reports whether a C or C++ definition is visible only in its own file.
func hidden(c *Candidate) bool {
	l := lang.Of(c.Language)
	source := slices.Contains([]string{".c", ".cc", ".cpp", ".cxx"}, path.Ext(c.Path))
	if !source || !l.Static || c.member() || c.isType() || c.Kind == "macro" {
		return false
	}
	return strings.HasPrefix(c.Signature, "static ") || l.StaticConst && (strings.HasPrefix(c.Signature, "constexpr ") ||
		strings.HasPrefix(c.Signature, "const ") && !strings.Contains(c.Signature, "*"))
}

// inside reports whether the names of the definitions around a use begin with scope.
func inside(around, scope []string) bool {
	return len(around) >= len(scope) && slices.Equal(around[:len(scope)], scope)
}

func (c *Candidate) isType() bool { return typeKinds[string(c.Kind)] }

var typeKinds = lang.Set("type class interface struct enum trait record protocol object union")

// bare scores a name without a receiver.
func (j *Judge) bare(u Reference, in Place, c *Candidate, l *lang.Language) int {
	if c.member() && (c.Kind != "constant" || !l.UnqualifiedConstants) {
		return j.bareMember(u, in, c, l)
	}
	switch {
	case u.Role == Key && in.Path == c.Path && l.FieldKeys:
		return may
	case u.Role == Key:
		return none
	case in.Path == c.Path:
		return sure
	}
	beside := path.Dir(in.Path) == path.Dir(c.Path)
	switch l.Visibility {
	case lang.Named:
		s, has := j.statement(in, c, 0)
		switch {
		case has:
			return s
		case in.all(c, Perhaps):
			return sure
		case l.Crates && (in.reach(c) == Reached || in.all(c, Elsewhere)), c.Kind == "macro":
			return near
		case l.Imports == lang.ImportScript:
			return may // scripts on the same page share global names
		}
		return none
	case lang.Package:
		switch {
		case beside && (!l.Packages || !isTest(c.Path) || isTest(in.Path)), l.Packages && in.all(c, Reached),
			!l.Packages && in.reach(c) == Reached:
			return sure
		case l.Packages:
			return none
		}
		return may
	case lang.Included:
		if slices.ContainsFunc(j.All, func(o Candidate) bool { // an included file declares the name
			return o.Owner() == c.Owner() && in.reach(&o) == Reached
		}) {
			return sure
		}
		return near
	}
	return j.alone(c)
}

func (j *Judge) bareMember(u Reference, in Place, c *Candidate, l *lang.Language) int {
	owner := lang.Generic(last(c.Owner()))
	switch {
	case u.Role == Key && u.Type != "":
		if u.Type == owner {
			return sure
		}
		return j.other(u.Type, c)
	case u.Role == Key && !l.KeyArguments:
		return may
	case l.Qualified:
		return none
	case l.ImplicitSelf && (slices.Contains(u.In, c.Owner()) || c.isType() && in.Path == c.Path ||
		in.reach(c) == Reached &&
			slices.ContainsFunc(in.Imports, func(m Dependency) bool { return hasWord(m.Module, c.Name) })):
		return sure
	case l.ImplicitSelf, l.Imports == lang.ImportScript && u.Role != Call, in.Path == c.Path,
		l.Crates && in.all(c, Elsewhere):
		return may
	}
	return none
}

// other scores c for a use as a member of the type typ, which is not c's owner.
func (j *Judge) other(typ string, c *Candidate) int {
	for i := range j.All {
		if o := &j.All[i]; o.member() && lang.Generic(last(o.Owner())) == typ && !o.Abstract && !c.Abstract {
			return none
		}
	}
	return may
}

// qualified returns the score of a name that follows a receiver, such as close in file.close.
func (j *Judge) qualified(u Reference, in Place, c *Candidate, l *lang.Language) int {
	chain := strings.Split(u.Receiver, ".")
	first, end := chain[0], chain[len(chain)-1]
	if !c.member() || c.isType() {
		if s := j.throughModule(u, in, c, l, chain); s > none || !c.member() {
			return s
		}
	}
	owner := lang.Generic(last(c.Owner()))
	switch {
	case owner == "": // a member of an unnamed object
		if selfWords[end] && in.Path == c.Path {
			return sure
		}
		return may
	case end == "super" || end == "parent" || end == "base":
		if slices.Contains(u.In, owner) {
			return none
		}
		return may
	case l.Same(end, owner), u.Type == owner, selfWords[end] && slices.Contains(u.In, owner):
		return sure
	case selfWords[end], u.Type != "":
		return j.other(u.Type, c)
	case len(chain) == 1 && slices.ContainsFunc(in.Imports, func(m Dependency) bool {
		return m.Whole == first && !m.Default
	}):
		return none // the receiver is another module
	case lang.Upper(end) && end == lang.Generic(end) && !strings.HasSuffix(end, "()") && strings.ToUpper(end) != end:
		return j.other(end, c)
	}
	if known := in.Path == c.Path || in.reach(c) == Reached || l.Visibility == lang.Package &&
		path.Dir(in.Path) == path.Dir(c.Path); known && !common[c.Name] && (j.unique(c) || similar(end, owner)) {
		return sure
	}
	return may
}

// throughModule scores a name after a receiver that may be a module, such as a package or a namespace.
func (j *Judge) throughModule(u Reference, in Place, c *Candidate, l *lang.Language, chain []string) int {
	first, end := chain[0], chain[len(chain)-1]
	for i := range in.Imports {
		m := &in.Imports[i]
		if m.Whole == "" || m.Whole != first && m.Whole != u.Receiver {
			continue
		}
		switch m.Reaches(in.Path, in.Language, c) {
		case Reached:
			if l.Packages && len(chain) > 1 {
				return none
			}
			return sure
		case Perhaps:
			return near
		}
		if l.Visibility == lang.Named || l.Packages {
			return none
		}
	}
	switch {
	case l.Packages:
		return none
	case slices.Contains(c.Scope, end),
		lang.Of(c.Language).FileClass && strings.EqualFold(end, Stem(c.Path)+"Kt") && lang.Upper(end),
		slices.ContainsFunc(in.Imports, func(m Dependency) bool { // as in "from shop import keys"
			return slices.ContainsFunc(m.Names, func(n Imported) bool { return n.As == first && n.Name == Stem(c.Path) })
		}):
		return sure
	case end == Stem(c.Path), end == path.Base(path.Dir(c.Path)):
		if in.reach(c) == Reached {
			return sure
		}
		return near
	case selfWords[end] && in.Path == c.Path,
		l.Crates && (end == "crate" || end == "super" || end == "self" || hasFolder(c.Path, end)):
		return near
	case l.Visibility == lang.Everywhere && l.ByLines(): // the receiver may be a schema or library
		return j.alone(c)
	}
	return may
}

func isTest(p string) bool { return strings.HasSuffix(p, "_test.go") }

// similar reports whether a receiver's name resembles a type's name, as "log" resembles "Logger".
func similar(receiver, owner string) bool {
	a, b := strings.ToLower(strings.TrimSuffix(receiver, "()")), strings.ToLower(owner)
	a, b = strings.ReplaceAll(strings.TrimLeft(a, "_$@"), "_", ""), strings.ReplaceAll(b, "_", "")
	return len(a) > 2 && len(b) > 2 && (a == b || strings.HasPrefix(b, a) || strings.HasSuffix(b, a) ||
		strings.HasSuffix(a, b))
}

// common lists names that are members of many types.
var common = lang.Set(`add all any append apply at bind call clear clone close concat contains copy count create default delete
	each end entries equals exec extend filter find first flush forEach format get has hash id includes index init insert
	is_empty isEmpty items iter join key keys last len length list load log map match max merge min name new next open
	parse path pop push put read reduce remove replace reset reverse run save select send set shift size slice some sort
	split start stop strip sub substring swap sync test text then toString to_string trim type update value values write
	Add Clear Close Contains Count Dispose Equals Get Insert Name Read Remove Select Set String ToString Type Value Write`)
