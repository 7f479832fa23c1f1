package lang

import (
	"regexp"
	"strings"
)

// conditional matches a line such as "#ifdef NAME". Its groups are the keyword and the text after it.
var conditional = regexp.MustCompile(`^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b(.*)`)

// conditionals returns, for each conditional, the line numbers of its directives, such as #if and #else.
func conditionals(lines []string) (all [][]int) {
	var open []int
	for i, line := range lines {
		if !strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
			continue
		}
		m := conditional.FindStringSubmatch(line)
		switch n := len(open); {
		case m == nil:
		case strings.HasPrefix(m[1], "if"):
			open, all = append(open, len(all)), append(all, []int{i})
		case n > 0:
			all[open[n-1]] = append(all[open[n-1]], i)
			if m[1] == "endif" {
				open = open[:n-1]
			}
		}
	}
	for _, i := range open {
		all[i] = append(all[i], len(lines))
	}
	return all
}

// oneBranch returns a Change that keeps one branch of each #if.
func oneBranch(oddOnly bool) Change {
	return func(text string) (string, int) {
		lines := strings.SplitAfter(text, "\n")
		hidden, directive := make([]bool, len(lines)+1), make([]bool, len(lines)+1)
		for _, c := range conditionals(lines) {
			change, taken := !oddOnly || unbalancedBranch(lines, c), false
			for k, from := range c {
				directive[from], hidden[from] = true, hidden[from] || change
				if k+1 == len(c) || !change {
					continue
				}
				on := !taken && (k > 0 || !impossible(lines[from]))
				taken = taken || on
				for i := from + 1; i < c[k+1]; i++ {
					hidden[i] = hidden[i] || !on
				}
			}
		}
		b := []byte(text)
		lost, at := 0, 0
		for i, line := range lines {
			if hidden[i] {
				Blank(b[at : at+len(line)])
				if !directive[i] {
					lost += len(strings.TrimSpace(line))
				}
			}
			at += len(line)
		}
		return string(b), lost
	}
}

// impossible reports whether the condition of an #if is always false in C, such as "#if 0".
func impossible(line string) bool {
	m := conditional.FindStringSubmatch(line)
	return strings.TrimSpace(m[2]) == "0" || strings.Contains(m[2], "__cplusplus") && m[1] != "ifndef" &&
		!strings.Contains(m[2], "!")
}

// unbalancedBranch reports whether a branch of an #if leaves brackets open or ends within an expression.
func unbalancedBranch(lines []string, directives []int) bool {
	for k, from := range directives[:len(directives)-1] {
		depth, last := 0, ""
		for _, line := range lines[from+1 : directives[k+1]] {
			line = strings.TrimSpace(line)
			if conditional.MatchString(line) {
				continue
			}
			depth += strings.Count(line, "{") + strings.Count(line, "(") - strings.Count(line, "}") - strings.Count(line, ")")
			if line != "" && !BeginsWith(line, "//", "#") {
				last = line
			}
		}
		if depth != 0 || last != "" && strings.TrimRight(last, ";}") == last && !strings.HasSuffix(last, "*/") {
			return true
		}
	}
	return false
}
