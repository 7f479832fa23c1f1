package lang

import "slices"

var _ = add(Language{Name: "thrift",
	Extensions: "thrift",
	Layout: &Layout{Comments: []string{"//", "#"}, Open: "/*", Close: "*/", Header: re(`^(?:namespace|include)\b`),
		Members: slices.Concat(members(`^\s*service\b[^{]*\{?`, `^\s*(?:oneway\s+)?[\w.<>, ]+\s+(\w+)\s*\(`),
			members(`^\s*enum\b[^{]*\{?`, `(?:^\s*|[{,;]\s*)([A-Za-z_]\w*)\s*(?:=|$)`, `(?:^\s*|[{,;]\s*)([A-Za-z_]\w*)\s*,`),
			members(`^\s*(?:struct|union|exception)\b[^{]*\{?`,
				`\d+\s*:\s*(?:required\s+|optional\s+)?[\w.<>, ]+?\s+(\w+)\s*(?:[=;,}(]|$)`)),
		Defs: symbols(`^\s*(?:struct|service|enum|exception|union|typedef\s+\S+|const\s+\S+)\s+(\w+)`)},
})
