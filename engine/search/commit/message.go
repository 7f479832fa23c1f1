// Package commit recognises queries that resemble the first line of a commit message. It finds the scope of such a
// message, such as "router" in "fix(router): …", and removes references to issues and authors.
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

// start matches the beginnings of commit messages: "fix(scope): " (Conventional Commits), "scope: fix …", "[Scope]
// Fixed …", "Fixed …".
var start = regexp.MustCompile(
	`^(?i:(?:feat|feature|fix|bug|bugfix|hotfix|chore|perf|refactor|revert|style|build|` +
		`docs?|tests?|ci)(?:\([^)]*\))?!?:\s|(?:\[[\w ./-]+\]:?\s+)?(?:[\w./*,{} -]{1,40}?:\s+)?(?:` + verbs + `))`)

// Begins reports whether text begins like a commit message.
func Begins(text string) bool { return start.MatchString(text) }

// scoped matches the scope of a commit message: "fix(router): …", "[router] Fix …", "cmd/api, router: close …".
var scoped = regexp.MustCompile(`^(?:\w+\(([^)]+)\)!?:|\[([^\]]+)\]:?|([\w./*,{} -]{1,40}?)!?:)\s`)

// noScopes lists words before a colon that are not scopes: types of Conventional Commits, and severities of messages.
var noScopes = strings.Fields(
	"feat feature fix bug bugfix hotfix chore perf refactor revert style build doc docs test tests ci " +
		"error exception warning fatal panic note info debug")

const maxScopeSpaces = 2 // a text with more spaces is a sentence, not a scope

// Scope returns the names before the colon of a commit message or an error message, in lower case and without spaces:
// "router" for "fix(router): close …".
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

// IsCertain reports whether text is certainly a commit message. Texts that begin with "Limit" or "limited" are
// certain; "limit the requests" may be a question. IsCertain requires that Begins(text) is true.
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

// reference matches references to issues and authors in a commit message: "(#123)", "Closes #12", trailers.
var reference = regexp.MustCompile(
	`(?im)\s*[(\[](?:#|gh-)\d+[)\]]|[\s,;]*\b(?:(?:clos|fix|resolv)(?:e[sd]?)?|refs?|see) (?:#|gh-)\d+|` +
		`^(?:signed-off-by|co-authored-by|reviewed-by|acked-by|change-id): .*$`)

// WithoutReferences removes references to issues and authors from a commit message.
func WithoutReferences(text string) string {
	if !Begins(text) {
		return text
	}
	if rest := strings.TrimSpace(reference.ReplaceAllString(text, "")); rest != "" {
		return rest
	}
	return text
}
