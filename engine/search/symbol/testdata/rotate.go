package auth

import (
	"example.com/other/rotate"
)

// Sessions rotate.
type Sessions struct {
	rotate func()
}

// rotate renews the keys of a session. It is slow.
func (s *Sessions) rotate(now int) error { return nil }

type rotator interface {
	rotate(now int) error
}

func login(s *Sessions, rs []Rotator) {
	_ = s.rotate(1)
	x := NewSessions()
	x.rotate(2)
	for _, r := range rs {
		r.rotate(3)
	}
	f := s.rotate
	_ = "rotate"
	y := Sessions{rotate: nil}
	pkg.make().rotate(4)
}

func logout(rotate int) int { return rotate + 1 }

func reset() {
	rotate := 1
	func() { println(rotate) }()
}
