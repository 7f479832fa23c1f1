package symbol

import "strings"

// maxTag limits the search for the beginning of a tag or of brackets in a page, in bytes.
const maxTag = 400

// inPage classifies an occurrence in the markup of a page. In a tag or in brackets it may use a name of the code.
func (x *extraction) inPage(r Reference, at, end int) {
	before := x.d.Text[max(0, at-maxTag):at]
	tag := strings.LastIndexByte(before, '<') > strings.LastIndexByte(strings.ReplaceAll(before, "=>", "  "), '>')
	switch {
	case !tag && strings.LastIndexByte(before, '{') <= strings.LastIndexByte(before, '}') && !strings.HasSuffix(
		strings.TrimRight(before, " ."), "@") && !razor(before):
		r.Role = String
	case opens(x.d.Text[end:]):
		r.Role = Call
	}
	r.Receiver, r.Page = strings.Join(chainBefore(x.d.Text, at, x.l), "."), true
	x.add(r, at, end, false)
}

// razor reports whether a text ends in a Razor expression such as @Model.Name.
func razor(before string) bool {
	i := strings.LastIndexByte(before, '@')
	return i >= 0 && !strings.ContainsAny(before[i:], " \t\n<")
}
