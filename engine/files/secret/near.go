package secret

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Rules for passwords in text near words such as "login".

var (
	// loginCues are words that often occur near a password.
	loginCues = []string{"log in", "log into", "logs in", "logged in", "logging in", "login", "log on", "logon",
		"sign in", "sign-in", "log-in", "signs in", "signed in", "sign into", "credential", "creds", "connect as",
		"einlogg", "anmeld",
		"zugang", "connectez", "connexion", "identifiant", "mdp", "sesión", "clave", "credenciales", "credenziali",
		"key phrase", "pass phrase", "the secret", "shared key", "disarm", "wifi", "wi-fi", "wlan", "ssid", "user/pass",
		"user / pass", "name/pass", "name / pass", "user/pw", "user / pw"}
	// cues are words that sometimes occur near a password, but also have other meanings.
	cues = []string{"get in", "gets in", "got in", "secret", "zugriff", "verschlüssel", "entsperr", "schlüssel", "melde",
		"code d'acc", "accedi", "unlock", "decrypt", "encrypted", "unzip", "protected", "code", "key", "admin", "root",
		"account", "mailbox", "the phrase", "access", "user ", "benutzer", "utilisateur", "usuario", "konto", "prompt",
		"asks for", "fragt nach", "accepts", "snmp", "keepass", "` / `"}
)

// cue is how much a word such as "login" suggests a password nearby.
type cue uint8

const (
	weakCue cue = iota + 1
	strongCue
)

// form is how much a word looks like a password. The forms are in increasing order.
type form uint8

const (
	noPass   form = iota
	common        // lower-case words and a number: blue_horse42
	plain         // the same with symbols: blue!horse42
	possible      // perhaps an identifier: MapleEncoder42
	likely        // words with capitals and a number: MapleRiver42
	clear         // words, a number and symbols: Maple#River42; or random characters
)

var technicalWords = sync.OnceValue(func() map[string]bool {
	m := set(strings.Fields(`windows part user email ubuntu fedora suse poly chacha cha pixel galaxy encoder argon mode
		byte value index unit phase figure bsd clause append bits ext body float int uint complex crc nil ascii loong
		appendix annex rule item const wasm struct func rekey key max min size not trunc sat flag foo bar baz qux`)...)
	for _, w := range tokenFormats().words {
		m[strings.TrimRight(w, "-_.")] = true
	}
	delete(m, "welcome")
	delete(m, "spring")
	return m
})

func isTechnical(word []byte) bool {
	m := technicalWords()
	return m[string(word)] || m[string(bytes.TrimSuffix(word, []byte("s")))]
}

const passwordSigns = "!#$%&*+?^~=@"

// formOf returns the form of a word.
func formOf(text []byte) form {
	if len(text) < 8 || len(text) > 40 || text[len(text)-1] == '=' {
		return noPass
	}
	var words, terms, digits, upper, lower, signs, dots, hex int
	separators := byte(0)
	for i := 0; i < len(text); i++ {
		last := i+1 == len(text)
		switch c := text[i]; {
		case letter(c):
			from := i
			for i+1 < len(text) && letter(text[i+1]) && (text[i] < 'a' || text[i+1] >= 'a') {
				i++
			}
			part := text[from : i+1]
			for _, c := range part {
				if c >= 'a' {
					lower++
				} else {
					upper++
				}
				if c|0x20 <= 'f' {
					hex++
				}
			}
			if len(part) > 2 {
				words++
				if part[1] <= 'Z' || isTechnical(bytes.ToLower(part)) { // an acronym or a technical term
					terms++
				}
			}
		case c >= '0' && c <= '9':
			digits++
		case c == '_' || c == '-':
			separators |= c
		case c == '.':
			if dots++; !last && (text[i+1] >= 'a' || text[i+1] < 'A' && i > 0 && text[i-1] <= '9') {
				return noPass // a file name or a version, such as 1.2.x
			}
		case c == '%' && !last && text[i+1] >= 'a': // %s
			return noPass
		case bytes.IndexByte([]byte(passwordSigns), c) >= 0 && i > 0:
			if !last || c != '!' && c != '?' {
				signs++
			}
		case c >= 0x80:
			lower++
		default:
			return noPass
		}
	}
	switch {
	case signs > 3 || digits == 0 || lower == 0 || hex+digits >= len(text)-1 || terms > 0 && terms == words,
		dots == 1 && text[0] >= 'a' && !random(text): // a field, as in user.name1
		return noPass
	case upper == 0 && signs == 0 && separators != '_'|'-':
		if terms > 0 || words == 0 {
			return noPass
		}
		return common
	case upper == 0:
		return plain
	case words == 1 && terms == 0 && yearAndSign.Match(text):
		return possible
	case signs == 0 && len(text) > 15 && digits > 2 && upper > 2 && lower > 2 && random(text): // a generated token
		return likely
	case terms == 0 && (signs > 0 && words > 0 ||
		(signs < 2 || !bytes.ContainsAny(text, "=&+")) && digits > 1 && (len(text) > 8 || upper > 0) && random(text)):
		return clear
	case words == 0:
		return noPass
	case words == 1:
		return common
	case terms > 0:
		return possible
	}
	return likely
}

const (
	quotes = "[\"'*_`„“«]{0,3}"
	verbs  = `with|using|from|use[sd]?|is|was|now|currently|aktuell|derzeit|to|enter|types?|typing|says?|answer|take|try|tried|need|suppl(?:y|ied)|` +
		`replaced?|remove|provide|put|accepts|as|its|plus|just|mit|ist|lautet|war|jetzt|nimm(?:st)?|verwenden?|nutzen?|` +
		`heisst|du|avec|est|utilisez|con|es|usa|use|la|di|come|en`
	nouns = `code|word|key|phrase|pass(?:word|phrase|code|e)?|pw|pwd|secret|\w*(?:kennwort|passwort)|schlüssel|clé|` +
		`clave|contraseña`
	joins  = `and|or|und|oder|et|y|e`
	direct = `(?:\b(?:` + nouns + `)s?` + quotes + `\s?(?:[:=→(–-]|(?:` + verbs + `)\b:?|\s){0,3}` + quotes + `\s*|\s/\s|[:|]\s?)` +
		quotes + `$`
)

var (
	introduces = lazily(`(?i)(?:[:=|(,>–—-]|[^/]/|'s|→|\sè|\b(?:` + verbs + `|` + nouns + `|` + joins + `))` +
		quotes + `\s*(?:<[a-z]{1,6}>)?(?:` + quotes + `|\()\s?$`)
	tight    = lazily(`(?i)` + direct + `|\b(?:with|mit|avec|con|using|and|und|et|y) ` + quotes + `$`)
	preceded = lazily(`(?i)` + direct)
	pairs    = lazily(`^\p{L}{3,}(?:[_!#$%&*+.-]\p{L}{2,}){1,4}[!?#*+]?$`)
	lists    = lazily("(?i)(?:[,(]|\\b(?:" + joins + ")) ?[\"'`]?$")
	paired   = lazily("(?:[\\w.@+-][\"'`*]* ?[/:]|(?i:\\b(?:admin|root|guest|user \\S{2,30}),)) ?[\"'`*]*$")
	// alone matches the text before a password that is alone on its line: punctuation, a time, or a name.
	alone = lazily("^[\\s:>*#/+\"'`-]*(?:\\[?[\\d., TZ-]{0,12}\\d\\d:\\d\\d[\\d:., TZ]{0,8}\\]?\\s*)?" +
		"(?:<?@?[\\w.@+ -]{1,40}?[\\w>*`]\\s?(?:[:/,|]|[–—-])\\s*)?[\"'`*]*$|" +
		`^\s*(?:[^\s|](?:[^\n|]{0,40}[^\s|])?(?:\s{2,8}|\t)\s*){1,5}$`)
	// ended matches the text between a password and the end of the line.
	ended        = lazily("^[\"'`*.,;!]*(?:[ \t]+\\([^()\n]*\\)|(?: [a-z]+){1,3})?[ \t\r]*$")
	severalWords = lazily("^([a-z]{3,10}(?: (?:[a-z]{3,10}|\\d{1,4})){3,7})(?:[\"'*_`.,;]|\\s*$)")
)

func textFile(key string) bool {
	base := strings.ToLower(path.Base(key))
	ext := path.Ext(base)
	return proseFile(base) || ext == ".txt" || ext == ".text" || ext == ".log" || ext == "" &&
		slices.ContainsFunc([]string{"readme", "change", "history", "news", "notes", "todo", "install", "commit"},
			func(w string) bool { return strings.HasPrefix(base, w) })
}

// near finds passwords in the sentence around a word such as "login", and on the next lines.
func (s *search) near(start, end int, c cue) {
	d := s.data
	if s.budget < 0 || (c == weakCue || !s.text) && start > 0 && wordByte(d[start]) && wordByte(d[start-1]) ||
		end-start < 5 && end < len(d) && letter(d[end]) {
		return
	}
	if s.text && (c == strongCue || end-start < 5) {
		s.phraseAfter(end, lineFrom(d, end, 160))
	}
	if end <= s.nearEnd && c <= s.nearCue {
		return
	}
	before, after := s.lineBefore(start), lineFrom(d, end, 240)
	if !s.text && !s.inComment(start) {
		if s.budget -= maxName; c == weakCue || !words.Match(before) {
			return
		}
	}
	s.nearEnd, s.nearCue = end+len(after), c
	before = before[max(0, len(before)-160):]
	if i := bytes.LastIndex(before, []byte(". ")); i >= 0 {
		before = before[i+2:]
	}
	s.budget -= len(before) + len(after)
	s.words(start-len(before), s.nearEnd, c, inSentence)
	if s.text {
		s.below(s.nearEnd+1, c)
	}
}

// stated contains texts before a passphrase, such as " is".
var stated = [][]byte{[]byte(":"), []byte("="), []byte("→"), []byte(" is"), []byte(" ist"), []byte(" lautet"),
	[]byte(" est"), []byte(" es")}

// phraseAfter finds a passphrase of lower-case words.
func (s *search) phraseAfter(offset int, line []byte) {
	for _, sign := range stated {
		i := bytes.Index(line[:min(len(line), maxName)], sign)
		if i < 0 {
			continue
		}
		i += len(sign)
		words := bytes.TrimLeft(line[i:], " \"'`*_„“«")
		i = len(line) - len(words)
		if m := severalWords.FindSubmatchIndex(words); m != nil && !sentences.Match(words[:m[3]]) &&
			(line[i-1] > ' ' || !slices.ContainsFunc(bytes.Fields(words[:m[3]]), isTechnical)) { // or quoted
			s.add(rulePassword, "password", offset+i, offset+i+m[3])
		}
	}
}

// slashed finds the password after an address or a common account, such as anna@example.net / x.
func (s *search) slashed(start, end int) {
	name := s.lineBefore(start)
	name = name[bytes.LastIndexAny(name, " \t(\"'`")+1:]
	at := bytes.IndexByte(name, '@')
	mail := at > 0 && bytes.IndexByte(name[at:], '.') > 0
	if !mail && (!commonAccounts[string(bytes.ToLower(name))] || !s.text && !s.inComment(start)) {
		return
	}
	line := lineFrom(s.data, end, maxName)
	size := 0
	for size < len(line) && !wordEnd[line[size]] {
		size++
	}
	word := bytes.TrimRight(line[:size], ".,;:")
	if grade := formOf(word); grade > common || grade == common && (mail || digitInWord.Match(word)) {
		s.spokenAt(end, end+len(word))
	}
}

// commonAccounts are names of accounts that are often written before a password.
var commonAccounts = set(strings.Fields(`root admin administrator support service user guest demo operator test sa pi`)...)

func (s *search) below(at int, c cue) {
	for n, others := 0, 0; n < maxRows && others < 4 && at < len(s.data); n++ {
		line := lineFrom(s.data, at, 200)
		place := ownLine
		if bytes.HasPrefix(line, []byte("|")) {
			place = inRow
		}
		if len(bytes.Trim(line, " \t\r/#*>`|-=+")) > 0 && (at < s.belowEnd[c] || !s.words(at, at+len(line), c, place)) {
			others++
		}
		at += len(line) + 1
		s.belowEnd[c] = max(s.belowEnd[c], at)
	}
}

type position uint8

const (
	inSentence position = iota
	inRow               // in a row of a table
	ownLine             // alone on its line, or after a name
)

// words finds the passwords in data[from:to] and reports whether data[from:to] contains any.
func (s *search) words(from, to int, c cue, place position) (found bool) {
	line := s.data[from:to]
	if !bytes.ContainsAny(line, "0123456789_!#$%&*+.-") {
		return false
	}
	s.budget -= len(line)
	for i := 0; i < len(line); i++ {
		a := i
		for i < len(line) && !wordEnd[line[i]] {
			i++
		}
		if i-a < 8 || !bytes.ContainsAny(line[a:i], "0123456789_!#$%&*+.-") {
			continue
		}
		b := i
		for b > a && bytes.IndexByte([]byte(".:,;_*"), line[b-1]) >= 0 {
			b--
		}
		for a < b && (line[a] == '*' || line[a] == '_' || line[a] >= 0x80 && line[a] < 0xc0) {
			a++
		}
		if j := bytes.IndexAny(line[a:b], "/:"); j > 1 && j < 24 && account.Match(line[a:a+j]) &&
			(a == 0 || line[a-1] != '/') {
			a += j + 1 // account/password
		}
		if b-a >= 8 && s.fits(line, a, b, c, place) && s.spokenAt(from+a, from+b) {
			found = true
		}
	}
	return found
}

// fits reports whether line[a:b] is a password, considering the text around line[a:b].
func (s *search) fits(line []byte, a, b int, c cue, place position) bool {
	grade := formOf(line[a:b])
	before, after := line[max(0, a-2*maxName):a], line[b:]
	if grade == noPass && s.coined(line[a:b], before) {
		grade = common
	}
	if grade == noPass || elsewhere.Match(before) ||
		bytes.HasPrefix(after, []byte("(")) || bytes.HasPrefix(after, []byte("[")) || bytes.HasPrefix(after, []byte("\":")) {
		return false
	}
	strong, named := c == strongCue, grade < clear
	if grade == common && (!strong || place == inSentence && !tight.Match(before) ||
		!s.text && !(ended.Match(after) && bytes.ContainsAny(line[:a], "#/*"))) { // or at the end of a comment
		return false
	}
	quoted := len(before) > 0 && bytes.IndexByte([]byte("\"`'>"), before[len(before)-1]) >= 0
	if !strong && (grade == plain || named && lists.Match(before) && !paired.Match(before)) {
		return false
	}
	if !s.text {
		signs := bytes.ContainsAny(line[a:b], passwordSigns)
		if !strong && !signs || named && !signs && !quoted && !bytes.ContainsAny(line[a:b], "_-.") && !paired.Match(before) {
			return false
		}
	}
	if place == ownLine && alone.Match(line[:a]) && ended.Match(after) {
		return true
	}
	switch place {
	case inRow:
		return (strong || paired.Match(before)) && (!named || introduces.Match(before))
	case ownLine:
		return strong && grade >= likely && introduces.Match(before)
	}
	return !named || strong && quoted || introduces.Match(before)
}

// coined reports whether text is a password of joined words, such as Maple_River.
func (s *search) coined(text, before []byte) bool {
	capital, sign := bytes.ContainsFunc(text, unicode.IsUpper), bytes.ContainsAny(text, "_!#$%&*+")
	return (capital || sign || bytes.Count(text, []byte("-")) > 1) && pairs.Match(text) &&
		(capital && sign || preceded.Match(before)) && s.isWords(text, certain(0, 0))
}

// wordEnd contains the characters between words.
var wordEnd = func() (end [256]bool) {
	for c := range end {
		end[c] = c <= ' ' || c == 0x7f || c == 0xc2 || c >= 0xe0 || strings.IndexByte("\"'`<>()[]{}|,\\", byte(c)) >= 0
	}
	return end
}()
