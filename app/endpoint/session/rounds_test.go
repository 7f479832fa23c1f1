package session

import "testing"

func TestRoundsAreBounded(t *testing.T) {
	s := New(Options{}, "", nil)
	first := s.OpenRound(Round{Tool: "a"})
	for range 10 * maxRounds {
		s.OpenRound(Round{Tool: "a"})
	}
	if r := s.CloseRound(first, "a"); r.Tool != "" || len(s.rounds) > maxRounds {
		t.Errorf("%d rounds are kept", len(s.rounds))
	}
	last := s.OpenRound(Round{Tool: "a", About: 7})
	if r := s.CloseRound(last, "b"); r.Tool != "" {
		t.Error("an answer for another tool")
	}
	if r := s.CloseRound(last, "a"); r.About != 7 {
		t.Errorf("%+v", r)
	}
	if r := s.CloseRound(last, "a"); r.Tool != "" {
		t.Error("an answer that counts twice")
	}
}
