package login

import (
	"testing"

	"golang.org/x/sys/windows/registry"
)

// TestRegistry enables and disables the start in test keys, also after the user disabled it in the Task Manager.
func TestRegistry(t *testing.T) {
	const own = `Software\Search MCP test`
	run, approved := runKey, approvedKey
	t.Cleanup(func() {
		runKey, approvedKey = run, approved
		for _, path := range []string{own + `\Run`, own + `\Approved`, own} {
			if err := registry.DeleteKey(registry.CURRENT_USER, path); err != nil {
				t.Log(path, err)
			}
		}
	})
	runKey, approvedKey = own+`\Run`, own+`\Approved`
	is := func(want bool) {
		t.Helper()
		if on, ok := Enabled(); on != want || !ok {
			t.Errorf("%v, %v", on, ok)
		}
	}
	set := func(on bool) {
		t.Helper()
		must(t, SetEnabled(on, `C:\Programs\Search MCP\search-mcp-app.exe`))
		is(on)
	}
	is(false)
	set(false)
	set(true)
	k, _, err := registry.CreateKey(registry.CURRENT_USER, approvedKey, registry.SET_VALUE)
	must(t, err)
	defer k.Close()
	for first, want := range map[byte]bool{2: true, 3: false, 6: true, 7: false} {
		must(t, k.SetBinaryValue(valueName, []byte{first, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}))
		is(want)
	}
	must(t, k.SetBinaryValue(valueName, []byte{3}))
	set(true)
	set(false)
}
