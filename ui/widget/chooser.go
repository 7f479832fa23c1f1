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

// Offer replaces the options and the choice without calling changed. It does not change an open list.
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
	ChoiceHeight = 32
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
	l := NewList(ChoiceHeight, func() int { return len(found) }, NewChoiceRow, func(i int, o fyne.CanvasObject) {
		o.(*ChoiceRow).Set(found[i], found[i].Key == c.Chosen)
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
	height := float32(min(len(found), shownChoices)) * ChoiceHeight
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

type ChoiceRow struct {
	widget.BaseWidget
	check       *fyne.Container
	name, note  *Text
	words, line *fyne.Container
}

func NewChoiceRow() fyne.CanvasObject {
	r := &ChoiceRow{name: Plain(""), note: Caption(""),
		check: container.New(Sized{ButtonIcon, ButtonIcon}, widget.NewIcon(theme.ConfirmIcon()))}
	r.words = container.New(Beside{}, r.name, r.note)
	r.line = container.New(Sized{Height: ChoiceHeight}, Pad(0, 0, GapSmall, GapSmall, container.NewBorder(nil, nil,
		Wide(ButtonIcon+GapSmall, container.NewBorder(nil, nil, Centred(r.check), nil)), nil, r.words)))
	r.ExtendBaseWidget(r)
	return r
}

func (r *ChoiceRow) Set(o Option, chosen bool) {
	r.name.Set(o.Name)
	r.note.Set(o.Note)
	r.check.Hidden = !chosen
	r.line.Refresh()
}

func (r *ChoiceRow) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.line) }

// Beside puts a note after a name on one line. If both don't fit, the name takes at most two thirds of the width.
type Beside struct{}

func (Beside) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	name, note := objects[0].(*Text), objects[1].(*Text)
	width := min(name.Full(), size.Width)
	if note.Value != "" {
		width = min(width, max(size.Width*2/3, size.Width-GapSmall-note.Full()))
	}
	h := name.MinSize().Height
	Place(name, 0, (size.Height-h)/2, width, h)
	below := (h - note.MinSize().Height) * 0.8 // aligns the baselines of name and note
	Place(note, width+GapSmall, (size.Height-h)/2+below, max(0, size.Width-width-GapSmall), note.MinSize().Height)
}

func (Beside) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, objects[0].MinSize().Height)
}

func (c *Chooser) Tapped(*fyne.PointEvent) { c.Open("") }

func (c *Chooser) TypedRune(r rune) {
	if r != ' ' { // TypedKey handles Space
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
