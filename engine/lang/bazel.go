package lang

var _ = add(Language{Name: "bazel",
	Extensions: "bzl bazel star",
	Files:      "build workspace module.bazel build.bazel workspace.bazel",
	Layout:     &Layout{Comments: hash, Header: re(`^load\(`), Members: members("", `\bname\s*=\s*"([^"]+)"`), Defs: symbols(`^def\s+(\w+)`, `^([A-Z_]\w*)\s*=`)},
})
