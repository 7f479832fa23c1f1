package lang

import (
	"regexp"
	"strings"
)

// signature matches the beginning of a call signature in an interface, such as "(a: string): void".
var signature = regexp.MustCompile(`(?m)^([ \t]+)(?:\(|<(?:[A-Za-z_]|\r?$))`)

// separated inserts missing semicolons before call signatures, which the grammar requires.
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
