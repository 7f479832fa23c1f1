package lang

import (
	"regexp"
	"strings"
)

// signature matches the beginning of a call signature in an interface. Without a semicolon, the grammar would join it
// to the previous line.
var signature = regexp.MustCompile(`(?m)^([ \t]+)(?:\(|<(?:[A-Za-z_]|\r?$))`)

// separated inserts the missing semicolons before call signatures in interfaces, replacing white space.
func separated(text string) (string, int) {
	b := []byte(text)
	for _, m := range signature.FindAllStringSubmatchIndex(text, -1) {
		before := strings.TrimRight(text[:m[0]], " \t\r\n")
		for {
			line := strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:])
			i := strings.LastIndexByte(before, '\n')
			if i < 0 || !BeginsWith(line, "//", "*", "/*") {
				break
			}
			before = strings.TrimRight(before[:i], " \t\r\n")
		}
		if before == "" {
			continue
		}
		if c := before[len(before)-1]; !WordByte(c) && !strings.ContainsRune(`>)]}'"`, rune(c)) ||
			strings.HasSuffix(before, "=>") {
			continue
		}
		b[m[3]-1] = ';'
	}
	return string(b), 0
}
