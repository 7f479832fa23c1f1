package symbol

import (
	"strings"

	"searchmcp/engine/index/chunk"
)

// call is what calling a value gives.
func (t *Types) call(v value, index int) []value {
	if !t.enter() {
		return nil
	}
	defer t.leave()
	if rest, ok := strings.CutPrefix(v.text, givesMark); ok {
		return []value{{from: v.from, text: rest}}
	}
	if v.at == nil {
		if v.module == "" && v.text != "" { // what is called through a type
			if text := functionResult(v.text, v.language); text != "" {
				return []value{{from: v.from, text: text}}
			}
		}
		return nil
	}
	if isType(v.at) || v.at.Kind == chunk.KindType {
		return []value{{from: v.from, text: v.at.Name}}
	}
	if v.at.Kind != chunk.KindFunction && v.at.Kind != chunk.KindMethod && v.at.Kind != "macro" {
		var out []value
		for _, w := range t.valueOf(v) {
			if w.at == nil && len(v.at.Gives) == 1 && !strings.Contains(w.text, "=>") && !strings.HasPrefix(w.text, "func") {
				out = append(out, w)
			} else {
				out = append(out, t.call(w, index)...)
			}
		}
		return out
	}
	if v.at.Kind == chunk.KindMethod && (v.at.Name == "constructor" || v.at.Name == "__init__" ||
		v.at.Name == v.at.Owner()) {
		return []value{{from: v.from, text: v.at.Owner()}}
	}
	var out []value
	for _, w := range t.valueOf(v) {
		if index > 0 || strings.HasPrefix(w.text, "(") {
			w.text = Result(w.text, index, w.language)
		}
		switch w.text {
		case "this", "self", "static", "$this":
			w.text = v.at.Owner()
		}
		if strings.Contains(w.text, "Self") {
			w.text = selfType.ReplaceAllString(w.text, v.at.Owner())
		}
		if w.text != "" || w.at != nil {
			out = append(out, w)
		}
	}
	return out
}

// parameter is the type of a function's parameter.
func (t *Types) parameter(v value, index int) []value {
	if !t.enter() {
		return nil
	}
	defer t.leave()
	if held, ok := strings.CutPrefix(v.text, givesMark); ok && v.at == nil { // of a collection's or a promise's method
		if v.elem != "" {
			held = v.elem
		}
		return []value{{from: v.from, text: "(a: " + held + ", b: " + held + ") => void"}}
	}
	if v.at == nil {
		if text := functionParameter(v.text, index); text != "" {
			return []value{{from: v.from, text: text}}
		}
		return nil
	}
	if isType(v.at) {
		var out []value
		for _, c := range t.memberOf(v.at, "constructor", 0) {
			out = append(out, t.parameter(value{from: from{c.Path, c.Language}, at: c}, index)...)
		}
		return out
	}
	if v.at.Parameters == "" {
		var out []value
		for _, w := range t.valueOf(v) {
			out = append(out, t.parameter(w, index)...)
		}
		return out
	}
	if text := Parameter(v.at.Parameters, index); text != "" {
		return []value{{from: v.from, text: text}}
	}
	return nil
}

// maxAliases is how many types that stand for another one are followed to a function's.
const maxAliases = 4

// handed is the type of what a value that is a function is called with.
func (t *Types) handed(v value, index, depth int) []value {
	if depth > maxAliases || !t.enter() {
		return nil
	}
	defer t.leave()
	var out []value
	if v.at != nil && !isType(v.at) && v.at.Kind != chunk.KindType {
		if v.at.Parameters != "" {
			if text := Parameter(v.at.Parameters, index); text != "" {
				return []value{{from: from{v.at.Path, v.at.Language}, text: text}}
			}
			return nil
		}
		for _, w := range t.valueOf(v) {
			out = append(out, t.handed(w, index, depth+1)...)
		}
		return out
	}
	if text := functionParameter(v.text, index); text != "" {
		return []value{{from: v.from, text: text}}
	}
	for _, one := range t.types(v) {
		if one.At == nil {
			continue
		}
		in := from{one.At.Path, one.At.Language}
		text := functionParameter(one.At.Alias, index)
		if one.At.Parameters != "" { // an interface that can be called
			text = Parameter(one.At.Parameters, index)
		}
		if text != "" {
			out = append(out, value{from: in, text: text})
			continue
		}
		for _, b := range one.At.Bases {
			out = append(out, t.handed(value{from: in, text: b}, index, depth+1)...)
		}
	}
	return out
}

// functionParameter is the type of a parameter of a function's type: "(a: Foo) => void".
func functionParameter(text string, index int) string {
	for _, p := range alternatives(text, "typescript") {
		if strings.HasPrefix(p, "(") && strings.Contains(p, "=>") {
			return Parameter(p, index)
		}
	}
	return ""
}

// functionResult is what a function's type gives.
func functionResult(text, language string) string {
	if strings.HasPrefix(text, "func(") {
		return strings.TrimSpace(skipBrackets(text[len("func"):], '(', ')'))
	}
	if i := strings.LastIndex(text, "=>"); i >= 0 && strings.HasPrefix(text, "(") {
		return strings.TrimSpace(text[i+2:])
	}
	return ""
}
