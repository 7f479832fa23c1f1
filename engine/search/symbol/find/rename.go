package find

import (
	"context"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"searchmcp/engine/api"
	"searchmcp/engine/lang"
	"searchmcp/engine/search/symbol"
	"searchmcp/engine/store"
)

// alternative is a name of a definition in another language, such as "fullName" in Kotlin for "getFullName" in Java.
type alternative struct{ name, language string }

func (f *finder) namesIn(language string) []string {
	if f.name == "" {
		return nil
	}
	_, name := f.nameIn(language)
	names := []string{name}
	for _, a := range f.alternatives() {
		if a.language == language && a.name != name {
			names = append(names, a.name)
		}
	}
	return names
}

// alternatives returns other names of the definition, such as the name of a Kotlin property for a Java getter.
func (f *finder) alternatives() (out []alternative) {
	add := func(name string, languages ...string) {
		for _, l := range languages {
			out = append(out, alternative{name, l})
		}
	}
	for _, accessor := range []string{"get", "set", "is"} {
		rest, ok := strings.CutPrefix(f.name, accessor)
		if !ok || !lang.Upper(rest) {
			continue
		}
		if accessor == "is" {
			add(f.name, "kotlin")
			add(property(rest), "groovy")
			continue
		}
		add(property(rest), "kotlin", "groovy")
		if accessor == "set" {
			add("is"+rest, "kotlin")
		}
	}
	if r, n := utf8.DecodeRuneInString(f.name); unicode.IsLower(r) {
		rest, is := strings.CutPrefix(f.name, "is")
		if is = is && lang.Upper(rest); !is {
			rest = string(unicode.ToUpper(r)) + f.name[n:]
			add("get"+rest, "java")
			add("is"+rest, "java")
			if all := strings.ToUpper(f.name); strings.ToLower(f.name) == f.name && len(all) <= maxAcronym {
				add("get"+all, "java")
			}
		}
		add("set"+rest, "java")
	}
	if short, ok := strings.CutSuffix(f.name, "Attribute"); ok && short != "" {
		add(short, "csharp")
	}
	if lang.Upper(f.name) && strings.Contains(f.tag, "-") {
		add(f.tag, "vue", "html", "typescript", "astro")
	}
	return out
}

const maxAcronym = 4 // maximum length of an acronym such as "url" in "getURL"

// property names a Kotlin property: "fullName" for "FullName", "url" for "URL" and "htmlText" for "HTMLText".
func property(s string) string {
	first := wordsOf(s)[0]
	return first + s[min(len(first), len(s)):]
}

const maxPassed = 32 // maximum number of exports that are followed to find uses

// exported is an export of the definition by a module. The name is "" for the default export.
type exported struct{ path, name string }

// rename adds the uses in files that import the definition under another name.
func (u *usage) rename(ctx context.Context) error {
	var open []exported
	for _, i := range u.asked {
		c := &u.judge.All[i]
		l := lang.Of(c.Language)
		if c.Inner || c.Member && len(c.Scope) > 0 && (l.Visibility != lang.Package || l.Packages) {
			continue
		}
		open = append(open, exported{c.Path, c.Name})
		if c.Default {
			open = append(open, exported{c.Path, ""})
		}
	}
	for n := 0; n < len(open) && n < maxPassed; n++ {
		if slices.Contains(open[:n], open[n]) {
			continue
		}
		more, err := u.importers(ctx, open[n])
		if err != nil {
			return err
		}
		open = append(open, more...)
	}
	return nil
}

// importers adds the uses in files that import e, and returns the re-exports of e in these files.
func (u *usage) importers(ctx context.Context, e exported) (more []exported, err error) {
	f := u.f
	c := symbol.Candidate{Path: e.path, Language: lang.OfFile(e.path, nil)}
	c.Name = e.name
	own := e.name == "" || lang.Of(c.Language).Same(e.name, f.name)
	queue := append([]holder{{path: e.path, language: c.Language}}, f.barrels(e.path)...)
	if own && e.name != "" { // files that contain the name are read anyway
		for _, file := range f.files() {
			queue = append(queue, holder{path: file.path, language: file.language})
		}
	} else {
		word := e.name
		for p := e.path; e.name == "" && p != "." && (word == "" || generic[word]); p = path.Dir(p) {
			word = symbol.Stem(p)
		}
		list, err := f.look(ctx, answerTime, store.Names{All: []string{token(word)}, Corpus: api.CorpusCode})
		if err != nil {
			return nil, err
		}
		for _, row := range list.Rows {
			queue = append(queue, holder{path: row.Path, language: row.Language})
		}
	}
	extension := slices.ContainsFunc(u.asked, func(i int) bool { return u.judge.All[i].Member })
	read, done := f.req.Open()
	defer done()
	seen := map[string]bool{}
	for _, h := range queue {
		if seen[h.path] {
			continue
		}
		seen[h.path] = true
		if f.left() <= 0 {
			if f.read[h.path] == nil {
				f.rest++
			}
			continue
		}
		if h.language != "" && lang.Family(h.language) != lang.Family(c.Language) {
			continue
		}
		for _, in := range u.local(ctx, read, h, &c) {
			if in.passed.path != "" {
				more = append(more, in.passed)
			}
			var uses []symbol.Reference
			if in.as != "" && in.as != f.name {
				got, err := f.under(ctx, read, h, in.as)
				if err != nil {
					return nil, err
				}
				for _, r := range got.References {
					again := r.Role < symbol.Import || r.Role == symbol.Import && r.Line != in.line
					through := r.Receiver == in.module || extension && r.Role == symbol.Call
					if again && through && !r.Local || r.Role == symbol.Mention && r.Page {
						uses = append(uses, r)
					}
				}
			}
			if (e.name == "" && in.as != f.name || !own) && in.line > 0 && (in.module == "" || len(uses) > 0) {
				uses = append(uses, symbol.Reference{Line: in.line, Role: symbol.Import})
			}
			for _, r := range uses {
				r.Renamed, r.Spelled = !in.perhaps, in.perhaps
				u.add(read, h, r)
			}
		}
	}
	return more, nil
}

// generic are names of files and folders that imports omit.
var generic = lang.Set("index src lib")

// barrels returns the index files of the folders around a module, which may export all names of the module.
func (f *finder) barrels(module string) (out []holder) {
	for _, p := range f.r.Paths(api.CorpusCode) {
		if p == module || !strings.HasPrefix(module, p[:strings.LastIndexByte(p, '/')+1]) {
			continue
		}
		if s := symbol.Stem(p); s == "index" || s == "__init__" || s == "mod" || s == "lib" {
			out = append(out, holder{path: p, language: lang.OfFile(p, nil)})
		}
	}
	return out
}

// imported is an import of a definition or, if line is 0, an export.
type imported struct {
	line       int
	module, as string   // local names of the module and the definition
	passed     exported // the re-export, if any
	perhaps    bool     // the import may refer to another module
}

// local returns the imports and exports of c in a file.
func (u *usage) local(ctx context.Context, read Read, h holder, c *symbol.Candidate) (out []imported) {
	var imports []symbol.Dependency
	if got := u.f.read[h.path]; got != nil {
		imports = got.Imports
	} else if got, err := u.f.under(ctx, read, h, ""); err == nil {
		imports = got.Imports
	}
	locals := map[string]bool{c.Name: h.path == c.Path} // names of the definition in the file
	known := map[string]bool{}
	pass := func(name string) {
		if name == "default" {
			name = ""
		}
		out = append(out, imported{passed: exported{h.path, name}})
	}
	for i := range imports {
		in := &imports[i]
		reach := in.Reaches(h.path, c.Language, c)
		if h.path == c.Path || in.Module == "" || reach < symbol.Reached && !otherPackage(in, c, reach) {
			continue
		}
		one := imported{line: in.Line, perhaps: reach < symbol.Reached}
		exports := in.Export || lang.Of(c.Language).Reexports
		switch {
		case in.All && exports && c.Name != "":
			pass(c.Name)
		case c.Name == "" && in.Default:
			one.as = in.Whole
		case c.Name == "" && in.Whole != "" && !in.Export: // as in import * as module
			one.module, one.as = in.Whole, "default"
		case c.Name != "":
			at := slices.IndexFunc(in.Names, func(n symbol.Imported) bool { return n.Name == c.Name })
			if at >= 0 {
				one.as = in.Names[at].As
			} else if in.Whole != "" && c.Name != u.f.name {
				one.module, one.as = in.Whole, c.Name
			} else if l := lang.Of(c.Language); l.Imports == lang.ImportLine && l.Has(in.Module, c.Name) {
				one.as = c.Name
			}
		}
		if one.as == "" && !(c.Name == "" && in.Default) {
			continue
		}
		switch {
		case one.module != "":
		case exports:
			pass(one.as)
		default:
			locals[one.as] = true
		}
		if in.Export && lang.Of(c.Language).Imports == lang.ImportScript || known[one.as] {
			one.as = ""
		}
		known[one.as] = true
		out = append(out, one)
	}
	for _, in := range imports {
		for _, n := range in.Names {
			if (in.Module == "" || in.Export && h.path == c.Path) && locals[n.Name] && n.As != n.Name {
				pass(n.As)
			}
		}
	}
	return out
}

// otherPackage reports whether an import that does not name c's file may refer to it by the name of its package or by
// an alias. An alias of a default export ends with the name of the file or its folder.
func otherPackage(in *symbol.Dependency, c *symbol.Candidate, reach symbol.Reach) bool {
	base := strings.TrimLeft(symbol.Stem(in.Module), "#~@$")
	ends := base == symbol.Stem(c.Path) || slices.Contains(strings.Split(path.Dir(c.Path), "/"), base)
	return !strings.HasPrefix(in.Module, ".") && (c.Name == "" && ends || c.Name != "" && reach == symbol.Perhaps)
}

func (u *usage) add(read Read, h holder, r symbol.Reference) {
	f := u.f
	if f.read[h.path] == nil {
		s, done, err := f.open(context.Background(), read, h, nil)
		if s == nil || err != nil {
			return
		}
		defer done()
		f.read[h.path] = &file{path: h.path, language: s.document.Language, text: s.document.Text,
			File: symbol.File{Imports: s.imports()}}
		if !slices.ContainsFunc(f.queue, func(q holder) bool { return q.path == h.path }) {
			f.queue, f.next = append(f.queue, h), f.next+1
		}
	}
	u.extra[h.path] = append(u.extra[h.path], r)
}
