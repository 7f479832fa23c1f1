package secret

// automaton finds all words of a set in one pass (Aho and Corasick 1975), ignoring the case of ASCII letters. For
// speed, its transition table is complete.
type automaton struct {
	class   [256]uint8 // 0 for bytes that are in no word
	next    []uint32   // index: state*width + class; value: next state*width, and wordEnds if a word ends there
	width   uint32
	found   [][]uint16 // words that end in each state
	longest int        // length of the longest word
}

// wordEnds is the flag of a state in which a word ends.
const wordEnds = 1 << 31

func newAutomaton(words []string) *automaton {
	a := &automaton{}
	for _, w := range words {
		a.longest = max(a.longest, len(w))
		for i := range len(w) {
			if c := w[i]; a.class[c] == 0 {
				a.width++
				a.class[c] = uint8(a.width)
			}
		}
	}
	a.width++
	for c := byte('A'); c <= 'Z'; c++ {
		a.class[c] = a.class[c|0x20]
	}
	a.grow()
	for i, w := range words {
		state := uint32(0)
		for j := range len(w) {
			at := state*a.width + uint32(a.class[w[j]])
			if a.next[at] == 0 {
				a.next[at] = a.grow()
			}
			state = a.next[at]
		}
		a.found[state] = append(a.found[state], uint16(i))
	}
	a.link()
	for i, s := range a.next {
		a.next[i] = s * a.width // premultiplied
		if len(a.found[s]) > 0 {
			a.next[i] |= wordEnds
		}
	}
	return a
}

func (a *automaton) grow() uint32 {
	a.next = append(a.next, make([]uint32, a.width)...)
	a.found = append(a.found, nil)
	return uint32(len(a.found) - 1)
}

func (a *automaton) link() {
	fail := make([]uint32, len(a.found))
	var queue []uint32
	for c := range a.width {
		if s := a.next[c]; s != 0 {
			queue = append(queue, s)
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		a.found[s] = append(a.found[s], a.found[fail[s]]...)
		for c := range a.width {
			at, other := s*a.width+c, a.next[fail[s]*a.width+c]
			if t := a.next[at]; t != 0 {
				fail[t] = other
				queue = append(queue, t)
			} else {
				a.next[at] = other
			}
		}
	}
}

// scan calls hit with the index of each word in data and with the offset of the word's end. Scanning two halves in one
// loop is faster, because the processor overlaps their steps.
func (a *automaton) scan(data []byte, hit func(word, end int)) {
	half := len(data) / 2
	next, class := a.next, &a.class
	one, two := uint32(0), uint32(0)
	for _, c := range data[max(0, half-a.longest):half] {
		two = next[two&^wordEnds+uint32(class[c])]
	}
	type place struct {
		state uint32
		end   int
	}
	var later []place
	low, high := data[:half], data[half:2*half]
	for i, c := range low {
		one = next[one&^wordEnds+uint32(class[c])]
		two = next[two&^wordEnds+uint32(class[high[i]])]
		if one >= wordEnds {
			a.report(one, i+1, hit)
		}
		if two >= wordEnds {
			later = append(later, place{two, half + i + 1})
		}
	}
	for _, l := range later {
		a.report(l.state, l.end, hit)
	}
	for i := 2 * half; i < len(data); i++ { // last byte if their number is odd
		if two = next[two&^wordEnds+uint32(class[data[i]])]; two >= wordEnds {
			a.report(two, i+1, hit)
		}
	}
}

func (a *automaton) report(state uint32, end int, hit func(word, end int)) {
	for _, w := range a.found[state&^wordEnds/a.width] {
		hit(int(w), end)
	}
}
