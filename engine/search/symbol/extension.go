package symbol

import (
	"regexp"
	"slices"
	"strings"
)

// receiverParameter matches the parameter by which a function extends its type: this T of C#, that of an extension or
// of an implicit class of Scala.
var (
	thisReceiver = regexp.MustCompile(
		`\(\s*(?:\[[^\]]*\]\s*)*this\s+(?:(?:ref|in|scoped|readonly)\s+)*([\w.:]+)`)
	wrappedReceiver = regexp.MustCompile(`^(?:implicit\s+class\s+\w+|extension)\s*(?:\[[^\]]*\]\s*)?` +
		`\(\s*(?:(?:private|val)\s+)*\w+\s*:\s*([\w.]+)`)
)

// extended is the type that a function says it extends, "" if it says of none.
func (x *extraction) extended(signature string, up []ancestor) string {
	switch x.d.Language {
	case "csharp":
		if m := thisReceiver.FindStringSubmatch(signature); m != nil {
			return m[1]
		}
	case "scala":
		for _, a := range up {
			text := x.text(a.node)
			if i := strings.Index(text[:min(len(text), maxTyped)], "implicit class"); i > 0 {
				text = text[i:]
			}
			if m := wrappedReceiver.FindStringSubmatch(text[:min(len(text), maxTyped)]); m != nil {
				return m[1]
			}
		}
	}
	return ""
}

// Languages in which a type's members may be outside of it, wherever the type is defined.
var open = wordSet("csharp kotlin swift rust scala ruby groovy")

// coreTypes are types of Ruby and JavaScript that a project may reopen, so that it seems to define them.
var coreTypes = wordSet(`Array BasicObject Boolean Class Comparable Date Document Element Enumerable Error Event
	EventTarget FalseClass File Float Function HTMLElement Hash IO Integer Kernel Map Module NilClass Node NodeList Number
	Numeric Object Proc Promise Range RegExp Regexp Set String Struct Symbol Thread Time TrueClass Window`)

// extends is the type that a candidate is a member of although the project does not define that type, or that any type
// may have it: a trait. "" for all others.
func (r *Resolver) extends(c *Candidate) string {
	owner := TypeName(c.Owner())
	switch {
	case c.Extends != "":
		return TypeName(c.Extends)
	case !c.Member || owner == "" || c.Inner:
		return ""
	case c.Language == "ruby" || family(c.Language) == "javascript":
		if coreTypes[owner] || strings.Contains(c.Signature, ".prototype") {
			return owner
		}
	}
	if !open[c.Language] || r.Types == nil || r.Types.project.Late() {
		return ""
	}
	switch o := r.Types.OwnerOf(c); {
	case o == nil:
		return owner
	case o.Kind == "trait" && c.Language == "rust", o.Kind == "protocol", o.Kind == "module":
		return owner
	}
	return ""
}

// basicTypes are the names by which languages call the same plain values.
var basicTypes = func() map[string]string {
	m := map[string]string{}
	for _, line := range []string{"string str String Str NSString CharSequence StringProtocol",
		"number int Int Integer i8 i16 i32 i64 u8 u16 u32 u64 usize isize long Long Double double float Float f32 f64 " +
			"Number Numeric num decimal", "bool Bool Boolean boolean", "array Array Vec List Seq"} {
		for _, w := range strings.Fields(line) {
			m[w] = strings.Fields(line)[0]
		}
	}
	return m
}()

// extensions are the candidates that extend a receiver's type: those of its very type, or else all, for what a type of
// another project inherits is not known.
func (r *Resolver) extensions(u Use, types []Type) (out []int) {
	exact := false
	for i := range r.Candidates {
		c := &r.Candidates[i]
		if family(c.Language) != family(u.Language) {
			continue
		}
		of := r.extends(c)
		if of == "" {
			continue
		}
		fits, same := false, false
		for _, one := range types {
			a, b := basicTypes[one.Name], basicTypes[of]
			same = same || one.Name == of || a != "" && a == b
			fits = fits || a == "" || b == ""
		}
		switch {
		case same && !exact:
			out, exact = []int{i}, true
		case same, fits && !exact && !builtin(u.Language, c.Name):
			out = append(out, i)
		}
	}
	return out
}

// onExtended scores a use of an extension whose receiver's type other files do not tell.
func (r *Resolver) onExtended(u Use, c *Candidate) float64 {
	of := r.extends(c)
	a, b := basicTypes[u.Type], basicTypes[of]
	switch {
	case u.Type == of || a != "" && a == b:
		return certain
	case a != "" && b != "", builtin(u.Language, c.Name) && u.Path != c.Path:
		return never
	case u.Path == c.Path || u.Type != "":
		return probable
	}
	return possible
}

// May reports whether a use that Resolve finds nothing for may mean one of the candidates nevertheless: nothing says
// what its receiver is, or an object of theirs may stand behind a type of another project.
func (r *Resolver) May(u Use, meant []bool) bool {
	for i := range r.Candidates {
		if meant[i] && r.may(u, &r.Candidates[i]) {
			return true
		}
	}
	return false
}

func (r *Resolver) may(u Use, c *Candidate) bool {
	if u.Page && u.Role != Text { // a page's data is whatever the code gives it
		return !c.Inner && !hidden(c)
	}
	if family(u.Language) != family(c.Language) || hidden(c) || c.Inner || !c.member() || u.Role == Import ||
		u.Role == Key || u.Language == "c" {
		return false
	}
	chain := strings.Split(u.Receiver, ".")
	first := chain[0]
	switch {
	case u.Receiver == "": // a member without its object
		return u.Role == Call && (bareMembers[u.Language] || family(u.Language) == "java")
	case u.Language == "go" && len(chain) == 1 && r.importsPackage(u.Imports, first),
		u.Language == "python" && importsModule(u.Imports, first) && len(chain) == 1,
		len(chain) == 1 && importedFrom(u.Imports, first, u.Language) != "":
		return false // another module's
	}
	if r.Types == nil || len(u.Expr) == 0 {
		return true
	}
	for _, one := range r.Types.Of(u.Expr, u.Path, u.Language) {
		if one.At != nil || one.Name == "?" || one.Name == literalType ||
			u.Language == "go" && basicTypes[one.Name] == "" || r.inheritsName(c, one.Name) {
			continue
		}
		return false // a type that none of the project's inherits from
	}
	return true
}

// inheritsName reports whether the type of a member inherits from one of a name, wherever that is defined.
func (r *Resolver) inheritsName(c *Candidate, name string) bool {
	owner := r.Types.OwnerOf(c)
	if owner == nil {
		return basicTypes[name] == ""
	}
	return slices.ContainsFunc(append([]*Candidate{owner}, r.Types.Ancestors(owner)...), func(t *Candidate) bool {
		return slices.ContainsFunc(t.Bases, func(b string) bool { return TypeName(b) == name })
	})
}
