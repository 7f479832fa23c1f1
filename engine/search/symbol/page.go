package symbol

import "strings"

// maxTag is the number of bytes before an occurrence that are searched for the start of a tag or brace.
const maxTag = 400

// inPage classifies an occurrence in markup. Inside a tag, braces or a Razor expression, the occurrence refers to a
// name. Elsewhere, the occurrence is a string.
func (x *extraction) inPage(r Reference, at, end int) {
	before := x.d.Text[max(0, at-maxTag):at]
	razor := strings.LastIndexByte(before, '@') // start of a Razor expression such as "@Model.Name", or -1
	tag := strings.LastIndexByte(before, '<') > strings.LastIndexByte(strings.ReplaceAll(before, "=>", "  "), '>')
	switch {
	case !tag && strings.LastIndexByte(before, '{') <= strings.LastIndexByte(before, '}') && !strings.HasSuffix(
		strings.TrimRight(before, " ."), "@") && (razor < 0 || strings.ContainsAny(before[razor:], " \t\n<")):
		r.Role = String
	case opens(x.d.Text[end:]):
		r.Role = Call
	}
	r.Receiver, r.Page = strings.Join(chainBefore(x.d.Text, at, x.l), "."), true
	x.add(r, at, end, false)
}
