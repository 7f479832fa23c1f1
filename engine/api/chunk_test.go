package api

import (
	"strings"
	"testing"
)

func TestChunkIDIsAUUIDv4AndAFunction(t *testing.T) {
	hash := strings.Repeat("0123456789abcdef", 4)
	id := ChunkID("a/b.go", hash, 3)
	if id != ChunkID("a/b.go", hash, 3) || id != ChunkID("a/b.go", hash[:IDDigits], 3) {
		t.Error("not a function of path, hash and ordinal, or not of the hash's beginning alone")
	}
	for _, other := range []string{
		ChunkID("a/b.go", hash, 4), ChunkID("a/b.go", "1"+hash[1:], 3), ChunkID("a/c.go", hash, 3),
		ChunkID("a/b.go\x00", hash, 3),
	} {
		if other == id {
			t.Errorf("two chunks have the ID %s", id)
		}
	}
	if len(id) != 36 || id[14] != '4' || !strings.ContainsRune("89ab", rune(id[19])) ||
		strings.Trim(id, "0123456789abcdef-") != "" {
		t.Errorf("%s is not a UUIDv4", id)
	}
	for _, at := range []int{8, 13, 18, 23} {
		if id[at] != '-' {
			t.Errorf("%s is not a UUIDv4", id)
		}
	}
}
