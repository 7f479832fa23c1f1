package lang

var _ = add(Language{Name: "bash",
	Extensions: "sh bash zsh ksh bats zsh-theme command",
	Files:      ".bashrc .bash_profile .bash_aliases .profile .zshrc .zprofile .zshenv pkgbuild",
	Programs:   "sh bash dash zsh ksh ash bats",
	Also:       "shell shellscript shell-script sh zsh compdef autoload",
	Comments:   Comments{Lines: hash},
})
