package symbol

import (
	"regexp"
	"slices"
	"strings"
)

// Heads are the names of the types that a type as it is written may be: without pointers, wrappers and what else holds
// one value, each with its qualifiers joined by dots. A type that holds many values has none.
func Heads(text, language string) []string {
	var out []string
	for _, alternative := range alternatives(text, language) {
		name, args := named(alternative, language)
		switch {
		case name == "":
		case transparent[last(name)] && len(args) > 0:
			out = append(out, Heads(args[0], language)...)
		case holders[last(name)] && (len(args) > 0 || language == "go"):
		default:
			out = append(out, name)
		}
	}
	return out
}

// Element is the type as it is written of what a collection holds, "" if a type is none.
func Element(text, language string) string {
	for _, alternative := range alternatives(text, language) {
		s := strings.TrimSpace(alternative)
		switch {
		case strings.HasSuffix(s, "[]"):
			return strings.Trim(strings.TrimSuffix(s, "[]"), "() ")
		case strings.HasPrefix(s, "["), strings.HasPrefix(s, "map["), strings.HasPrefix(s, "..."),
			strings.HasPrefix(s, "chan "),
			strings.HasPrefix(s, "<-chan "), strings.HasPrefix(s, "chan<- "):
			s = strings.TrimPrefix(strings.TrimPrefix(s, "map"), "...")
			s = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(s, "<-"), "chan"), "<-")
			if strings.HasPrefix(s, "[") {
				end := strings.IndexByte(s, ']')
				if inner := s[1:max(end, 1)]; language == "swift" || language == "rust" { // [T], [K: V], [T; 4]
					inner, _, _ = strings.Cut(inner, ";")
					return strings.TrimSpace(inner[strings.LastIndexByte(inner, ':')+1:])
				}
				s = s[end+1:]
			}
			return strings.TrimSpace(s)
		}
		name, args := named(s, language)
		switch {
		case transparent[last(name)] && len(args) > 0:
			return Element(args[0], language)
		case len(args) > 0 && (holders[last(name)] || language != "go"):
			return args[len(args)-1]
		case language == "c" || language == "cpp":
			if strings.Contains(s, "*") || name != "" {
				return s
			}
		}
	}
	return ""
}

// transparent are types that stand for the one that they hold.
var transparent = wordSet(`Optional Option Arc Rc Box Promise Readonly Ref RefCell Mutex RwLock Cell Cow Pin Weak
	ClassVar Final Annotated shared_ptr unique_ptr weak_ptr optional Awaitable Future Partial Required NonNullable Result
	Lazy NotNull Coroutine Deferred MutexGuard RwLockReadGuard RwLockWriteGuard OnceCell OnceLock Exclude Extract Pick
	Omit NonNull ReadonlyDeep Task Type type Self scoped_refptr PromiseLike AsyncGenerator NoInfer`)

// holders are types that hold many values.
var holders = wordSet(`Vec VecDeque List Array ReadonlyArray Set Map HashMap HashSet BTreeMap BTreeSet LinkedList
	ArrayList Collection Iterable Iterator IEnumerable IList IReadOnlyList Dictionary IDictionary Sequence
	MutableSequence Mapping MutableMapping Dict list dict set tuple Tuple frozenset deque vector map unordered_map set
	unordered_set array deque MutableList MutableMap MutableSet Seq Queue Deque Stack WeakMap WeakSet Record Generator
	AsyncIterator AsyncIterable SmallVec Slab IndexMap ConcurrentMap ConcurrentHashMap LinkedHashMap TreeMap EnumMap span
	initializer_list`)

// Holds reports whether a type as it is written holds many values.
func Holds(text, language string) bool {
	s := strings.TrimSpace(text)
	if strings.HasSuffix(s, "[]") || strings.HasPrefix(s, "[") || strings.HasPrefix(s, "map[") {
		return true
	}
	name, args := named(s, language)
	if transparent[last(name)] && len(args) > 0 {
		return Holds(args[0], language)
	}
	return holders[last(name)] && len(args) > 0
}

func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// alternatives are the parts of a union, without what stands for no value.
func alternatives(text, language string) []string {
	text = strings.TrimSpace(text)
	if language == "go" || family(language) == "c" || language == "rust" {
		return []string{text}
	}
	text = strings.Trim(text, `"' `)
	var out []string
	for _, p := range SplitType(text, "|&") {
		p = strings.TrimSpace(p)
		for strings.HasPrefix(p, "(") && strings.HasSuffix(p, ")") && !strings.Contains(p, "=>") {
			p = strings.TrimSpace(p[1 : len(p)-1])
			if parts := SplitType(p, "|&"); len(parts) > 1 {
				out = append(out, alternatives(p, language)...)
				p = ""
			}
		}
		switch p {
		case "", "null", "undefined", "None", "void", "never", "any", "unknown":
			continue
		}
		out = append(out, p)
	}
	return out
}

// SplitType splits at signs that stand in no brackets.
func SplitType(text, signs string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '<', '(', '[', '{':
			depth++
		case '>':
			if i == 0 || text[i-1] != '=' && text[i-1] != '-' {
				depth--
			}
		case ')', ']', '}':
			depth--
		default:
			if depth == 0 && strings.IndexByte(signs, c) >= 0 {
				out = append(out, text[from:i])
				from = i + 1
			}
		}
	}
	return append(out, text[from:])
}

// typeModifiers stand before a type's name.
var typeModifiers = wordSet(`const volatile struct class enum union mut dyn impl readonly final unsigned signed
	typename static keyof typeof ref in out params inline extern constexpr virtual explicit friend register mutable async
	public private protected internal override abstract sealed suspend vararg some any inout unique lateinit restrict
	__restrict unsafe where`)

// named takes a type apart: its name, qualifiers joined by dots, and its arguments.
func named(text, language string) (name string, args []string) {
	s := strings.TrimSpace(text)
	if language == "go" && goUnnamed.MatchString(s) {
		return "", nil
	}
	if strings.HasSuffix(s, "[]") || strings.HasPrefix(s, "[") || strings.HasPrefix(s, "{") || strings.HasPrefix(s,
		"(") && language != "go" {
		return "", nil
	}
	if language == "go" && strings.HasPrefix(s, "(") { // several results: the first
		s = strings.TrimSuffix(strings.TrimPrefix(s, "("), ")")
		s = strings.TrimSpace(SplitType(s, ",")[0])
		if n, t, ok := strings.Cut(s, " "); ok && !strings.ContainsAny(n, "*.[(") {
			s = strings.TrimSpace(t)
		}
		return named(s, language)
	}
	for {
		before := s
		s = strings.TrimLeft(s, "*&?! \t\n@'\"")
		if strings.HasPrefix(text, "&'") || strings.HasPrefix(before, "'") ||
			language == "rust" && strings.HasPrefix(before, "&") {
			// a lifetime
			if w, rest, ok := strings.Cut(s, " "); ok && !strings.ContainsAny(w, "<:(") && (strings.HasPrefix(before, "&'") ||
				strings.HasPrefix(before, "'")) {
				s = rest
			}
		}
		if w, rest, ok := strings.Cut(s, " "); ok && typeModifiers[w] {
			s = rest
		}
		if s == before {
			break
		}
	}
	name = qualifiedName.FindString(s)
	rest := s[len(name):]
	name = strings.Trim(strings.NewReplacer("::", ".", `\`, ".").Replace(name), ".")
	if len(rest) > 0 && (rest[0] == '<' || rest[0] == '[') {
		end := closed(rest, "<>[](){}")
		if end > 1 {
			for _, a := range SplitType(rest[1:end], ",") {
				args = append(args, strings.TrimSpace(a))
			}
			if tail := strings.TrimSpace(rest[end+1:]); strings.HasPrefix(tail, "[]") {
				return "", nil
			}
		} else if rest[0] == '[' { // C's and Java's arrays
			return name, nil
		}
	}
	return name, args
}

// Result is one of several results of a function as its type is written: (a int, err error), (T, error).
func Result(text string, index int, language string) string {
	s := strings.TrimSpace(text)
	if language == "go" {
		if !strings.HasPrefix(s, "(") {
			if index == 0 {
				return s
			}
			return ""
		}
		parts := SplitType(s[1:len(s)-1], ",")
		if index >= len(parts) {
			return ""
		}
		for _, p := range parts[index:] { // "a, b int": the type stands behind the last
			words := strings.SplitN(strings.TrimSpace(p), " ", 2)
			if len(words) == 2 && words[0] != "chan" && words[0] != "func" && !strings.HasPrefix(words[0], "map[") &&
				!strings.HasPrefix(words[0], "*") {
				return words[1]
			}
		}
		return strings.TrimSpace(parts[index])
	}
	for _, open := range []string{"(", "[", "tuple[", "Tuple["} {
		if rest, ok := strings.CutPrefix(s, open); ok && len(rest) > 0 {
			if parts := SplitType(rest[:len(rest)-1], ","); index < len(parts) {
				return strings.TrimSpace(parts[index])
			}
		}
	}
	if index == 0 {
		return s
	}
	return ""
}

// Parameter is the type of a parameter as a list of them is written: "(a: Foo, b?: Bar)".
func Parameter(list string, index int) string {
	list = strings.TrimSpace(list)
	if i := closed(list, "()[]{}"); i > 0 && list[0] == '(' {
		list = list[1:i]
	}
	parts := SplitType(list, ",")
	if index >= len(parts) {
		return ""
	}
	p := parts[index]
	if at := SplitType(p, ":"); len(at) > 1 {
		p = strings.Join(at[1:], ":")
		p, _, _ = strings.Cut(p, " = ")
		return strings.TrimSpace(p)
	}
	return ""
}

var (
	goUnnamed     = regexp.MustCompile(`^(?:\[|map\[|chan |func\(|\.\.\.|<-|struct\{|interface\{)`)
	qualifiedName = regexp.MustCompile(`^(?:[\w$.\\]|[^\x00-\x7f]|::)*`)
	goEmbedded    = regexp.MustCompile(
		"(?m)^\\s*\\*?((?:\\w+\\.)?[A-Za-z_]\\w*)(?:\\[[^\\]\\n]*\\])?\\s*(?:`[^`]*`)?\\s*(?://.*)?$")
	goParameters = regexp.MustCompile(`^\[\w+(?:, ?\w+)* [^\]]`)
	included     = regexp.MustCompile(`(?m)^\s*(?:include|extend|prepend|use)\s+([\w:\\]+(?:\s*,\s*[\w:\\]+)*)`)
	typeName     = regexp.MustCompile(`[A-Za-z_$][\w$]*(?:(?:\.|::|\\)[A-Za-z_$][\w$]*)*`)
	noBase       = wordSet(`extends implements with public private protected virtual final struct class interface type
		where is new abstract internal by object metaclass enum string number boolean int sealed permits readonly keyof
		typeof any unknown never null undefined void override open for impl trait const`)
)

// bases reads the types behind a type's name: "extends A implements B", "(A, B)", ": public A", "= A | B".
func bases(text, language string) []string {
	head := text
	cut := "{"
	switch {
	case language == "python":
		cut = ":"
		if !strings.HasPrefix(strings.TrimSpace(text), "(") && !strings.HasPrefix(strings.TrimSpace(text), "=") {
			return nil
		}
	case language == "ruby":
		cut = "\n"
	case language == "go":
		return goBases(text)
	}
	var out []string
	if language == "ruby" || language == "php" {
		for _, m := range included.FindAllStringSubmatch(text, 20) {
			for one := range strings.SplitSeq(m[1], ",") {
				out = append(out, strings.TrimSpace(one))
			}
		}
	}
	head = strings.TrimLeft(skipBrackets(head, "<>"), " \t\r\n")
	if family(language) == "java" && strings.HasPrefix(head, "(") { // a primary constructor
		head = strings.TrimSpace(skipBrackets(head, "()"))
	}
	alias := strings.HasPrefix(head, "=") && !strings.HasPrefix(head, "==")
	if alias {
		head = head[1:]
		if i := strings.Index(head, ";"); i >= 0 {
			head = head[:i]
		}
		if i := strings.Index(head, "\n\n"); i >= 0 {
			head = head[:i]
		}
	} else if i := strings.Index(head, cut); i >= 0 {
		if language == "python" {
			i = closed(head, "()[]")
		}
		head = head[:max(i, 0)]
	}
	head = head[:min(len(head), 2000)]
	if language == "c" {
		return nil
	}
	depth := 0
	flat := []byte(head)
	for i := range flat { // without what stands in brackets
		c := flat[i]
		opens := c == '<' || c == '{' || c == '[' || c == '(' && language != "python" && !alias
		closes := (c == '>' && (i == 0 || head[i-1] != '=')) || c == '}' || c == ']' ||
			c == ')' && language != "python" && !alias
		if opens {
			depth++
		}
		if depth > 0 {
			flat[i] = ' '
		}
		if closes && depth > 0 {
			depth--
		}
	}
	for _, name := range typeName.FindAllString(string(flat), 60) {
		name = strings.ReplaceAll(strings.ReplaceAll(name, "::", "."), `\`, ".")
		if !noBase[name] && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	if language == "python" && strings.Contains(head, "=") { // keyword arguments
		out = slices.DeleteFunc(out, func(s string) bool { return strings.Contains(head, s+"=") })
	}
	if alias { // Omit<Foo, 'a'>, Partial<Foo>: about their arguments
		for _, p := range SplitType(head, "|&") {
			for _, h := range Heads(p, language) {
				if !slices.Contains(out, h) {
					out = append(out, h)
				}
			}
		}
	}
	return out
}

// closed is where a bracket that a text begins with is closed, -1 if it is not. kinds has the brackets that count, in
// pairs; arrows close none.
func closed(text, kinds string) int {
	depth := 0
	for i := range len(text) {
		switch k := strings.IndexByte(kinds, text[i]); {
		case k < 0, text[i] == '>' && i > 0 && (text[i-1] == '=' || text[i-1] == '-'):
		case k%2 == 0:
			depth++
		default:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// skipBrackets is what stands behind brackets that a text begins with; the text if it does not.
func skipBrackets(text, kinds string) string {
	s := strings.TrimLeft(text, " \t")
	if s != "" && s[0] == kinds[0] {
		return s[closed(s, kinds)+1:]
	}
	return text
}

// goBases are the types that a struct or interface embeds, or that a name stands for.
func goBases(text string) []string {
	head := strings.TrimLeft(text, " \t=")
	if goParameters.MatchString(head) {
		head = strings.TrimLeft(skipBrackets(head, "[]"), " \t=")
	}
	if !strings.HasPrefix(head, "struct") && !strings.HasPrefix(head, "interface") {
		line, _, _ := strings.Cut(head, "\n")
		if name, _ := named(line, "go"); name != "" {
			return []string{name}
		}
		return nil
	}
	_, body, ok := strings.Cut(head, "{")
	if !ok {
		return nil
	}
	var out []string
	depth := 0
	if first, _, ok := strings.Cut(body, "}"); ok && !strings.Contains(first, "\n") { // on one line
		body = strings.ReplaceAll(first, ";", "\n")
	}
	for line := range strings.Lines(body) {
		if depth == 0 {
			if m := goEmbedded.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
				out = append(out, m[1])
			}
		}
		depth += strings.Count(line, "{") + strings.Count(line, "(") - strings.Count(line, "}") - strings.Count(line, ")")
		if depth < 0 {
			break
		}
	}
	return out
}
