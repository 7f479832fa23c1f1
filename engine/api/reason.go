package api

// InWords says for a person why a file or a folder was left out.
func (r Reason) InWords() string {
	switch r {
	case SkipPath:
		return "its name has characters that are not allowed"
	case SkipSymlink:
		return "links are not followed"
	case SkipSpecial:
		return "it is no ordinary file"
	case SkipDenied:
		return "files and folders of that name are never read"
	case SkipSecret:
		return "it may hold secrets"
	case SkipExcluded:
		return "it is excluded in the settings"
	case SkipIgnored:
		return "an ignore file names it"
	case SkipBinary:
		return "it is no text"
	case SkipSize:
		return "it is too large"
	case SkipNotInclude:
		return "the settings don't include it"
	case SkipUnreadable:
		return "it can't be read"
	}
	return string(r)
}
