package ui

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"searchmcp/assets/translations"
	"searchmcp/ui/present"
)

// tr translates a text of the window, with args for its verbs.
func tr(t present.Text, args ...any) string { return present.T(t, args...) }

type toolkit struct{}

var _ translations.Language = toolkit{}

func newToolkit() (translations.Language, error) {
	files, err := translations.Files()
	if err != nil {
		return nil, err
	}
	for name, data := range files {
		if err := lang.AddTranslations(fyne.NewStaticResource(name, data)); err != nil {
			return nil, fmt.Errorf("add translation %s: %w", name, err)
		}
	}
	return toolkit{}, nil
}

func (toolkit) Text(t translations.Text) string { return lang.L(string(t)) }

func (toolkit) Plural(p translations.Plural, n int) string {
	return lang.XN(string(p), translations.English.Plural(p, n), n)
}
