package lang

var _ = add(Language{Name: "glsl",
	Extensions: "glsl vert frag geom comp hlsl wgsl",
	Layout: &Layout{Comments: slashes, Open: "/*", Close: "*/", Header: re(`^#\s*(?:version|extension|include)`),
		Defs: Fallback.Defs},
})
