package lang

import (
	"strings"
)

var _ = add(Language{Name: "bash",
	Variable:   "variable_name",
	Word:       "word",
	Extensions: "sh bash zsh ksh bats zsh-theme command",
	Files:      ".bashrc .bash_profile .bash_aliases .profile .zshrc .zprofile .zshenv pkgbuild",
	Programs:   "sh bash dash zsh ksh ash bats",
	Also:       "shell shellscript shell-script sh zsh compdef autoload",
	Comments:   Comments{Lines: hash},
	Rules: rules{
		"comment":             comment,
		"function_definition": nest(named),
		"compound_statement":  deep,
		"if_statement":        deep,
		"elif_clause":         deep,
		"else_clause":         deep,
		"case_statement":      deep,
		"case_item":           deep,
		"declaration_command": within,
		"variable_assignment": value(named),
	},
	// The grammar takes an escaped expansion in a string for eval, "\${#${a}[@]}", for a real one and can't parse the
	// following text.
	Prepare: func(text string) string { return strings.ReplaceAll(text, `\$`, `__`) },
})
