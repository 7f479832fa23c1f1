package secret

import (
	"bytes"
	"path"
	"regexp"
	"strings"
)

// Places of passwords that no sign joins to a name: cells of a table, words of a sentence.

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
	issue      = regexp.MustCompile(`^-|^v?\d+[.:]\d|%[0-9A-F]{2}|&|^\w+=|^[A-Za-z-]+#\d+$|=[0-9A-F]{2}`) // what else has signs
)

// maxSaid is how far behind its word a password may be told.
const maxSaid = 60

// word is a password among words, and what may stand before it.
const word = "(?:<[a-z][^<>\\n]{0,24}>){0,2}[\"'`*_(]{0,3}((?:[^\\s,;|<>()\"'`*]|\\*[\\w#!.-]){6,64})"

var (
	// labelled is the end of what stands before the second of two names: user / password. labels is what follows them:
	// the account and its password, in the same order.
	labelled = regexp.MustCompile(`(?i)(?:user(?: ?name)?|login|account|name|id|e-?mail|benutzer(?:name)?|konto)["'*` + "`" +
		`]*\s*(?:[/&+,|-]|and|und)\s*["'*` + "`" + `]*$`)
	labels = regexp.MustCompile("^\\w{0,8}[\"'`*]*\\s*(?:[:=–-]|is|are|sind)?[\"'`*]*\\s*[\"'`*(]{0,3}" +
		"[^\\s/|,\"'`*]{2,60}[\"'`*]{0,2}\\s*(?:[/|,:]|and|und)\\s*" + word)
	// withIt ends before the word for a password which is followed by one: log in with the password x.
	withIt = regexp.MustCompile(`(?i)\b(?:with|using|use|enter|type|and|by|mit|und|avec|con|using:)\s+` +
		`(?:(?:the|a|an|your|its|this|our|dem|das|le|la|el)\s+)?(?:[\w-]+\s+)?$`)
	// named ends before the word for a password where it is a field's name in a line of its own.
	named    = regexp.MustCompile(`^[\s:*>#"'` + "`" + `-]*(?:\(?[A-Z][\w-]*\s+){0,2}$`)
	next     = regexp.MustCompile("^[\"'`*:]{0,3}\\s+" + word)
	assigned = regexp.MustCompile("^(?:\\s+(?:is|ist|lautet|now|was))?[\"'`*]{0,2}(?:\\s*[:=]|\\s+(?:is|ist|lautet))" +
		"[\"'`*]{0,2}\\s*" + word + "[\"'`*.)]{0,4}\\s*$")
	phrases = []struct{ before, after *regexp.Regexp }{
		{labelled, labels}, {userFirst, next}, {withIt, next}, {named, assigned},
	}
	// userFirst ends before the word where the account stands in front of it: user admin, pass x.
	userFirst = regexp.MustCompile(`(?i)(?:user(?: ?name)?|login|account|name|benutzer(?:name)?|konto)["'*]*\s*[:=]?\s*["'*` +
		"`" + `]*[\w.@+-]{2,40}["'*` + "`" + `]*\s*[,/;|(-]?\s*$`)
	// introduced is a password behind a sign or a verb anywhere in the sentence.
	introduced = regexp.MustCompile("(?:[:=]|\\b(?:is|are|was|to|lautet|ist|est|es|è)\\b:?)[\"'`*_]{0,3}\\s{0,3}" + word)
	// asIt is the end of a sentence's part with the password before the word: with x as the password.
	asIt = regexp.MustCompile("(?i)\\b(?:with|using|and|mit|und|enter|type|use) [\"'`*]{0,3}" +
		"((?:[^\\s,;|<>()\"'`*]|\\*[\\w#!.-]){6,64})[\"'`*]{0,3} " +
		"(?:(?:as|for|als) (?:the |its |a )?|(?:when|if|at|as soon as) [^.;\n]{0,40})$")
	hasBoth = regexp.MustCompile(`[A-Za-z].*\d|\d.*[A-Za-z]`)
)

// phrase looks for a password where a sentence has to have it: «User / pass: a / x», «with the password x and», a field
// in a line of its own.
func (s *search) phrase(start, end int) {
	if s.budget < 0 || start > 0 && wordByte(s.data[start-1]) ||
		!s.prose && !rowFile(s.key) && !s.inComment(start) && !s.sentence(start) {
		return
	}
	rest, before := lineFrom(s.data, end, 2*maxSaid), s.lineBefore(start)
	before = before[max(0, len(before)-2*maxSaid):]
	s.budget -= len(rest) + len(before)
	if m := asIt.FindSubmatchIndex(before); m != nil && s.spokenAt(start-len(before)+m[2], start-len(before)+m[3], true) ||
		!hasBoth.Match(rest) {
		return
	}
	pass := endsInPass(s.data[start:end])
	for i, form := range phrases {
		if m := form.after.FindSubmatchIndex(rest); m != nil && (!pass || i < 2) && form.before.Match(before) &&
			s.spokenAt(end+m[2], end+m[3], true) {
			return
		}
	}
	if pass {
		return
	}
	if i := bytes.Index(rest, []byte(". ")); i >= 0 {
		rest = rest[:i]
	}
	for _, m := range introduced.FindAllSubmatchIndex(rest, 3) {
		if bytes.LastIndexByte(rest[:m[2]-1], '<') > bytes.LastIndexByte(rest[:m[2]], '>') {
			continue // an attribute of HTML
		}
		quoted := bytes.IndexByte([]byte("\"'`*>"), rest[m[2]-1]) >= 0
		if s.spokenAt(end+m[2], end+m[3], m[0] < 4 || quoted) {
			return
		}
	}
}

// told looks for what nothing but a password looks like in the rest of a sentence that has the word for it: «(pw: x)»,
// «user a with password x».
func (s *search) told(start, end int) {
	d := s.data
	if s.budget < 0 || start > 0 && wordByte(d[start-1]) ||
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

// spokenAt judges a word of a sentence at which a password is expected, and is for sure or not.
func (s *search) spokenAt(a, b int, sure bool) bool {
	for b > a && bytes.IndexByte([]byte(".:,_"), s.data[b-1]) >= 0 {
		b--
	}
	text := s.data[a:b]
	if !hasBoth.Match(text) || issue.Match(text) || !sure && !random(text) && !strongSaid.Match(text) ||
		bytes.ContainsAny(text, "/[]{}\\") || s.seen(a) ||
		!s.isPassword(text, value{start: a, end: b, quoted: true, sure: sure}) {
		return false
	}
	s.add(rulePassword, "password", a, b)
	return true
}

// loggedIn is an account and its password behind a word for both: login: root, x.
var loggedIn = regexp.MustCompile("(?i)^(?:s|e)?(?: ?(?:data|details?|info))?[\"'`*]{0,2}" +
	"(?:\\s?[:=]| [–-] | is | are )" +
	"\\s{0,3}[\"'`*(]{0,3}[\\w.@+-]{2,60}[\"'`*]{0,2}" +
	"\\s{0,3}(?:[/,|:]|and|und|with|mit)\\s{0,3}" + word)

// login looks for a password behind an account in a sentence that has a word for both.
func (s *search) login(_, end int) {
	if s.budget -= maxName; s.budget < 0 || !s.prose && !rowFile(s.key) {
		return
	}
	if m := loggedIn.FindSubmatchIndex(lineFrom(s.data, end, 2*maxSaid)); m != nil {
		s.spokenAt(end+m[2], end+m[3], false)
	}
}

// accountWords are words of a table or a list of accounts.
var accountWords = regexp.MustCompile(`(?i)log ?in|passw|credential|account|user|access|zugang|benutzer|konto`)

// wireless are words of a sentence about a wireless network, whose password is called a key.
var wireless = regexp.MustCompile(`(?i)wi-?fi|wlan|ssid|wireless|hotspot|network|netz|guest`)

// wirelessKey looks for the password of a wireless network behind «key».
func (s *search) wirelessKey(start, end int) {
	if !s.prose && !rowFile(s.key) || s.budget < 0 {
		return
	}
	s.budget -= maxValue
	lo := max(0, start-160)
	if m := next.FindSubmatchIndex(append([]byte(" "), lineFrom(s.data, end, 80)...)); m != nil &&
		wireless.Match(s.data[lo:end]) {
		s.spokenAt(end+m[2]-1, end+m[3]-1, true)
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
	spoken = regexp.MustCompile("^[*_`\"' ]*(?: (?:for|of|on|du|de|del|für|von|zum) [^.;:\\n]{1,40}?)? ?" +
		"\\b(?:is|was|are|to|will be|is now|est|ist|lautet|(?:is|was|has been|is now) (?:re)?(?:set|changed) to)" +
		"(?: now| still)?:? +[*_`\"']{0,3}")
	// fallback is what stands between the name of a variable and the text that is taken where it is not set, or that it
	// is compared with; between what parts a name and its value in XML and in a name's own block.
	fallback = regexp.MustCompile(`(?i)^\)*\s{0,8}(?:\|\|=?|\?\?=?|\?:|or|eq|\{|\.(?:unwrap_or|or_?else|get_?or_?else|equals|` +
		`compareto)\w*\([^"'\n]{0,24}?)\s{0,8}["']`)
	between = regexp.MustCompile(`(?i)^(?:</(?:key|name)>\s{0,60}<(?:string|value)>|(?:[\w:-]{1,20}="[^"\n]{0,60}"\s{0,20}){0,4}>\s{0,40}<value>|` +
		`(?:[\w:-]{1,20}="[^"\n]{0,60}"\s{1,20}){0,4}value=|` +
		`:[ \t]*(?:\{|\r?\n)[^{}()<>;]{0,160}?["']?\b(?:default)?(?:value|default)["']?[ \t]*:[ \t]*)`)
	fieldName = regexp.MustCompile(`(?i)(?:name|key)["']?[ \t]*[:=][ \t]*["']?$`)
	setsName  = regexp.MustCompile(`(?i)^[ \t]*(?:env|arg|setenv)[ \t]+$`)
)

// goesOn are the beginnings of what spoken looks for.
var goesOn = set("is", "wa", "ar", "to", "wi", "fo", "of", "on", "ha", "la", "es", "du", "de", "f\xc3", "vo", "zu")

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
			if last := m[len(m)-1]; last == '"' || last == '\'' || last == '`' {
				m = m[:len(m)-1]
			}
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
	lastWord   = regexp.MustCompile(`^(?:[0-9] |--\w+ )?[^\s"'=:;,(){}-][^\s"':;,(){}]{5,}[ \t]*\r?(?:\n|$)`)
	firstWords = regexp.MustCompile(`^\s*(?:[\w./*@-]+[ \t]+){0,4}$`)
	level      = regexp.MustCompile(`^(?:[0-9] |--\w+ )`)
	// asks are the beginnings of functions that do not set a password.
	asks = regexp.MustCompile(`(?i)^_*(?:get|check|valid|verif|is|has[A-Z_]|compare|match|confirm|assert|expect|forgot|read|` +
		`ask|prompt|input|find|label|env|should|test|need|parse|require|show|encode|decode|fetch|load|lookup)`)
	// wraps is what makes a value of a text: String::from("x"), SecretStr("x").
	wraps = regexp.MustCompile(`(?i)^(?:new +)?(?:(?:\w{0,20}(?:str|secr|passw|text|char|buf|byte|box|rc|opt|zeroiz|protect|` +
		`prop|val)\w{0,20}(?:<\w{0,20}>)?[.:]{1,2})(?:from|of|new|some|just)|(?:[\w.:]{0,40}[.:])?(?:\[\]byte|strings?|str|some|` +
		`just|secret(?:str|string)?|bytes?|bytestring|text|ptr|plain\w*|unsafe\w*|encode|crypt|md5|sha\d*|hash\w*|bcrypt|` +
		`encrypt|secure\w*|literal))!?\(\s*`)
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
