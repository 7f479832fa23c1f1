package present

import (
	"maps"
	"strings"
	"testing"

	"searchmcp/engine/api"
)

const sample = `{
  // what to read
  "include": ["**/*"],
  "exclude": ["fixtures/**"], // big
  "maxFiles": 50000,
  "mine": {"kept": true},
}
`

func TestConfigRoundTrip(t *testing.T) {
	before, err := ParseConfig(sample)
	if err != nil {
		t.Fatal(err)
	}
	if before[FieldExclude] != "fixtures/**" || before[FieldFiles] != "50000" ||
		before[FieldStrategy] != string(api.Realtime) || before[FieldIndexDocs] != "true" ||
		before[FieldDocs] != "**/*.md\n**/*.txt" {
		t.Fatalf("%+v", before)
	}
	if same, err := before.Patch(sample, before); err != nil || same != sample {
		t.Fatalf("unchanged form changed the file: %v\n%s", err, same)
	}
	after := maps.Clone(before)
	maps.Copy(after, Config{FieldExclude: "fixtures/**\n\n  dist/**  \n", FieldFiles: "9000", FieldStrategy: "git",
		FieldIndexDocs: "false"})
	text, err := after.Patch(sample, before)
	if err != nil {
		t.Fatal(err)
	}
	for _, kept := range []string{"// what to read", `"mine": {"kept": true}`, `"include": ["**/*"]`} {
		if !strings.Contains(text, kept) {
			t.Errorf("%s is lost:\n%s", kept, text)
		}
	}
	again, err := ParseConfig(text)
	if err != nil {
		t.Fatal(err)
	}
	if again[FieldExclude] != "fixtures/**\ndist/**" || again[FieldFiles] != "9000" ||
		again[FieldStrategy] != string(api.Git) || again[FieldIndexDocs] != "false" {
		t.Errorf("%+v\n%s", again, text)
	}
}

func TestConfigLeavesJudgementToTheApp(t *testing.T) {
	before, err := ParseConfig("{}")
	if err != nil {
		t.Fatal(err)
	}
	after := maps.Clone(before)
	after[FieldFiles] = "many"
	text, err := after.Patch("{}", before)
	if err != nil || !strings.Contains(text, `"many"`) {
		t.Fatalf("%v %s", err, text)
	}
	problems := []string{"maxFiles must be a whole number above 0; 50000 is used instead.",
		"maxFileSize must be a size such as '500KB'; \"1MB\" is used instead."}
	wantEqual(t, ProblemOfField(problems, FieldFiles),
		"Must be a whole number above 0; 50000 is used instead.", "ProblemOfField")
	wantEqual(t, ProblemOfField(problems, FieldInclude), "", "ProblemOfField")
}

func TestConfigOfTheWrongType(t *testing.T) {
	if _, err := ParseConfig(`{"include": "src/**", "exclude": ["a"]}`); err != nil {
		t.Errorf("a field of the wrong type makes the form unusable: %v", err)
	}
	if _, err := ParseConfig(`{`); err == nil {
		t.Error("no JSON is no configuration")
	}
}
