package lang

var _ = add(Language{Name: "json",
	Extensions: "json jsonc json5 jsonl ndjson geojson ipynb webmanifest",
	Files:      ".babelrc .eslintrc .prettierrc composer.lock pipfile.lock flake.lock",
	Sort:       Data,
	Layout:     &Layout{Comments: slashes, Defs: places(`^\s*"([^"]+)"\s*:\s*[\[{]`)},
})
