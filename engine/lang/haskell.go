package lang

import "slices"

var _ = add(Language{Name: "haskell",
	Extensions: "hs lhs hsc",
	Programs:   "runhaskell runghc",
	Signs:      "'",
	Comments:   Comments{Lines: dashes, Blocks: []Enclosed{{"{-", "-}"}}},
	Layout: &Layout{Comments: []string{"--"}, Open: "{-", Close: "-}",
		Header:    re(`^(?:import\b|\{-#\s*(?i:LANGUAGE|OPTIONS)|#\s*include)`),
		Attribute: re(`^[a-z_][\w']*(?:\s*,\s*[a-z_][\w']*)*\s*::`),
		Behind:    re(`^(?:\{-#|#\s*(?:if|ifdef|ifndef|else|elif|endif|define|undef)\b|#-\}|-- \^)`),
		Defs: append(symbols(`^(?:data|newtype|type)(?:\s+(?:family|instance))?\s+(?:[^=]*=>\s*)?([A-Z][\w']*)`,
			`^class\s+(?:[^=]*=>\s*)?([A-Z][\w']*)`,
			`^\(([^\s()\w]+)\)\s*::`,
			`^pattern\s+([A-Z][\w']*)`, `^foreign\s+import\s.*?([a-z_][\w']*)\s*::`,
			`^([a-z_][\w']*)(?:\s*,\s*[a-z_][\w']*)*\s*::`, `^([a-z_][\w']*)(?:\s[^:=|]*)?(?:=|\||$)`),
			places(`^(?:deriving\s+)?instance\s+(?:[^=]*=>\s*)?([A-Z].*?)(?:\s+where\b.*)?$`)...),
		Members: slices.Concat(
			members(`^class\b`, `^\s+([a-z_][\w']*)(?:\s*,\s*[a-z_][\w']*)*\s*::`, `^\s+\(([^\s()\w]+)\)\s*::`),
			members(`^(?:data|newtype)\b`, `[=|]\s*(?:forall[^.]*\.\s*)?([A-Z][\w']*)`, `^\s+([A-Z][\w']*)\s*::`),
			members(`^(?:data|newtype)\b|^\s*[=|]?\s*[A-Z][\w']*\s*\{?\s*$`,
				`[{,]\s*([a-z_][\w']*)(?:\s*,\s*[a-z_][\w']*)*\s*::`, `^\s+([a-z_][\w']*)\s*::`)),
		Reserved: []string{"module", "import", "data", "newtype", "type", "class", "instance", "deriving", "infix", "infixl",
			"infixr", "foreign", "default", "where", "pattern"}},
})
