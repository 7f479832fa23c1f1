package search

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// source is a part of a query, such as the title.
type source uint8

const (
	inTitle source = iota // the first line
	inProse
	inSpan  // code in a line: `name`
	inBlock // fenced or indented code, logs
	inTrace // frames of stack traces
	numSources
)

// sourceWeights are the weights of words by their part of the query. A report's title names the subject, and code
// blocks mostly contain names of the reporter's own code. The weights were chosen on half of the queries in
// docs/ranking.md.
var sourceWeights = [numSources]float64{inTitle: 2.5, inProse: 1, inSpan: 1.5, inBlock: 0.5, inTrace: 0.3}

// titleOfShort is the weight of words in the first line of a short query.
const titleOfShort = 1.5

// longReport is the size in bytes above which a query of several lines is a report.
const longReport = 300

type document struct {
	text       [numSources]string
	paragraphs []string // the title, then the paragraphs of prose
	frames     []frame
	paths      []string // paths and file names, as written
}

var (
	htmlComment = regexp.MustCompile(`(?s)<!--.*?-->`)
	fence       = regexp.MustCompile("^\\s*(?:```|~~~)")
	// heading matches headings of issue templates, such as "## Expected behavior" or "Steps to reproduce:".
	heading = regexp.MustCompile(`^\s*(?:#{1,6}\s.*|\*\*[^*]{1,60}\*\*:?\s*|[A-Z][\w' ]{2,40}:\s*)$`)
	// templateLine matches check boxes and lines such as "OS: Linux" in issue templates.
	templateLine = regexp.MustCompile(`(?i)^\s*(?:[-*] \[[ x]\] |[-*]?\s*(?:\*\*)?(?:os|operating system|platform|` +
		`(?:\w+ )?versions?|environment|browser)\b[^:]{0,30}:)`)
	url      = regexp.MustCompile(`https?://\S+`)
	codeSpan = regexp.MustCompile("`+([^`\n]{1,200})`+")
	pathLike = regexp.MustCompile(`(?:[\w.@+-]+[/\\])+[\w.@+-]+\.\w{1,6}|\b[\w-]+(?:\.[\w-]+)*\.\w{1,6}\b`)
)

// frame is a position in a source file, from a stack trace or compiler message.
type frame struct {
	path string // in lower case
	line int
}

// frameForm matches a line of a stack trace or compiler message, such as "at run (src/a.js:12:3)".
var frameForm = regexp.MustCompile(`^\s*(?:(?:#\d+|at) .*?|(?:\S+ +){0,2}\S*?)(?:file://)?` +
	`((?:[a-zA-Z]:)?[\w./\\@+-]+\.[a-zA-Z]\w{0,4})(?:", line |:line |[:(])(\d{1,7})`)

// divide splits a query into its parts. It drops headings and questions of issue templates.
func divide(text string) document {
	var d document
	var parts [numSources]strings.Builder
	add := func(s source, line string) {
		parts[s].WriteString(line)
		parts[s].WriteByte('\n')
	}
	fenced, first, apart := false, true, true // apart: the next line begins a new paragraph
	for line := range strings.Lines(htmlComment.ReplaceAllString(text, " ")) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case fence.MatchString(line):
			fenced = !fenced
			continue
		case strings.TrimSpace(line) == "":
			apart = true
			continue
		}
		line = url.ReplaceAllString(line, " ")
		f, isFrame := frameOf(line)
		if isFrame {
			d.frames = append(d.frames, f)
		}
		switch {
		case isFrame && !first:
			add(inTrace, line)
			continue
		case first:
			add(inTitle, line)
		case fenced || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t"):
			add(inBlock, line)
			continue
		case heading.MatchString(line) || templateLine.MatchString(line):
			continue
		default:
			add(inProse, codeSpan.ReplaceAllString(line, " "))
		}
		for _, m := range codeSpan.FindAllStringSubmatch(line, -1) {
			add(inSpan, m[1])
		}
		if apart {
			d.paragraphs = append(d.paragraphs, line)
		} else {
			d.paragraphs[len(d.paragraphs)-1] += "\n" + line
		}
		first, apart = false, first
	}
	for s := range parts {
		d.text[s] = parts[s].String()
	}
	for _, p := range pathLike.FindAllString(url.ReplaceAllString(text, " "), -1) {
		p = strings.TrimPrefix(strings.ReplaceAll(p, `\`, "/"), "./")
		if looksLikePath(p) && !slices.Contains(d.paths, p) {
			d.paths = append(d.paths, p)
		}
	}
	return d
}

func frameOf(line string) (f frame, ok bool) {
	m := frameForm.FindStringSubmatch(line)
	if m == nil || !looksLikePath(m[1]) {
		return f, false
	}
	n, err := strconv.Atoi(m[2])
	return frame{strings.ToLower(strings.ReplaceAll(m[1], `\`, "/")), n}, err == nil
}

// isOf reports whether a frame refers to the project's file p. One of the paths may be the end of the other, because
// the program may have been built in another folder.
func (f frame) isOf(p string) bool {
	p = strings.ToLower(p)
	named := strings.TrimPrefix(f.path, "./")
	return p == named || strings.HasSuffix(named, "/"+p) || strings.HasSuffix(p, "/"+named)
}
