package widget

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

type Option struct {
	Key, Name, Note string
	Icon            fyne.Resource // nil means a check mark
}

type Chooser struct {
	Button
	Options      []Option
	Chosen       string
	changed      func(key string)
	Filter, None string
}

func NewChooser(options []Option, chosen string, changed func(key string)) *Chooser {
	c := &Chooser{changed: changed}
	c.Tone, c.Icon = toneChoice, theme.MenuDropDownIcon()
	c.ExtendBaseWidget(c)
	c.Offer(options, chosen)
	return c
}

// Offer replaces the options and the choice without calling changed.
func (c *Chooser) Offer(options []Option, chosen string) {
	c.Options, c.Chosen = options, chosen
	c.Set(c.Shown(), c.Icon)
}

func (c *Chooser) Shown() string {
	if i := slices.IndexFunc(c.Options, func(o Option) bool { return o.Key == c.Chosen }); i >= 0 {
		return c.Options[i].Name
	}
	return ""
}

func (c *Chooser) Choose(key string) {
	CloseOptions()
	if key != c.Chosen {
		c.Offer(c.Options, key)
		if c.changed != nil {
			c.changed(key)
		}
	}
}

const (
	choiceHeight = 32
	choiceWidth  = 280
	shownChoices = 10
	filterFrom   = 8
)

func (c *Chooser) Open(filter string) {
	onto := fyne.CurrentApp().Driver().CanvasForObject(c)
	if c.Disabled() || onto == nil || len(c.Options) == 0 {
		return
	}
	CloseOptions()
	found := c.Options
	l := NewChoices(func() int { return len(found) }, func(i int) (Option, bool) {
		return found[i], found[i].Key == c.Chosen
	})
	l.Escape = CloseOptions
	pick := func() {
		if l.At >= 0 && l.At < len(found) {
			c.Choose(found[l.At].Key)
		}
	}
	l.Picked, l.Clicked = pick, func(int) { pick() }
	none := Pad(GapSmall, GapSmall, GapSmall, GapSmall, Muted(c.None))
	none.Hide()
	content := fyne.CanvasObject(container.NewStack(l, none))
	height := float32(min(len(found), shownChoices)) * choiceHeight
	first := fyne.Focusable(l)
	if len(c.Options) >= filterFrom {
		field := NewEntry("", CloseOptions)
		field.Icon = theme.SearchIcon()
		field.SetPlaceHolder(c.Filter)
		for key, by := range Steps {
			field.Keys[key] = func() { l.Step(by) }
		}
		field.OnSubmitted = func(string) { pick() }
		field.OnChanged = func(text string) {
			found = filtered(c.Options, text)
			none.Hidden = len(found) > 0
			none.Refresh()
			l.Refresh()
			l.ToTop()
			l.Choose(0)
		}
		content = Below(4, field, content)
		height += field.MinSize().Height + 4
		first = field
		defer func() {
			if filter != "" {
				field.SetText(filter)
			}
		}()
	}
	l.Refresh()
	showBeside(c, content, onto, max(c.Size().Width, choiceWidth), height)
	onto.Focus(first)
	l.Choose(max(0, slices.IndexFunc(found, func(o Option) bool { return o.Key == c.Chosen })))
}

func filtered(options []Option, text string) []Option {
	words := strings.Fields(strings.ToLower(text))
	var found []Option
	for _, o := range options {
		in := strings.ToLower(o.Name + " " + o.Note)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(in, w) }) {
			found = append(found, o)
		}
	}
	begins := func(o Option) bool { return len(words) > 0 && strings.HasPrefix(strings.ToLower(o.Name), words[0]) }
	order := map[bool]int{true: -1}
	slices.SortStableFunc(found, func(a, b Option) int { return order[begins(a)] - order[begins(b)] })
	return found
}

// NewChoices returns a list of options. option returns option i and whether it is chosen.
func NewChoices(length func() int, option func(i int) (o Option, chosen bool)) *List {
	return NewList(choiceHeight, length, func() (fyne.CanvasObject, func(i int)) {
		name, note := Plain(""), Caption("")
		name.Inner = true
		icon := widget.NewIcon(theme.ConfirmIcon())
		check := container.New(Sized{ButtonIcon, ButtonIcon}, icon)
		line := container.New(Sized{Height: choiceHeight}, Pad(0, 0, GapSmall, GapSmall, container.NewBorder(nil, nil,
			Wide(ButtonIcon+GapSmall, container.NewBorder(nil, nil, Centred(check), nil)), nil,
			Beside(name, note))))
		return line, func(i int) {
			o, chosen := option(i)
			name.Set(o.Name)
			note.Set(o.Note)
			if o.Icon != nil {
				icon.SetResource(o.Icon)
			}
			check.Hidden = !chosen
			line.Refresh()
		}
	})
}

// Beside puts a note after a name on one line.
func Beside(name, note *Text) *fyne.Container {
	least := func() fyne.Size { return fyne.NewSize(0, name.MinSize().Height) }
	return container.New(Layout{least, func(size fyne.Size) {
		width := min(name.Full(), size.Width)
		if note.Value != "" {
			width = min(width, max(size.Width*2/3, size.Width-GapSmall-note.Full()))
		}
		h := name.MinSize().Height
		Place(name, 0, (size.Height-h)/2, width, h)
		below := (h - note.MinSize().Height) * 0.8 // align the baselines of name and note
		Place(note, width+GapSmall, (size.Height-h)/2+below, max(0, size.Width-width-GapSmall), note.MinSize().Height)
	}}, name, note)
}

func (c *Chooser) Tapped(*fyne.PointEvent) { c.Open("") }

func (c *Chooser) TypedRune(r rune) {
	if r != ' ' {
		c.Open(string(r))
	}
}

func (c *Chooser) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter, fyne.KeyDown, fyne.KeyUp:
		c.Open("")
	default:
		c.Button.TypedKey(e)
	}
}
