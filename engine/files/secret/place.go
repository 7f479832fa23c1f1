package secret

import (
	"bytes"
	"path"
	"strings"
)

// Rules for passwords without an operator between them and their names: in tables, sentences and separate fields.

func rowFile(key string) bool {
	ext := strings.ToLower(path.Ext(key))
	return ext == ".csv" || ext == ".tsv" || ext == ".txt"
}

const maxRows = 200

func (s *search) column(start, end int) {
	d := s.data
	if s.budget < 0 {
		return
	}
	from := start - len(s.lineBefore(start))
	to := end + len(lineFrom(d, end, 400))
	if to-from > 400 {
		return
	}
	head := d[from:to]
	sep := byte(0)
	for _, c := range []byte("|\t;,") {
		if bytes.IndexByte(head, c) >= 0 {
			sep = c
			break
		}
	}
	n := bytes.Count(d[from:start], []byte{sep})
	cells := bytes.Split(head, []byte{sep})
	if sep == 0 || !rowFile(s.key) && (sep != '|' || !s.prose && path.Ext(s.key) != ".feature") ||
		!heading.Match(head) || len(cells) < 2 ||
		len(bytes.TrimSpace(cells[n])) > 24 {
		return
	}
	for row := 0; row < maxRows && to < len(d); row++ {
		from = to + 1
		to = from + len(lineFrom(d, min(from, len(d)), 1000))
		if from >= to || to-from == 1000 {
			return
		}
		s.budget -= to - from
		cells := bytes.Split(d[from:to], []byte{sep})
		if len(cells) <= n || sep == '|' && n == 0 {
			return
		}
		at := from
		for _, c := range cells[:n] {
			at += len(c) + 1
		}
		s.cell(at, at+len(cells[n]))
	}
}

// cell adds data[from:to] to the findings if it is a password.
func (s *search) cell(from, to int) {
	for from < to && bytes.IndexByte([]byte(" \t\r\"'`*"), s.data[from]) >= 0 {
		from++
	}
	for to > from && bytes.IndexByte([]byte(" \t\r\"'`*"), s.data[to-1]) >= 0 {
		to--
	}
	text, v := s.data[from:to], value{start: from, end: to, quoted: true}
	if bytes.Count(text, []byte("$")) < 2 { // a hash contains two dollar signs
		s.password(v)
	}
}

var (
	// inserted matches SQL such as ") VALUES" between the names of columns and the first row.
	inserted = lazily(`(?is)^([^();]{0,400})\)\s*values?\s*`)
	// variables matches the text between names and their values: a, b = "x", "y".
	variables = lazily(`^[\w, ]{0,60}(?:["']\s*,\s*\[|\)? ?\w{0,20}\s*:?=|\s*\}\s*\{)\s*`)
	row       = lazily(`^[\s,]*[({\[]([^(){}\[\]\n]{0,400}(?:\([^()\n]{0,200}\)[^(){}\[\]\n]{0,200}){0,4})[)}\]]|` +
		`^([^\n(){}\[\]]{3,200})(?:\n|$)`)
)

func (s *search) insert(start, end int) {
	d := s.data
	before := d[max(0, start-400):start]
	line := s.lineBefore(start)
	open := bytes.LastIndexAny(before, "({[")
	if quote := bytes.LastIndexAny(line, `"'`); !bytes.ContainsAny(line, "({[\"'") {
		open = len(before) - min(len(before), len(line)) // a, b = "x", "y"
	} else if quote >= 0 && bytes.IndexByte(line[quote:], ',') > 0 && len(before) >= len(line) {
		open = len(before) - len(line) + quote // "a,b", [("x", "y")]
	}
	if open < 0 || s.budget < 0 {
		return
	}
	n := bytes.Count(before[open:], []byte(",")) + bytes.Count(before[open:], []byte(";"))
	var m []byte
	if n > 0 && !s.config && !s.prose {
		s.budget -= 2 * maxName
		m = variables.Find(upTo(d, end, 2*maxName))
	}
	if m == nil && bytes.HasPrefix(before[open:], []byte("(")) &&
		bytes.Contains(bytes.ToLower(upTo(d, end, 400)), []byte("value")) {
		s.budget -= 400
		m = inserted.Find(upTo(d, end, 500))
	}
	if m == nil {
		return
	}
	for at, i := end+len(m), 0; i < maxRows; i++ {
		m := row.FindSubmatchIndex(d[at:min(len(d), at+1200)])
		if m == nil {
			return
		}
		s.budget -= m[1]
		from := at + max(m[2], m[4])
		cells := bytes.Split(d[from:at+max(m[3], m[5])], []byte(","))
		if n < len(cells) {
			for _, c := range cells[:n] {
				from += len(c) + 1
			}
			s.cell(from, from+len(cells[n]))
		}
		at += m[1]
	}
}

var (
	words     = lazily(`^[\s"'*#]*(?:\(?[A-Za-z][\w'@.-]*[,:;.]?\)?\s+){2,40}\(?$`)
	issue     = lazily(`^-|^pk_|^v?\d+[.:]\d|%[0-9A-F]{2}|&\w*[=;]|^\w+=|^[A-Za-z-]+#\d+$|=[0-9A-F]{2}|^(?:SHA|AES|RSA|MD5|HMAC)\b`) // other strings that contain symbols
	heading   = lazily(`^[A-Za-z_ \t|,;"'*` + "`" + `#-]*\r?$`)
	elsewhere = lazily(`(?i)\b(?:in|see|by|since|until|before|after|via|per|page|chapter|version|release|step) $`)
)

func (s *search) spokenAt(a, b int) bool {
	text := s.data[a:b]
	return !issue.Match(text) && s.password(certain(a, b))
}

// apartKey matches the text between a name and its value in two fields: name: PASSWORD, value: x.
var (
	apartKey = lazily(`(?i)^["']?[ \t]*(?:,|\{|\r?\n)[^{}()<>;]{0,200}?\b(?:parameter)?(?:value|default)["']?` +
		`[ \t]*[:=][ \t]*`)
	// spoken matches the words between "password" and the value in a sentence, such as " is ".
	spoken = lazily("^[*_`\"' ]*(?:(?: (?:for|of|on|du|de|del|für|von|zum) [^.;:\\n]{1,40}?)? ?" +
		"(?:\\b(?:is|was|are|to|will be|is now|est|ist|lautet|still|stays|remains|bleibt|immer noch|" +
		"(?:is|was|has been|is now) (?:re)?(?:set|changed) to|(?:re)?(?:defaults|set|changed) to)|är|è)" +
		"(?: now| still| weiterhin| jetzt| currently)?:? +|" +
		"(?: (?:for|of|on|für|von|zum) [^.;:\\n]{1,40}| ?\\([^()\\n]{1,30}\\))[:=] +)[*_`\"']{0,3}")
	// between matches the text between a name and its value in XML or in a block: password: { value: x }.
	between = lazily(`(?i)^(?:</(?:key|name)>\s{0,60}<(?:string|value)(?: [\w:-]{1,20}="[^"\n]{0,60}"){0,2}>|</(?:td|th|dt)>\s{0,60}<(?:td|dd)>(?:<\w{1,8}>)?|</\w{1,20}>\s{0,60}<\w{1,20} name="[\w.]{0,40}value">|(?:[\w:-]{1,20}="[^"\n]{0,60}"\s{0,20}){0,4}>\s{0,40}<value>|` +
		`(?:[\w:-]{1,20}="[^"\n]{0,60}"\s{1,20}){0,4}value=|` +
		`:[ \t]*(?:\{|\r?\n)[^{}()<>;]{0,160}?["']?\b(?:default)?(?:value|default)["']?[ \t]*:[ \t]*|` +
		`(?:[\w:-]{1,20}="[^"\n]{0,60}"\s{0,20}){1,4}>)`)
	fieldName = lazily(`(?i)(?:name|key)["']?[ \t]*[:=][ \t]*["']?$`)
	setsName  = lazily(`(?i)^[ \t$>]*(?:env|arg|setenv|aws configure set)[ \t]+$`)
)

var goesOn = set(strings.Fields(
	"is wa ar to wi fo of on ha la se ch re st bl im es du de vo zu f\xc3 \xc3\xa4 \xc3\xa8")...)

const maxApart = 300

// apart returns the start of the value of data[name:nameEnd], or 0. i is the offset after the name, and closed is set
// if the name is quoted.
func (s *search) apart(name, nameEnd, i int, closed bool) int {
	d := s.data
	rest := d[i:min(len(d), i+maxApart)]
	before := d[max(0, name-maxName):name]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	c := rest[0]
	if next := skipBlank(d, i+1); c == '<' || c == '>' ||
		c == ':' && next < len(d) && (d[next] == '{' || d[next] == '\n' || d[next] == '\r') ||
		closed && i > nameEnd && c|0x20 >= 'a' && c|0x20 <= 'z' {
		s.budget -= len(rest)
		if m := between.Find(rest); m != nil && !bytes.Contains(m, []byte("valueFrom")) && !s.unindented(name, m) {
			return i + len(m)
		}
	}
	switch {
	case c == ',' || c == '{' || c == '\n' || c == '\r':
		if !closed && len(bytes.TrimRight(before, " \t\"'=:")) == len(before) ||
			!bytes.Contains(rest, []byte("alue")) && !bytes.Contains(rest, []byte("efault")) {
			return 0
		}
		s.budget -= len(rest)
		if !closed && !fieldName.Match(before) {
			return 0
		}
		m := apartKey.Find(rest)
		if m == nil || bytes.Contains(bytes.ToLower(m[1:]), []byte("name")) || bytes.Contains(m, []byte("valueFrom")) {
			return 0
		}
		return i + len(m)
	case i > nameEnd && len(before) < 32 && setsName.Match(before):
		return i
	case (c == '(' || goesOn[string(rest[:min(len(rest), 2)])]) &&
		(s.prose || s.config || s.inText(name) || s.inComment(name)):
		line := d[nameEnd:min(len(d), nameEnd+maxName)]
		s.budget -= 2 * len(line)
		if m := spoken.Find(line); m != nil {
			if last := m[len(m)-1]; last == '"' || last == '\'' || last == '`' {
				m = m[:len(m)-1]
			}
			return nameEnd + len(m)
		}
	}
	return 0
}

// unindented reports whether a line of block has no deeper indentation than the line at name.
func (s *search) unindented(name int, block []byte) bool {
	indent := func(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }
	least := indent(s.lineBefore(name))
	for n, line := range bytes.Split(block, []byte("\n")) {
		if n > 0 && block[0] == ':' && indent(line) <= least {
			return true
		}
	}
	return false
}

var (
	lastWord   = lazily(`^(?:[0-9] |--\w+ )?[^\s"'=:;,(){}-][^\s"':;,(){}]{5,};?(?:[ \t]+(?:ro|RO|rw|RW|[\d.:/]+)){0,3}[ \t]*\r?(?:\n|$)`)
	firstWords = lazily(`^\s*(?:[\w./*@-]+[ \t]+){0,4}$`)
	level      = lazily(`^(?:[0-9] |--\w+ )`)
	// compareFuncs matches names of functions that compare a password, such as "verify".
	compareFuncs = lazily(`(?i)^_*(?:check|verif|compare|match)`)
	// readFuncs matches names of functions that read a password but do not set it, such as "getPassword".
	readFuncs = lazily(`(?i)^_*(?:get|valid|is|has[A-Z_]|confirm|assert|expect|forgot|read|` +
		`ask|prompt|input|find|label|env|should|test|need|parse|require|show|encode|decode|fetch|load|lookup)`)
	// wraps matches conversions to a string, such as String::from("x").
	wraps = lazily(`(?i)^(?:new +)?(?:(?:\w{0,20}(?:str|secr|passw|text|char|buf|byte|box|rc|opt|zeroiz|protect|` +
		`prop|val)\w{0,20}(?:<\w{0,20}>)?[.:]{1,2})(?:from|of|new|some|just)|(?:[\w.:]{0,40}[.:])?(?:\[\]byte|strings?|str|some|` +
		`just|secret(?:str|string)?|bytes?|bytestring|text|getbytes|ptr|plain\w*|unsafe\w*|encode|crypt|md5|sha\d*|hash\w*|bcrypt|` +
		`encrypt|(?:to|make)?secure\w*|literal))!?\(\s*`)
	// fallback matches the code before a default value, such as `env.PASSWORD || "`.
	fallback = lazily(`^[\w.$:>]{1,40}(?:[(\[](?:["'][^"'\n]{0,40}["'])?(?:[)\]]\s*(?:\|\||\?\?|\?:|or)|,)|\s*(?:\|\||\?\?|\?:)|\s+or)\s*["']`)
)
