package secret

import (
	"bytes"
	"encoding/binary"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// password adds v to the findings if it looks like a password.
func (s *search) password(v value) bool {
	if !s.chosen(s.data[v.start:v.end], v) {
		return false
	}
	s.add(rulePassword, "password", v.start, v.end)
	return true
}

// chosen reports whether v looks like a password that a user chose.
func (s *search) chosen(text []byte, v value) bool {
	if v.sure && bytes.IndexByte(text, ' ') > 0 && phrases.Match(text) && !sentences.Match(text) {
		return true
	}
	return s.isPassword(text, v) || (v.sure || v.direct) && !v.part && s.isWords(text, v)
}

// isPassword reports whether text looks like a password, unlike a path, a sentence, code or a placeholder.
func (s *search) isPassword(text []byte, v value) bool {
	if v.quoted && bytes.IndexByte(text, '\\') >= 0 {
		text = bytes.ReplaceAll(text, []byte(`\"`), []byte(`"`))
	}
	if v.quoted && !v.loose && bytes.IndexByte(text, ' ') > 0 && numbered.Match(text) {
		words := bytes.ToLower(text)
		return !sentences.Match(words) && (words[len(words)-2] != ' ' || // Level 3
			(v.direct || v.flag) && !slices.ContainsFunc(bytes.Fields(words), isTechnical))
	}
	if len(text) < 6 || len(text) > 128 {
		return false
	}
	var lower, upper, digits, signs, brackets, foreign, odd int
	for _, c := range text {
		switch {
		case c >= 'a' && c <= 'z':
			lower++
		case c >= 0xc3 && c < 0xe0: // first byte of a letter such as "ø"
			lower++
			foreign++
		case c >= 0x80 && foreign > 0:
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= '0' && c <= '9':
			digits++
		case c == '/' || c == '(' || c == ')':
			brackets++
		case (c == '{' || c == '}' || c == '\\') && v.quoted && !v.loose:
			odd++
			signs++
		case c <= ' ' || c >= 0x7f || c == '\\' || c == '{' || c == '}' || c == '<' || c == '>' || c == '[' || c == ']':
			return false // a sentence, path or expression
		case c != '_' && c != '-' && c != '.' && c != ':' && c != ',':
			signs++
		}
	}
	if digits == len(text) {
		return s.isNumber(text, v)
	}
	strong := lower > 0 && upper > 0 && digits > 0
	quoted := v.quoted || v.flag || s.config
	switch {
	case entropy(text) < 2.2 || example(text) || reference(text),
		brackets > 0 && (!strong || !v.quoted || len(text) < 12 && !v.direct || text[0] == '/' || text[len(text)-1] == ')'),
		lower+upper == 0 || digits+signs == 0 && !quoted || digits+signs == 0 && !irregular(text),
		odd > 1 || odd > 0 && escape.Match(text),
		foreign > 0 && (digits == 0 || !v.quoted && v.loose && !s.prose),
		text[0] == '.', !v.quoted && v.end < len(s.data) && s.data[v.end] == '(': // a CSS selector or a call
		return false
	}
	s.budget -= 8 * len(text)
	switch {
	case strong && random(text) && (len(text) > 8 || !v.loose):
		return true
	case v.loose && (len(text) < 8 || !strong && (digits < 2 || signs == 0)),
		lower == 0 && signs == 0 && !(v.sure && v.quoted && digits > 1 && bytes.IndexByte(text, '_') < 0), // a constant
		digits == 0 && bytes.IndexByte(text, '$') >= 0,                                                    // a variable
		digits == 0 && signs > 0 && (lower == 0 || upper == 0 || bytes.ContainsAny(text[:1], "#%@&*!") ||
			bytes.ContainsAny(text[len(text)-1:], "=?!*@:") || bytes.IndexByte(text, '@') >= 0 || !quoted),
		digits < 2 && signs == 0 && len(text) < 16 && !(v.sure && len(text) > 7) && // a name such as server1
			!(strong && (quoted || s.prose || v.loose) && (len(text) > 11 || bytes.ContainsAny(text, "_-."))) &&
			!(v.direct && v.quoted && !v.loose && !v.argument && strong &&
				(digitInWord.Match(text) || wordAndDigit.Match(text))) &&
			!(quoted && (v.flag || !v.loose) && inWords.Match(text) &&
				(v.sure || v.flag || bytes.IndexByte(text, '2') < 0)):
		return false
	case v.sure && v.direct && digits > 2 && lower+upper > 1 && len(text) > 7 && !weak.Match(text) &&
		!placeholderNumber.Match(text) && !technical.Match(text): // mostly digits, such as 6102tk88
		return true
	}
	return digits+signs == 0 || !isPlaceholder(text, s.config)
}

// isNumber reports whether text, which consists of digits, is a password, such as the factory's key of a router.
func (s *search) isNumber(text []byte, v value) bool {
	stated := s.text && bytes.IndexByte(s.data[v.name:max(v.name, v.start)], ':') > 0
	return v.direct && !v.argument && (v.sure || v.quoted && !v.loose || v.spoken || stated) &&
		len(text) > 7 && len(text) < 25 && entropy(text) >= 2.2 && !placeholderNumber.Match(text) &&
		(len(text) != 8 || !bytes.HasPrefix(text, []byte("20"))) // a date
}

func irregular(text []byte) bool {
	runs, big := 1, 0
	for i, c := range text {
		if c >= 'A' && c <= 'Z' {
			big++
		}
		if i > 0 && (c^text[i-1])&0x20 != 0 {
			runs++
		}
	}
	return len(text) >= 10 && big >= 3 && 5*runs >= 3*len(text)
}

func random(text []byte) bool {
	common := bigrams()
	rare, changes := 0, -2
	pairs := 1
	for i := 1; i < len(text); i++ {
		a, b := text[i-1], text[i]
		switch letterA, letterB := letter(a), letter(b); {
		case letterA && letterB:
			if a >= 'a' && b <= 'Z' {
				changes++
				continue
			}
			if pairs++; !common[a|0x20-'a'][b|0x20-'a'] {
				rare++
			}
		case letterA && b >= '0' && b <= '9', letterB && a >= '0' && a <= '9':
			changes++
		}
	}
	changes = max(0, changes)
	return rare+changes > 1 && 20*rare+10*changes >= 7*pairs
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// bigrams contains the frequent pairs of letters, such as "th".
var bigrams = sync.OnceValue(func() *[26][26]bool {
	var once, twice [26][26]bool
	for _, w := range tokenFormats().words {
		for i := 1; i < len(w); i++ {
			if a, b := w[i-1], w[i]; letter(a) && letter(b) {
				twice[a|0x20-'a'][b|0x20-'a'] = once[a|0x20-'a'][b|0x20-'a']
				once[a|0x20-'a'][b|0x20-'a'] = true
			}
		}
	}
	return &twice
})

var (
	yearAndSign       = lazily(`[!#$%&*+?@.](?:19|20)\d\d$|(?:19|20)\d\d[!#$%&*+?@]$`)
	placeholderNumber = lazily(`123|012|0102|111|000`)
	bigAndYear        = lazily(`^[A-Z]\S{5,}(?:19|20)\d\d$`)
	numberAndSign     = lazily(`\d[!#$%&*+?@]|[!#$%&*+?@]\d`)
	// technical matches names such as "sha256" and "utf-8", whose digits do not suggest a password.
	technical = lazily(`^[a-z_\d]+=|^pass:|(?i)utf-?(?:8|16)|sha-?(?:1|2|3|224|256|384|512)|md[45]|base(?:32|58|64)|oauth2?|http2?|` +
		`bcrypt|scrypt|argon2i?d?|pbkdf2|aes-?(?:128|256)?|rsa|x509|:\d{2}[\d.]*$|v\d+(?:\.\d+)*|rfc\d*|int(?:32|64)|i18n|l10n`)
	escape  = lazily(`\\[a-z0-9.+*?(]`)
	inWords = lazily(`^(?:[a-z]{4,}\d[a-z]{4,}|[A-Za-z][a-z]{2,}\d[A-Z][a-z]{2,})$`) // hund4katze, maple4River
	// digitInWord matches a digit between the letters of a word, such as S4ddleback.
	digitInWord  = lazily(`[A-Za-z][013-57-9][a-z]{2}`)
	wordAndDigit = lazily(`^[A-Z][A-Za-z]{5,}\d[a-z]?$`)
	// weak matches words of example passwords, such as "changeme".
	weak = lazily(`(?i)passw(?:or)?d|passphrase|p[a@4][s$5]{2}w[o0]rd|passcode|secret|credential|test(?:ing|er)?|fake|mock|foo|` +
		`bar|baz|qux|admin|root|user(?:name)?|login|abc(?:d(?:ef?)?)?|xyz|qwerty|letmein|demo|hello|world|hunter2|wrong|` +
		`invalid|valid|correct|incorrect|old|new|temp|my|pass|pwd|some|token|key|value|string|bad|good|default|the|db|postgres|mysql`)
)

// isPlaceholder reports whether text is an example of a password, such as test_password1.
func isPlaceholder(text []byte, config bool) bool {
	rest := technical.ReplaceAll(text, nil)
	if !bytes.ContainsAny(rest, "0123456789!#$%&*+=?^~|;@") {
		return true
	}
	rest = weak.ReplaceAll(rest, nil)
	upper, lower, _ := kinds(rest)
	year := yearAndSign.Match(rest) || bigAndYear.Match(text) || config && len(text) > 9 && numberAndSign.Match(rest) &&
		!placeholderNumber.Match(rest)
	return upper+lower < 4 && !year
}

var (
	// numbered matches words followed by a number, such as "maple river 42".
	numbered = lazily(`^[A-Za-z\d]{3,12}(?: [A-Za-z\d]{3,12}){1,4} \d{1,4}$`)
	// passphrase matches several words at the start of a line.
	passphrase = lazily(`^["'` + "`" + `*]{0,3}([a-z]{1,12}(?: (?:[a-z]{1,12}|\d{1,4})){2,7})(?:["'` + "`" + `*.]|\s*$)`)
	// phrases matches text of several words.
	phrases = lazily(`^[a-z]{1,12}(?: (?:[a-z]{1,12}|\d{1,4})){2,7}$`)
	// sentences matches words that are rare in passphrases, such as "the".
	sentences = lazily(`\b(?:the|and|for|with|you\w*|our|this|that|not|are|was|has|have|can|may|must|will|when|which|` +
		`use\w*|please|pass\w*|key|text|name|log|login|account|new|old|wrong|\w*valid|error|field|form|value|words?|phrase|` +
		`other|some|should|from|into|than|only|long|confirm|repeat|type|forgot|reset|change|secret|token|\w+(?:ed|ing)|` +
		`muss|sein|das|der|die|den|und|mit|ist|bitte|ein\w*|wird|oder|nicht)\b`)
	// labels matches parts of labels, such as "pass" in "Confirm password".
	labels = lazily(`(?i)pass|pwd|kenn|woo?r[dt]|wacht|code|kode|geheim|secre|senha|clave|contras|hesl|hasł|haslo|salasana|l[öo]sen|` +
		`parol|lozin|tajn|slapt|jelsz|[şs]ifre|token|key|cred|login|user|admin|guest|root|test|example|dummy|demo|default|chang|` +
		`secur|hidden|mask|crypt|hash|salt|plain|text|string|none|null|empty|blank|valid|requir|option|enter|same|your|field|value|` +
		`current|confirm|repeat|forgot|missing|unknown|disabl|enabl|invalid|wrong|correct|(?:ed|ing|able|tion|ment|ive)$`)
	fileName = lazily(`(?i)\.(?:ya?ml|txt|json\w?|conf|cfg|ini|key|pem|crt|cert?|sh|ps1|py|js|ts|go|rb|php|xml|md|html?|env|enc|gpg|db|p12|jks)$`)
	// connects matches a setting of a connection, such as "host:".
	connects    = lazily(`(?im)^[ \t-]*["']?\w{0,20}(?:host(?:name)?|port|server|database|adapter|driver|ssid|dsn)["']?\s*[:=]`)
	textEndings = lazily(`\.(?:json\w?|xml|properties|plist|txt|log|csv|sql)$`)
)

// isWords reports whether v is a password of several words, such as maple-river, and not a label or an identifier.
func (s *search) isWords(text []byte, v value) bool {
	linked := v.argument && !v.called
	after := bytes.TrimLeft(lineFrom(s.data, v.end, maxName), " \t\r")
	stated := s.text && v.direct && !v.argument && !v.quoted
	if len(text) < 8 || len(text) > 40 || v.loose && !stated || linked && (!v.sure || s.config) ||
		!v.quoted && !v.flag && !stated && (!s.config || v.spaced && len(after) > 0 && wordByte(after[0])) ||
		(linked || !v.quoted) && s.inComment(v.name) || v.spoken && !s.text {
		return false
	}
	words, terms, capitals, signs := 0, 0, 0, 0
	for i := 0; i < len(text); i++ {
		from := i
		for i < len(text) && (letter(text[i]) && (i == from || text[i] > 'Z' || text[i-1] <= 'Z') || text[i] >= 0xc3) {
			i++
		}
		part := bytes.ToLower(text[from:i])
		switch {
		case len(part) < 3 || len(part) == 3 && isTechnical(part):
		case isTechnical(part):
			terms++
		default:
			words++
		}
		if i > from && text[from] <= 'Z' {
			capitals++
		}
		if i < len(text) && !letter(text[i]) {
			if text[i] >= '0' && text[i] <= '9' {
				continue
			}
			if bytes.IndexByte([]byte("_-.!#$%&*+?^~=@,'"), text[i]) < 0 {
				return false
			}
			signs++
		} else if i < len(text) {
			i--
		}
	}
	last := text[len(text)-1]
	switch {
	case words == 0, terms > 1, terms > 0 && (words < 2 || capitals == 0), capitals > words+terms,
		signs == 0 && words == 1 && (capitals > 1 || hasStopWord(text)),
		bytes.ContainsAny(text, "0123456789") && isPlaceholder(text, s.config),
		stated && (signs == 0 || words < 2), s.prose && !v.sure && capitals == 0,
		v.flag && !v.quoted && words < 2 && signs == 0, // --password database
		!bytes.ContainsFunc(text, unicode.IsLower):     // a constant such as MAX_RETRIES
		return false
	}
	return bytes.IndexByte([]byte(".@$"), text[0]) < 0 && last != '-' && last != '_' &&
		!labels.Match(text) && !fileName.Match(text) && !example(text) && !reference(text)
}

// passphraseAt adds v to the findings if it is a passphrase of several words, and not an error message.
func (s *search) passphraseAt(start, end int, v value) bool {
	name := bytes.ToLower(s.data[start:end])
	phrase := bytes.HasSuffix(name, []byte("phrase")) || bytes.HasSuffix(name, []byte("psk"))
	m := passphrase.FindSubmatchIndex(lineFrom(s.data, v.start, 100))
	if m == nil || v.loose || !phrase && !v.quoted || !v.quoted && !s.config {
		return false
	}
	text := s.data[v.start : v.start+m[3]]
	if v.quoted && !phrase && v.start+m[3] != v.end {
		return false
	}
	login := connects.Match(s.data[max(0, v.start-250):min(len(s.data), v.start+250)])
	if !phrase && !login && (bytes.Count(text, []byte(" ")) < 3 ||
		textEndings.MatchString(s.key) && !bytes.ContainsAny(text, "0123456789")) ||
		(!login || labels.Match(text)) && sentences.Match(text) {
		return false
	}
	s.add(rulePassword, "password", v.start, v.start+m[3])
	return true
}

func (s *search) isToken(text []byte, v value) bool {
	text = bytes.TrimRight(text, "=")
	least := 16
	if !v.quoted {
		least = 20
	}
	if len(text) < least || len(text) > maxValue || !mixed(text) {
		return false
	}
	var dots, other, signs, brackets int
	hex := true
	upper, lower, digits := kinds(text)
	for _, c := range text {
		switch {
		case letter(c):
			hex = hex && c|0x20 <= 'f'
		case c >= '0' && c <= '9':
		case c == '.':
			dots++
		case c == '_' || c == '-' || c == '+' || c == '/' || c == '=' || c == '~':
			hex = hex && c == '-'
			other++
		case v.quoted && bytes.IndexByte([]byte("!@#$%^&*?:,;|"), c) >= 0:
			hex = false
			other++
			if c != ':' && c != ',' {
				signs++
			}
		case v.quoted && (c == '(' || c == ')'):
			brackets++
		default:
			return false
		}
	}
	// Django's secret keys may contain parentheses.
	generated := len(text) >= 32 && signs > 0 && other+brackets > 4 && !bytes.HasPrefix(text, []byte("$("))
	switch {
	case digits < 2 || dots > 3 || !generated && (brackets > 0 || other > len(text)/3) || 2*(other+brackets) > len(text):
		return false
	case !v.quoted && !s.config && !s.text && (v.spaced && (len(text) < 32 || digits < 4) || upper == 0 && !hex ||
		lower == 0 && !hex || other > 2 || dots > 0):
		return false // an expression
	}
	floor := 3.5
	if hex || len(text) < 24 {
		floor = 3.1
	}
	return entropy(text) > floor && !example(text) && (generated || !reference(text)) &&
		(generated && signs > 3 || !hasStopWord(text))
}

func mixed(text []byte) bool {
	upper, lower, digits := kinds(text)
	return upper+lower > 0 && digits > 0
}

func entropy(text []byte) float64 {
	var count [256]int
	for _, c := range text {
		count[c]++
	}
	sum := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(text))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

var examples = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:` + strings.Join(tokenFormats().placeholders, `)|(?:`) + `)`)
})

var exampleWords = []string{"example", "xxxx", "your", "changeme", "change_me", "change-me", "placeholder", "dummy",
	"sample", "redacted", "insert", "replace", "....", "****", "0123456789", "1234567890", "abcdefgh",
	strings.TrimSpace(markOpen)}

func example(text []byte) bool {
	if hasWord(text, exampleWords) {
		return true
	}
	run := 1
	for i := 1; i < len(text); i++ {
		if text[i] != text[i-1] {
			run = 1
		} else if run++; run == 7 && (len(text) < 60 || text[i] != 'A') {
			return true
		}
	}
	return len(text) < 64 && bytes.IndexByte([]byte("$%{@/"), text[0]) >= 0 && examples().Match(text)
}

var (
	referenceWords = strings.Fields(`ENC[ {cipher} arn: vault: op:// urn: magnet: data: sha256 sha512 sha1- sha384`)
	referenceSigns = strings.Fields(`${ $( {{ ://`)
)

// reference reports whether a value is code, such as a variable or a call, and so contains no secret.
func reference(text []byte) bool {
	return bytes.Count(text, []byte("|")) > 1 || // required|string|min:10
		slices.ContainsFunc(referenceWords, func(w string) bool { return bytes.HasPrefix(text, []byte(w)) }) ||
		slices.ContainsFunc(referenceSigns, func(w string) bool { return bytes.Contains(text, []byte(w)) })
}

func hasWord(text []byte, words []string) bool {
	folded := bytes.ToLower(text)
	return slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(folded, []byte(w)) })
}

// stops is a Bloom filter of the first four bytes of each stop word (16 Kbit).
var stops = sync.OnceValue(func() *[256]uint64 {
	var filter [256]uint64
	for _, w := range tokenFormats().words {
		h := hash4([]byte(w))
		filter[h>>6] |= 1 << (h & 63)
	}
	return &filter
})

func hash4(b []byte) uint32 { return binary.LittleEndian.Uint32(b) * 2654435761 >> 18 }

func hasStopWord(text []byte) bool {
	filter, words := stops(), tokenFormats().words
	folded := bytes.ToLower(text)
	for i := 0; i+4 <= len(folded); i++ {
		if h := hash4(folded[i:]); filter[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		rest := string(folded[i:min(len(folded), i+40)])
		n, found := slices.BinarySearch(words, rest)
		if found {
			return true
		}
		for n--; n >= 0 && words[n][:4] == rest[:4]; n-- {
			if strings.HasPrefix(rest, words[n]) {
				return true
			}
		}
	}
	return false
}

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}
