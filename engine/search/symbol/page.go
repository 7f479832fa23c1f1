package symbol

import "strings"

// maxTag is how far the beginning of a tag, or of brackets in a page, is looked for, in bytes.
const maxTag = 400

// inPage judges an occurrence in the markup of a page: in a tag or in brackets it may use a name of the code.
func (x *extraction) inPage(at int, r Reference, out *File) {
	before := x.d.Text[max(0, at-maxTag):at]
	tag := strings.LastIndexByte(before, '<') > strings.LastIndexByte(strings.ReplaceAll(before, "=>", "  "), '>')
	switch {
	case !tag && strings.LastIndexByte(before, '{') <= strings.LastIndexByte(before, '}') && !strings.HasSuffix(
		strings.TrimRight(before, " ."), "@") && !razor(before):
		r.Role = Text
	case opens(x.d.Text[at+len(x.name):]):
		r.Role = Call
	}
	r.Receiver, r.Page = strings.Join(chainBefore(x.d.Text, at, x.d.Language), "."), true
	x.add(out, r, at)
}

// razor reports whether a text ends in an expression of Razor: @Model.Name
func razor(before string) bool {
	i := strings.LastIndexByte(before, '@')
	return i >= 0 && !strings.ContainsAny(before[i:], " \t\n<")
}
