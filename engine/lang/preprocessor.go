package lang

import (
	"regexp"
	"strings"
)

// conditional matches a line of a preprocessor conditional. Its groups are the keyword and the text after it.
var conditional = regexp.MustCompile(`^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b(.*)$`)

func condition(line string) []string {
	if !strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
		return nil
	}
	return conditional.FindStringSubmatch(line)
}

type branch struct {
	group int
	taken bool // a branch of the conditional has been kept
	on    bool // the current branch is kept
}

// oneBranch returns a Change that blanks the directives of preprocessor conditionals and all branches except the first
// plausible one, because a grammar can't parse two function headers with the same body. If odd is true, the Change
// handles only the conditionals that oddGroups returns.
func oneBranch(odd bool) func(text string) (changed string, lost int) {
	return func(text string) (string, int) {
		if !strings.Contains(text, "#") {
			return text, 0
		}
		lines := strings.SplitAfter(text, "\n")
		var chosen map[int]bool
		if odd {
			chosen = oddGroups(lines)
		}
		b := []byte(text)
		var open []branch
		lost, at, groups := 0, 0, 0
		for _, line := range lines {
			m := condition(strings.TrimRight(line, "\r\n"))
			hide := false
			for _, o := range open {
				hide = hide || !o.on
			}
			if m == nil {
				if hide {
					lost += len(strings.TrimSpace(line))
				}
			} else {
				switch m[1] {
				case "if", "ifdef", "ifndef":
					off := strings.TrimSpace(m[2]) == "0" || strings.Contains(m[2], "__cplusplus") && m[1] != "ifndef" &&
						!strings.Contains(m[2], "!")
					o := branch{group: groups, on: !off, taken: !off}
					if odd && !chosen[groups] {
						o.on, o.group = true, -1
					}
					groups++
					open = append(open, o)
					hide = hide || o.group >= 0
				case "endif":
					if n := len(open); n > 0 {
						hide = hide || open[n-1].group >= 0
						open = open[:n-1]
					}
				default:
					if n := len(open); n > 0 && open[n-1].group >= 0 {
						hide = true
						open[n-1].on = !open[n-1].taken
						open[n-1].taken = true
					}
				}
			}
			if hide {
				Blank(b[at : at+len(line)])
			}
			at += len(line)
		}
		return string(b), lost
	}
}

// oddGroups returns the indexes of the conditionals with a branch that leaves brackets open or ends within an
// expression.
func oddGroups(lines []string) map[int]bool {
	type state struct {
		group, depth int
		last         string
	}
	odd := map[int]bool{}
	var open []state
	groups := 0
	end := func(s state) {
		last := s.last
		if s.depth != 0 || last != "" && !strings.HasSuffix(last, ";") && !strings.HasSuffix(last,
			"}") && !strings.HasSuffix(last, "*/") {
			odd[s.group] = true
		}
	}
	for _, line := range lines {
		line = strings.TrimSpace(line)
		m := condition(line)
		if m == nil {
			depth := strings.Count(line, "{") + strings.Count(line, "(") - strings.Count(line, "}") - strings.Count(line, ")")
			for i := range open {
				open[i].depth += depth
				if line != "" && !strings.HasPrefix(line, "//") && !strings.HasPrefix(line, "#") {
					open[i].last = line
				}
			}
			continue
		}
		switch n := len(open); {
		case strings.HasPrefix(m[1], "if"):
			open = append(open, state{group: groups})
			groups++
		case n == 0:
		case m[1] == "endif":
			end(open[n-1])
			open = open[:n-1]
		default:
			end(open[n-1])
			open[n-1].depth, open[n-1].last = 0, ""
		}
	}
	return odd
}

// bashEval replaces escaped dollar signs, as in strings for eval, because the grammar takes them for expansions that it
// can't parse.
func bashEval(text string) string { return strings.ReplaceAll(text, `\$`, `__`) }
