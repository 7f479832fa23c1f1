package lang

import (
	"embed"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"

	"searchmcp/engine/lang/tree"
)

// tables describes all languages. A line consists of a key, which is a case in table.read or a field of Language, and a
// value. A line that begins with a tab continues the previous line.
//
//go:embed languages/*.txt
var tables embed.FS

// catalogue contains all languages by name.
type catalogue struct {
	languages                             map[string]*Language
	byExtension, byFile, byProgram, alias map[string]string
}

// known returns the parsed tables. An invalid line panics.
var known = sync.OnceValue(func() catalogue {
	c := catalogue{map[string]*Language{}, map[string]string{}, map[string]string{}, map[string]string{},
		map[string]string{}}
	t := table{languages: c.languages, expand: strings.NewReplacer()}
	files, _ := tables.ReadDir("languages") // embedded files are always readable
	for _, f := range files {
		text, _ := tables.ReadFile(path.Join("languages", f.Name()))
		t.read(string(text))
	}
	for _, l := range c.languages {
		for into, words := range map[*map[string]string][]string{&c.byExtension: l.Extensions, &c.byFile: l.Files,
			&c.byProgram: l.Programs, &c.alias: l.Aliases} {
			for _, w := range words {
				(*into)[w] = l.Name
			}
		}
	}
	return c
})

// table is the state of the parser.
type table struct {
	languages map[string]*Language
	l         *Language
	member    Member
	macros    []string // alternating "${name}" and value
	expand    *strings.Replacer
}

func (t *table) read(text string) {
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\n\t", ""), "\n") {
		key, value, _ := strings.Cut(line, " ")
		if name, begins := strings.CutPrefix(key, "@"); begins {
			t.l = &Language{Name: name, Family: name}
			t.languages[name], t.member = t.l, Member{}
			continue
		}
		value = t.expand.Replace(value)
		l := t.l
		switch key {
		case "", "#":
		case "let":
			name, expression, _ := strings.Cut(value, " ")
			t.macros = append(t.macros, "${"+name+"}", expression)
			t.expand = strings.NewReplacer(t.macros...)
		case "like":
			*l = t.languages[value].like(l.Name)
		case "is", "not":
			for flag := range strings.FieldsSeq(value) {
				l.field(flag).SetBool(key == "is")
			}
		case "comment":
			l.Comments.Lines = strings.Fields(value)
			for i, sign := range l.Comments.Lines {
				l.Comments.Lines[i] = strings.ReplaceAll(sign, "_", " ")
			}
		case "block":
			begin, end, _ := strings.Cut(value, " ")
			l.Comments.Blocks = append(l.Comments.Blocks, Enclosed{begin, end})
		case "string":
			begin, end, _ := strings.Cut(value, " ")
			l.Strings = append(l.Strings, Enclosed{begin, end})
		case "symbol", "scope":
			l.Defs = append(l.Defs, Definition{re(value), key == "symbol"})
		case "in":
			t.member = Member{In: re(value)}
		case "where":
			t.member.Where = re(value)
		case "except":
			t.member.Except = re(value)
		case "member":
			t.member.Line = re(value)
			l.Members = append(l.Members, t.member)
			t.member.Where, t.member.Except = nil, nil
		case "rule":
			words, types, _ := strings.Cut(value, ": ")
			rule := ruleOf(words)
			for node := range strings.FieldsSeq(types) {
				if l.Rules == nil {
					l.Rules = map[string]*Rule{}
				}
				l.Rules[node] = rule
			}
		case "prepare":
			l.Prepare = append(l.Prepare, functions[value].(func(string) string))
		case "blank", "macro", "leading":
			l.Prepare = append(l.Prepare, replacing(re(value), "", key))
		case "replace":
			text, expression, _ := strings.Cut(value, " ")
			l.Prepare = append(l.Prepare, replacing(re(expression), text, "blank"))
		case "retryReplace":
			text, expression, _ := strings.Cut(value, " ")
			change := replacing(re(expression), text, "blank")
			l.Retry = append(l.Retry, func(text string) (string, int) { return change(text), 0 })
		case "drop":
			delete(l.Rules, value)
		default:
			l.set(key, value)
		}
	}
}

// like returns a copy of l for another language, without file names and aliases.
func (l *Language) like(name string) Language {
	c := *l
	c.Name, c.Extensions, c.Files, c.Programs, c.Aliases = name, nil, nil, nil, nil
	if l.Family == l.Name {
		c.Family = name
	}
	c.Defs, c.Members, c.Comments.Blocks = slices.Clip(c.Defs), slices.Clip(c.Members), slices.Clip(c.Comments.Blocks)
	c.Prepare, c.Rules = slices.Clip(c.Prepare), maps.Clone(c.Rules)
	return c
}

func (l *Language) field(key string) reflect.Value {
	return reflect.ValueOf(l).Elem().FieldByName(strings.ToUpper(key[:1]) + key[1:])
}

func (l *Language) set(key, value string) {
	switch f := l.field(key); f.Interface().(type) {
	case []string:
		f.Set(reflect.ValueOf(strings.Fields(value)))
	case *Pattern:
		f.Set(reflect.ValueOf(re(value)))
	case []Change:
		l.Retry = nil
		for name := range strings.FieldsSeq(value) {
			l.Retry = append(l.Retry, functions[name].(Change))
		}
	default:
		if f.Kind() == reflect.String {
			f.SetString(value)
		} else {
			f.Set(reflect.ValueOf(functions[value]))
		}
	}
}

// ruleOf parses a rule such as "scope named generic".
func ruleOf(words string) *Rule {
	r := &Rule{}
	for w := range strings.FieldsSeq(words) {
		name, arg, _ := strings.Cut(strings.TrimSuffix(w, ")"), "(")
		if change := changes[name]; change != nil {
			r.Names = changed(r.Names, change)
			continue
		}
		switch names := r.Names; name {
		case "nothing":
		case "comment", "attribute", "header":
			r.Role = Role(name)
		case "within", "deep", "wrapper":
			r.Inside, r.Multiline, r.Wrapper = true, name == "deep", name == "wrapper"
		case "scope", "function", "value":
			r.Defines = Defines(name)
		case "split":
			r.Names = changed(names, func(_ *Reading, _ tree.Node, id *Ident) { *id = id.qualified(strings.Split(arg, ",")...) })
		case "elsewhereIf", "in": // the expression matches names defined elsewhere, or its group is the scope of the name
			pattern := re(arg)
			r.Names = changed(names, func(r *Reading, it tree.Node, id *Ident) {
				text, _ := r.own(it)
				if m := pattern.FindStringSubmatchIndex(text); name == "elsewhereIf" {
					id.Elsewhere = m != nil
				} else if m != nil {
					id.Prefix = []string{text[m[2]:m[3]]}
				}
			})
		case "receiver": // a type before the name is the scope of the name
			types := strings.ReplaceAll(arg, ",", " ")
			r.Names = changed(names, func(r *Reading, it tree.Node, id *Ident) {
				if t := r.child(it, types); t != nil && int(t.StartByte()) < id.At {
					id.Prefix = []string{Generic(strings.TrimRight(r.text(t), "?"))}
				}
			})
		case "body": // nodes without a body declare names defined elsewhere
			r.Names = func(rd *Reading, it tree.Node) []Ident {
				if it.ChildByFieldName("body") == nil {
					return nil
				}
				return names(rd, it)
			}
		case "role":
			r.RoleOf = functions[arg].(func(*Reading, tree.Node) Role)
		case "headerIf", "attributeIf":
			r.RoleOf = roleIf(Role(strings.TrimSuffix(name, "If")), arg, r.RoleOf)
		default:
			switch f := functions[name].(type) {
			case func(string) NameFunc:
				r.Names = f(strings.ReplaceAll(arg, ",", " "))
			case func(*Reading, tree.Node) []Ident:
				r.Names = f
			}
		}
	}
	return r
}

// roleIf returns a function that returns role for nodes whose text matches expression, and the result of other for
// other nodes.
func roleIf(role Role, expression string, other func(*Reading, tree.Node) Role) func(*Reading, tree.Node) Role {
	pattern := re(expression)
	return func(r *Reading, it tree.Node) Role {
		switch text, _ := r.own(it); {
		case pattern.MatchString(text):
			return role
		case other != nil:
			return other(r, it)
		}
		return RoleCode
	}
}

var functions = map[string]any{
	"named": named, "first": firstOf, "all": allOf, "field": byField, "literal": literal, "typed": typed,
	"components": components, "described": testCall, "cMacro": cMacro, "declared": declared, "elixirCall": elixirCall,
	"scriptKey": scriptKey, "scriptField": scriptField, "scriptDefault": scriptDefault, "scriptPair": scriptPair,
	"scriptAssignment": scriptAssignment, "scriptNamespace": scriptNamespace, "luaVariables": luaVariables,
	"luaField": luaField, "pythonDocstring": pythonDocstring,
	// Functions that change a text before it is parsed, or recognize code in strings.
	"madeFunctions": madeFunctions, "withoutWrappers": withoutWrappers,
	"oddBranches": Change(oneBranch(true)), "allBranches": Change(oneBranch(false)),
	"phpQuoted": phpQuoted, "pythonQuoted": pythonQuoted, "rustQuoted": rustQuoted,
}
