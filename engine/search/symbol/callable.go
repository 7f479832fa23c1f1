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
		return nil
	}
	if isType(v.at) {
		return []value{{from: v.from, text: v.at.Name}}
	}
	if v.at.Kind != chunk.KindFunction && v.at.Kind != chunk.KindMethod && v.at.Kind != "macro" {
		return gathered(t.valueOf(v), func(w value) []value {
			if w.at == nil && len(v.at.Gives) == 1 && !strings.Contains(w.text, "=>") && !strings.HasPrefix(w.text, "func") {
				return []value{w}
			}
			return t.call(w, index)
		})
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
		return gathered(t.memberOf(v.at, "constructor", 0), func(c *Candidate) []value {
			return t.parameter(value{from: from{c.Path, c.Language}, at: c}, index)
		})
	}
	if v.at.Parameters == "" {
		return gathered(t.valueOf(v), func(w value) []value { return t.parameter(w, index) })
	}
	if text := Parameter(v.at.Parameters, index); text != "" {
		return []value{{from: v.from, text: text}}
	}
	return nil
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
