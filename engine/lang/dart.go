package lang

import "slices"

var _ = add(Language{Name: "dart",
	Extensions: "dart",
	Bare:       true,
	Type:       TypeBefore,
	Layout: &Layout{Comments: slashes, Open: "/*", Close: "*/", Header: re(`^(?:import|export|library|part)\s`),
		Attribute: re(`^\s*@\w+(?:\(.*\))?\s*$`),
		Members: slices.Concat(
			members(`^\s*enum\s+\w+[^{]*\{?`, `(?:^\s*|[{,]\s*)([a-z_]\w*)`),
			members(`^\s*(?:\w+\s+)*class\b`,
				`^\s*(?:static\s+|late\s+|final\s+|const\s+|external\s+)*[A-Za-z_]\w*(?:<[^;=]*>)?\??\s+(\w+)\s*(?:=[^=>]|;)`),
			members(`^\s*(?:abstract\s+|sealed\s+|base\s+|final\s+)*(?:class|mixin|extension|enum)\b[^{]*\{?`,
				`(?:^|[;}])\s*(?:const\s+|factory\s+|external\s+)*[A-Z]\w*\.(\w+)\s*\(`,
				`(?:^|[;}])\s*(?:[\w<>?]+\s+)?([a-z]\w*)\s*\([^;]*?\)\s*(?:=>|\{)`)),
		Defs: symbols(modifiers+`(?:[\w<>?,\[\] ]+\s)?(?:get|set)\s+(\w+)\s*(?:=>|\{|\(|async)`,
			modifiers+`(?:base\s+|interface\s+)*(?:mixin\s+)?(?:class|mixin|enum|extension(?:\s+type)?|typedef)\s+(?:class\s+)?(\w+)`,
			modifiers+`(?:[\w<>?,\[\] ]+\s)?(?:get\s+|set\s+)?([A-Za-z_]\w*)\s*\([^;]*\)\s*(?:async\*?\s*)?(?:\{|=>)`,
			modifiers+`(?:var|final|const|[A-Z]\w*(?:<[^=]*>)?\??)\s+(\w+)\s*=`)},
})
