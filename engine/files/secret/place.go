package secret

import (
	"bytes"
	"path"
	"regexp"
	"strings"
)

// Places of passwords that no sign joins to a name: arguments of a call, cells of a table, words of a sentence.

// calls are parts of names of functions that take a login and its password one after the other.
var calls = []string{"auth", "login", "logon", "signin", "sign_in", "connect", "credential", "basic(", "pdo(", "bind(",
	"userpass", "createuser", "create_user", "adduser", "add_user", "dial(", "sftp", "account(",
	"mysqli(", "sequelize(", "wifi.begin(", "softap("}

// called is the rest of a function's name up to its first argument; arg is a text among arguments.
var (
	called = regexp.MustCompile(`^(?:\w{0,24}(?:::\w{1,20}|<\w{1,20}>)?!? ?\(|\s*=\s*\()\s*`)
	logins = regexp.MustCompile(`(?i)login|logon|sign_?in|credential|basic|userpass|pdo|auth[\s=(]`)
	arg    = regexp.MustCompile(`,\s*(?:Some\(|new String\(|String::from\(|[A-Za-z_]{1,16}[:=]\s?)?[@bLuN]?(?:"([^"\n]{0,80})"|'([^'\n]{0,80})')`)
)

// call looks among the arguments of a call for a password, which stands behind a login or is the only text.
func (s *search) call(start, end int) {
	d := s.data
	if s.prose || s.budget < 0 || start > 0 && d[start-1] == '"' {
		return
	}
	if d[end-1] == '(' {
		end--
	}
	if bytes.HasPrefix(d[end:], []byte("or")) { // authors, authorities
		return
	}
	if i := bytes.IndexByte(d[end:min(len(d), end+maxName)], '('); i < 0 || i > 30 {
		return
	}
	s.budget -= maxName
	m := called.Find(d[end:min(len(d), end+maxName)])
	if m == nil {
		return
	}
	rest := d[end+len(m) : min(len(d), end+len(m)+maxApart)]
	depth := 1
	for i, c := range rest {
		if c == '(' {
			depth++
		} else if c == ')' {
			if depth--; depth == 0 {
				rest = rest[:i]
				break
			}
		} else if c == ';' || c == '{' {
			rest = rest[:i]
			break
		}
	}
	s.budget -= 2 * len(rest)
	at := end + len(m)
	login := logins.Match(d[start:at])
	for n, m := range arg.FindAllSubmatchIndex(append([]byte(","), rest...), 8) {
		a, b := max(m[2], m[4])-1, max(m[3], m[5])-1
		// What stands first is a place or a login, unless it is all there is: red:auth("x").
		if v := (value{start: at + a, end: at + b, quoted: true, loose: n == 0 || n == 1 && !login}); n > 0 || depth == 0 &&
			len(bytes.TrimSpace(rest)) == b-a+2 {
			if text := d[v.start:v.end]; !bytes.ContainsAny(text, ":@/") && !s.seen(v.start) && s.isPassword(text, v) {
				s.add(rulePassword, "password", v.start, v.end)
			}
		}
	}
}

// rowFile reports a file of values in columns.
func rowFile(key string) bool {
	ext := strings.ToLower(path.Ext(key))
	return ext == ".csv" || ext == ".tsv" || ext == ".txt"
}

// heading is a line of names.
var heading = regexp.MustCompile(`^[A-Za-z_ \t|,;"'*` + "`" + `#-]*\r?$`)

// maxRows bounds a table of accounts.
const maxRows = 200

// column looks for passwords below a table's heading: of Markdown, of values parted by signs, of SQL's insert.
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
	if sep == 0 || !rowFile(s.key) && (sep != '|' || !s.prose) ||
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

// cell judges what stands between two places, without blanks and quotes.
func (s *search) cell(from, to int) {
	for from < to && bytes.IndexByte([]byte(" \t\r\"'`*"), s.data[from]) >= 0 {
		from++
	}
	for to > from && bytes.IndexByte([]byte(" \t\r\"'`*"), s.data[to-1]) >= 0 {
		to--
	}
	text, v := s.data[from:to], value{start: from, end: to, quoted: true}
	if bytes.Count(text, []byte("$")) < 2 && !s.seen(from) && s.isPassword(text, v) { // two are a hash's
		s.add(rulePassword, "password", from, to)
	}
}

// inserted is an insert with its columns; tuple one row of it.
var (
	inserted = regexp.MustCompile(`(?is)^([^();]{0,400})\)\s*values?\s*`)
	row      = regexp.MustCompile(`^[\s,]*\(([^()\n]{0,400}(?:\([^()\n]{0,200}\)[^()\n]{0,200}){0,4})\)`)
)

// insert looks for the passwords of rows that SQL inserts.
func (s *search) insert(start, end int) {
	d := s.data
	open := bytes.LastIndexByte(d[max(0, start-400):start], '(')
	if open < 0 || s.budget < 0 || !bytes.Contains(bytes.ToLower(d[end:min(len(d), end+400)]), []byte("value")) {
		return
	}
	n := bytes.Count(d[max(0, start-400)+open:start], []byte(","))
	s.budget -= 400
	m := inserted.Find(d[end:min(len(d), end+500)])
	if m == nil {
		return
	}
	for at, i := end+len(m), 0; i < maxRows; i++ {
		m := row.FindSubmatchIndex(d[at:min(len(d), at+1200)])
		if m == nil {
			return
		}
		s.budget -= m[1]
		cells := bytes.Split(d[at+m[2]:at+m[3]], []byte(","))
		if n < len(cells) {
			from := at + m[2]
			for _, c := range cells[:n] {
				from += len(c) + 1
			}
			s.cell(from, from+len(cells[n]))
		}
		at += m[1]
	}
}

// said is a word of a sentence that a password may be.
var (
	said       = regexp.MustCompile("[^\\s,;|<>()\"'`*]{8,64}")
	plainSaid  = regexp.MustCompile(`^[A-Za-z]+\d{2,4}$`)
	strongSaid = regexp.MustCompile(`[!#$%&*+?@^~]|\d.*\d`)
	words      = regexp.MustCompile(`^[\s"'*#]*(?:\(?[A-Za-z][\w'@.-]*[,:;.]?\)?\s+){2,40}\(?$`)
	issue      = regexp.MustCompile(`^-|%[0-9A-F]{2}|&|^\w+=|^[A-Za-z-]+#\d+$|=[0-9A-F]{2}`) // what else has signs
)

// maxSaid is how far behind its word a password may be told.
const maxSaid = 60

// told looks for what nothing but a password looks like in the rest of a sentence that has the word: «(pw: x)», «user a
// with password x».
func (s *search) told(start, end int) {
	d := s.data
	if s.budget < 0 || start > 0 && wordByte(s.data[start-1]) ||
		!s.prose && !rowFile(s.key) && !s.inComment(start) && !s.sentence(start) {
		return
	}
	rest := lineFrom(d, end, maxSaid)
	if i := bytes.Index(rest, []byte(". ")); i >= 0 {
		rest = rest[:i]
	}
	s.budget -= len(rest)
	for _, m := range said.FindAllIndex(rest, -1) {
		a, b := end+m[0], end+m[1]
		if last := d[b-1]; last == '.' || last == ':' {
			b--
		}
		text := d[a:b]
		if a > end && strongSaid.Match(text) && bytes.IndexByte([]byte("/=:@#-_.$"), d[a-1]) < 0 &&
			(bytes.ContainsAny(text, "!#$%&*+?@^~-_.=") || m[0] < 4 && plainSaid.Match(text)) &&
			!bytes.ContainsAny(text, "/:[]{}\\") && !issue.Match(text) && !s.seen(a) &&
			s.isPassword(text, value{start: a, end: b, loose: true}) {
			s.add(rulePassword, "password", a, b)
			return
		}
	}
}

// sentence reports that words of a sentence stand before a place in its line, as in a text of several lines in code.
func (s *search) sentence(at int) bool {
	s.budget -= maxName
	return words.Match(s.lineBefore(at))
}

// apartKey is what stands between a name and its value where they are two fields: Kubernetes' «name: X» over «value:
// x», a variable of Terraform and an option of argparse with their default. spoken is how a sentence goes on to its
// value.
var (
	apartKey = regexp.MustCompile(`(?i)^["']?[ \t]*(?:,|\{|\r?\n)[^{}()<>;]{0,200}?\b(?:parameter)?(?:value|default)["']?` +
		`[ \t]*[:=][ \t]*`)
	spoken = regexp.MustCompile("^[*_`\"' ]*(?: (?:for|of|on) [^.;:\\n]{1,40}?)? ?" +
		"\\b(?:is|was|are|to|will be|is now|is set to)(?: now| still)?:? +[*_`\"']{0,3}")
	// fallback is what stands between the name of a variable and the text that is taken where it is not set, or that it
	// is compared with; between what parts a name and its value in XML and in a name's own block.
	fallback = regexp.MustCompile(`(?i)^\)*\s{0,8}(?:\|\|=?|\?\?=?|\?:|or|eq|\{|\.(?:unwrap_or|or_?else|get_?or_?else|equals|` +
		`compareto)\w*\([^"'\n]{0,24}?)\s{0,8}["']`)
	between = regexp.MustCompile(`(?i)^(?:</(?:key|name)>\s{0,60}<(?:string|value)>|>\s{0,40}<value>|` +
		`(?:[\w:-]{1,20}="[^"\n]{0,60}"\s{1,20}){0,4}value=|` +
		`:[ \t]*(?:\{|\r?\n)[^{}()<>;]{0,160}?["']?\b(?:default)?(?:value|default)["']?[ \t]*:[ \t]*)`)
	fieldName = regexp.MustCompile(`(?i)(?:name|key)["']?[ \t]*[:=][ \t]*["']?$`)
	setsName  = regexp.MustCompile(`(?i)^[ \t]*(?:env|arg|setenv)[ \t]+$`)
)

// goesOn are the beginnings of what spoken looks for.
var goesOn = set("is", "wa", "ar", "to", "wi", "fo", "of", "on")

// maxApart bounds what is read between a name and a value that stand apart.
const maxApart = 300

// apart returns where the value of a name begins that is not joined to it by a sign, and 0 if there is none. The name
// ends at named, what follows its quotes and blanks is at i.
func (s *search) apart(name, named, i int, closed bool) int {
	d := s.data
	rest := d[i:min(len(d), i+maxApart)]
	before := d[max(0, name-maxName):name]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	c := rest[0]
	if !s.prose && bytes.IndexByte([]byte(")|?.{oe"), c) >= 0 {
		if m := fallback.Find(rest[:min(len(rest), maxName)]); m != nil {
			return i + len(m) - 1
		}
	}
	if next := skipBlank(d, i+1); c == '<' || c == '>' ||
		c == ':' && next < len(d) && (d[next] == '{' || d[next] == '\n' || d[next] == '\r') ||
		closed && i > named && c|0x20 >= 'a' && c|0x20 <= 'z' {
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
	case i > named && len(before) < 16 && setsName.Match(before):
		return i
	case goesOn[string(rest[:min(len(rest), 2)])] && (s.prose || s.config || s.inText(name) || s.inComment(name)):
		line := d[named:min(len(d), named+maxName)]
		s.budget -= 2 * len(line)
		if m := spoken.Find(line); m != nil {
			return named + len(m)
		}
	}
	return 0
}

// unindented reports that a block that begins with a name ends before its value comes.
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
	argument   = regexp.MustCompile(`^\s*\w+(?::|\s*=>?)\s*(?:["'])`)
	lastWord   = regexp.MustCompile(`^(?:[0-9] |--\w+ )?[^\s"'=:;,(){}]{6,}[ \t]*\r?(?:\n|$)`)
	firstWords = regexp.MustCompile(`^\s*(?:[\w./*@-]+[ \t]+){0,4}$`)
	level      = regexp.MustCompile(`^(?:[0-9] |--\w+ )`)
	// asks are the beginnings of functions that do not set a password.
	asks = regexp.MustCompile(`(?i)^_*(?:get|check|valid|verif|is|has[A-Z_]|compare|match|confirm|assert|expect|forgot|read|` +
		`ask|prompt|input|find|label|env|should|test|need|parse|require|show|encode|decode|fetch|load|lookup)`)
	// wraps is what makes a value of a text: String::from("x"), SecretStr("x").
	wraps = regexp.MustCompile(`(?i)^(?:new +)?(?:[\w.:]{0,40}[.:])?(?:\[\]byte|strings?|str|from|some|just|secret(?:str|string)?|` +
		`bytes?|bytestring|of|new|text|ptr|plain\w*|unsafe\w*|encode|crypt|md5|sha\d*|hash\w*|bcrypt|encrypt|secure\w*|literal)!?\(\s*`)
)

// otherwise is what a value may come from before the text that it is else.
var otherwise = regexp.MustCompile(`^[\w.$:>]{1,40}(?:[(\[]["'][^"'\n]{0,40}["'](?:[)\]]\s*(?:\|\||\?\?|\?:|or)|,)|\s*(?:\|\||\?\?|\?:|or))\s*["']`)

// sets reports a function that takes the password as its first argument, which is a text: setPassword("x").
func (s *search) sets(name, open int) bool {
	called := s.data[name:open]
	called = called[bytes.LastIndexByte(called, '.')+1:]
	i := skipBlank(s.data, open+1)
	return i < len(s.data) && (s.data[i] == '"' || s.data[i] == '\'') && !asks.Match(called)
}
