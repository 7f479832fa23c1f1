package lang

import "regexp"

const scriptElement = `<script\b((?:[^>"']|"[^"]*"|'[^']*')*)>(.*?)</script\s*>`

// scripts matches the scripts of a page.
var scripts = regexp.MustCompile(`(?is)` + scriptElement)
