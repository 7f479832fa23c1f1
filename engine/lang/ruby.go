package lang

var _ = add(Language{Name: "ruby",
	Extensions: "rb rake gemspec ru podspec jbuilder",
	Files:      "gemfile rakefile podfile vagrantfile brewfile fastfile guardfile capfile",
	Programs:   "ruby",
	Marked:     true,
	Bare:       true,
	Comments:   Comments{Lines: hash, Blocks: []Enclosed{{"=begin", "=end"}}},
})
