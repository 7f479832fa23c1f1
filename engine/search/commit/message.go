// Package commit recognises queries that resemble the first line of a commit message. It extracts the scope of such
// messages and removes references to issues and authors.
//
// It must not depend on queries or repositories. It has no goroutines, locks or I/O.
package commit

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const verbs = `(?:fix|add|remov|mak|allow|support|us|avoid|handl|improv|chang|ensur|prevent|updat|mov|renam|` +
	`replac|deprecat|implement|introduc|correct|restor|revert|reduc|stop|drop|expos|respect|skip|enabl|disabl|simplif|` +
	`optimi[sz]|validat|ignor|reset|resolv|refactor|limit|clean|wrap|extend|accept|provid|inclu[d]|export|convert|pass|` +
	`propagat|preserv|keep|guard|check|detect)(?:e|es|ed|s|ing|d|y|ies|ied)?\b|` +
	`(?:don't|do not|no longer|only|always|never|better|new|more|properly|correctly|make sure|bug|bugfix|hotfix|regression)\b`

// start matches the beginnings of change messages: "fix(scope): " (Conventional Commits), "scope: fix …", "[Scope]
// Fixed …", "Fixed …". Programs don't print such messages, so a match is not treated as a log line.
var start = regexp.MustCompile(
	`^(?i:(?:feat|feature|fix|bug|bugfix|hotfix|chore|perf|refactor|revert|style|build|` +
		`docs?|tests?|ci)(?:\([^)]*\))?!?:\s|(?:\[[\w ./-]+\]:?\s+)?(?:[\w./*,{} -]{1,40}?:\s+)?(?:` + verbs + `))`)

// Begins reports whether text begins like a change message.
func Begins(text string) bool { return start.MatchString(text) }

// scoped matches the scope of a change message: "fix(router): …", "[router] Fix …", "cmd/api, router: close …".
var scoped = regexp.MustCompile(`^(?:\w+\(([^)]+)\)!?:|\[([^\]]+)\]:?|([\w./*,{} -]{1,40}?)!?:)\s`)

// noScopes lists words before a colon that are not scopes: types of Conventional Commits, and severities of messages.
var noScopes = strings.Fields(
	"feat feature fix bug bugfix hotfix chore perf refactor revert style build doc docs test tests ci " +
		"error exception warning fatal panic note info debug")

const maxScopeSpaces = 2 // names with more spaces are treated as sentences

// Scope returns the names before a message's colon, such as files or folders, in lower case and without spaces. It also
// accepts error messages, which may begin with a package name and a colon.
func Scope(text string) []string {
	m := scoped.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	var scopes []string
	for s := range strings.SplitSeq(strings.ToLower(m[1]+m[2]+m[3]), ",") {
		if strings.Count(s, " ") > maxScopeSpaces {
			continue
		}
		s = strings.ReplaceAll(strings.Trim(s, " /.*"), " ", "")
		if s != "" && !slices.Contains(noScopes, s) {
			scopes = append(scopes, s)
		}
	}
	return scopes
}

// IsCertain reports whether text, for which Begins is true, is certainly a change message. "Limit …" and "limited …"
// are. "limit the number of requests" may be a question.
func IsCertain(text string) bool {
	first := text
	if end := strings.IndexFunc(text, unicode.IsSpace); end >= 0 {
		first = text[:end]
	}
	r, _ := utf8.DecodeRuneInString(text)
	return !strings.HasSuffix(text, "?") && (unicode.IsUpper(r) || strings.HasPrefix(first, "fix") ||
		strings.HasSuffix(first, "ed") ||
		scoped.MatchString(text))
}

// reference matches references to discussions and authors in a commit message: "(#123)", "Closes #12", trailers.
var reference = regexp.MustCompile(
	`(?im)\s*[(\[](?:#|gh-)\d+[)\]]|[\s,;]*\b(?:(?:clos|fix|resolv)(?:e[sd]?)?|refs?|see) (?:#|gh-)\d+|` +
		`^(?:signed-off-by|co-authored-by|reviewed-by|acked-by|change-id): .*$`)

// WithoutReferences removes references to discussions and authors from a change message.
func WithoutReferences(text string) string {
	if !Begins(text) {
		return text
	}
	if rest := strings.TrimSpace(reference.ReplaceAllString(text, "")); rest != "" {
		return rest
	}
	return text
}
