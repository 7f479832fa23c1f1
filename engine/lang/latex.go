package lang

var _ = add(Language{Name: "latex",
	Extensions: "tex sty bib",
	Layout: &Layout{Comments: []string{"%"},
		Members: members("", `\\label\{([^}]+)\}`),
		Defs: append(places(`^\s*\\(?:part|chapter|section|subsection|subsubsection)\*?\{([^}]*)\}`),
			symbols(`^\s*\\def\\(\w+)`, `^\s*\\(?:re)?newenvironment\*?\{([^}]+)\}`,
				`^\s*\\DeclareMathOperator\*?\{?\\(\w+)`, `^\s*\\(?:re|provide)?newcommand\*?\{?\\(\w+)`)...)},
})
