package lang

var _ = add(Language{Name: "cython",
	Imports:    ImportFrom,
	Extensions: "pyx pxd pxi",
	Family:     "python",
	Sight:      Named,
	Layout: &Layout{Comments: hash, Header: re(`^(?:from|import|cimport)\s`), Attribute: re(`^\s*@\w`),
		Defs: symbols(`^\s*(?:cdef|cpdef|ctypedef)?\s*(?:class|struct|enum|union)\s+(\w+)`,
			`^\s*(?:async\s+)?def\s+(\w+)`, `^\s*(?:cdef|cpdef)\s+(?:[\w.*\[\]]+\s+)*?\*?(\w+)\s*\(`)},
})
