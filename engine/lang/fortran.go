package lang

var _ = add(Language{Name: "fortran",
	Extensions: "f f90 f95 f03 f08 for",
	Fold:       true,
	Layout: &Layout{Comments: []string{"!"}, Header: re(`(?i)^\s*(?:use|implicit)\b`),
		Defs: symbols(
			`(?i)^\s*(?:(?:pure|elemental|recursive|integer|real|logical|character|double precision|type)\S*\s+)*(?:subroutine|function|module|program)\s+(\w+)`, `(?i)^\s*type\b\s*(?:,[^:]*)?(?:::)?\s*(\w+)\s*$`, `(?i)^\s*(?:abstract\s+)?interface\s+(\w+)\s*$`)},
})
