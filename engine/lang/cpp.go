package lang

var _ = add(Language{Name: "cpp",
	Extensions: "cc cpp cxx c++ hh hpp hxx h++ ipp tpp inl cu cuh ino",
	Also:       "c++",
	Family:     "c",
	Sight:      Included,
	Bare:       true,
	TypeBefore: true,
	Comments:   Comments{Lines: slashes, Blocks: starred},
	Rules: cRules.with(rules{
		"namespace_definition":                        scope(elsewhere(parted("::"))), // it is opened in many files
		"template_declaration":                        shell,
		"class_specifier":                             scope(withBody(typeName)),
		"field_declaration_list":                      within,
		"field_declaration":                           valueWithin(declared),
		"alias_declaration concept_definition":        value(named),
		"namespace_alias_definition":                  value(named),
		"preproc_include preproc_call":                header,
		"attribute_declaration":                       attribute,
		"access_specifier":                            attribute,
		"using_declaration static_assert_declaration": {},
	}),
	Prepare: withoutMacros,
	Retry:   branches,
})
