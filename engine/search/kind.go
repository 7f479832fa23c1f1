package search

import "searchmcp/engine/lang"

// IsCopy reports whether a path is named like vendored or generated files.
func IsCopy(path string) bool { return roleOf(path)&isCopy != 0 }

// IsText reports whether a path is named like prose, configuration, data or markup.
func IsText(path string) bool {
	return roleOf(path)&(isProse|isData) != 0 || lang.Of(lang.OfFile(path, nil)).Headings != lang.NoHeadings
}
