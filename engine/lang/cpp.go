package lang

var _ = add(Language{Name: "cpp",
	Extensions: "cc cpp cxx c++ hh hpp hxx h++ ipp tpp inl cu cuh ino",
	Also:       "c++",
	Family:     "c",
	Sight:      Included,
	Bare:       true,
	TypeBefore: true,
	Comments:   Comments{Lines: slashes, Blocks: starred},
})
