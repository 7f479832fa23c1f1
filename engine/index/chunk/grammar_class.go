package chunk

import (
	"regexp"
	"strings"

	"searchmcp/engine/index/chunk/tree"
)

func javaGrammar(l tree.Language) *grammar {
	return newGrammar(l, rules{
		"line_comment block_comment": comment,
		// The package is what the folders are called. In breadcrumbs, and so before what the model sees of a chunk, it
		// cost Java and Kotlin 0.02 of NDCG@10.
		"package_declaration import_declaration":      header,
		"class_declaration interface_declaration":     scope(named),
		"enum_declaration record_declaration":         scope(named),
		"annotation_type_declaration":                 scope(named),
		"class_body interface_body enum_body":         within,
		"annotation_type_body enum_body_declarations": within,
		"method_declaration constructor_declaration":  nest(named),
		"compact_constructor_declaration":             nest(named),
		"annotation_type_element_declaration":         value(named),
		"field_declaration constant_declaration":      within,
		"variable_declarator":                         valueWithin(named),
		"formal_parameters":                           components("record_declaration", "formal_parameter"),
		"object_creation_expression argument_list":    deep,
		"expression_statement return_statement":       deep,
		"local_variable_declaration":                  deep,
		"method_invocation lambda_expression":         deep,
		"enum_constant":                               valueWithin(named),
		"block constructor_body":                      deep,
		"module_declaration":                          scope(named),
		"static_initializer":                          {},
	})
}

func csharpGrammar(l tree.Language) *grammar {
	g := newGrammar(l, rules{
		"comment":                                comment,
		"using_directive extern_alias_directive": header,
		"namespace_declaration":                  scope(elsewhere(named)),
		"file_scoped_namespace_declaration":      {kind: kindScope, role: roleHeader, names: onward(named)},
		"class_declaration struct_declaration interface_declaration": scope(named),
		"enum_declaration record_declaration":                        scope(named),
		"declaration_list enum_member_declaration_list":              within,
		"parameter_list": components("record_declaration", "parameter"),
		"method_declaration constructor_declaration":      nest(named),
		"destructor_declaration local_function_statement": nest(named),
		"block":                                  deep,
		"property_declaration event_declaration": {kind: kindFunction, names: named},
		"delegate_declaration enum_member_declaration": value(named),
		"field_declaration event_field_declaration":    within,
		"variable_declaration":                         within,
		"variable_declarator":                          value(firstOf("identifier")),
		"operator_declaration":                         function(csharpOperator),
		"conversion_operator_declaration":              function(literal("operator")),
		"indexer_declaration":                          function(literal("this")),
		"preproc_region preproc_endregion":             attribute,
		"preproc_if preproc_else preproc_elif":         within,
		"global_statement":                             deep,
		"global_attribute":                             header,
	})
	g.retry = []func(string) (string, int){oneBranch(true), oneBranch(false)}
	return g
}

// components are the parameters of a record, which are its members.
func components(record, parameter string) rule {
	return value(func(s *syntax, it *item) []ident {
		if p := it.node.Parent(); p == nil || p.Type() != record {
			return nil
		}
		var out []ident
		for _, k := range s.kids(it) {
			if n := k.node.ChildByFieldName("name"); n != nil && k.node.Type() == parameter {
				out = append(out, s.ident(n))
			}
		}
		return out
	})
}

// csharpOperator finds "operator +".
func csharpOperator(s *syntax, it *item) []ident {
	text := s.src.text[it.start:it.end]
	i := strings.Index(text, "operator")
	open := strings.IndexByte(text, '(')
	if i < 0 || open < i {
		return nil
	}
	return []ident{{name: strings.TrimSpace(text[i:open]), at: it.start + i}}
}

func kotlinGrammar(l tree.Language) *grammar {
	name := firstOf("type_identifier simple_identifier")
	g := newGrammar(l, rules{
		"line_comment multiline_comment":             comment,
		"package_header import_list file_annotation": header,
		"import_header shebang_line":                 header,
		"class_declaration object_declaration":       scope(name),
		"companion_object":                           {kind: kindScope, names: elsewhere(literal("companion")), inside: true},
		"class_body enum_class_body":                 within,
		"function_declaration":                       nest(kotlinFunction),
		"prefix_expression":                          {roleOf: kotlinAnnotation},
		"secondary_constructor":                      function(literal("constructor")),
		"function_body statements":                   deep,
		"property_declaration":                       valueWithin(kotlinProperty),
		"object_literal":                             within,
		"call_expression call_suffix":                deep,
		"value_arguments value_argument":             deep,
		"jump_expression assignment":                 deep,
		"enum_entry type_alias":                      value(name),
	})
	g.prepare = func(text string) string { return undelegated(blanking(functional)(text)) }
	return g
}

// functional matches what the grammar doesn't know of a functional interface, and takes the rest of the file for
// something else after.
var functional = regexp.MustCompile(`\b(fun)[ \t]+interface[ \t]`)

// kotlinFunction puts an extension function into the type that it extends.
func kotlinFunction(s *syntax, it *item) []ident {
	return kotlinReceiver(s, it, s.child(it.node, "simple_identifier"))
}

// delegation matches what a class gives its interfaces to, property a line whose delegation the grammar reads.
var (
	delegation = regexp.MustCompile(`[\pL\pN_>)?]([ \t]+by[ \t]+[\pL\pN_.]+(?:\([^()\n]*\)|<[^<>\n]*>)*)[ \t]*(?:[,{]|\r?$)`)
	property   = regexp.MustCompile(`^[ \t]*(?:[\pL@]+[ \t]+)*va[lr][ \t]`)
	object     = regexp.MustCompile(`\bobject[ \t]*:`)
)

// undelegated blanks "by delegate" behind the interfaces of a class, whose body the grammar does not read then.
func undelegated(text string) string {
	if !strings.Contains(text, " by ") {
		return text
	}
	b := []byte(text)
	at := 0
	for line := range strings.Lines(text) {
		for _, m := range delegation.FindAllStringSubmatchIndex(strings.TrimRight(line, "\n"), -1) {
			if lead := line[:m[2]]; !property.MatchString(lead) || object.MatchString(lead) {
				blank(b[at+m[2] : at+m[3]])
			}
		}
		at += len(line)
	}
	return string(b)
}

// kotlinReceiver is a name with the type that stands before it.
func kotlinReceiver(s *syntax, it *item, n tree.Node) []ident {
	out := s.one(n)
	if t := s.child(it.node, "user_type nullable_type"); t != nil && n != nil && t.StartByte() < n.StartByte() {
		out[0].prefix = []string{generic(strings.TrimRight(s.text(t), "?"))}
	}
	return out
}

// kotlinAnnotation: the grammar takes annotations with arguments before a function of a file for expressions of
// their own.
func kotlinAnnotation(s *syntax, it *item) role {
	if s.src.text[it.start] == '@' {
		return roleAttribute
	}
	return roleCode
}

func kotlinProperty(s *syntax, it *item) []ident {
	v := s.child(it.node, "variable_declaration")
	if v == nil {
		return nil
	}
	return kotlinReceiver(s, it, s.child(v, "simple_identifier"))
}

func scalaGrammar(l tree.Language) *grammar {
	return newGrammar(l, rules{
		"comment block_comment":                comment,
		"package_clause":                       {inside: true, roleOf: headerWithoutBody},
		"import_declaration":                   header,
		"class_definition object_definition":   scope(named),
		"trait_definition enum_definition":     scope(named),
		"package_object extension_definition":  scope(named),
		"template_body enum_body block":        within,
		"function_definition":                  nest(named),
		"function_declaration type_definition": value(named),
		"val_definition var_definition":        value(scalaPattern),
		"val_declaration var_declaration":      value(named),
		"given_definition":                     {kind: kindScope, names: named, inside: true},
		"with_template_body":                   within,
		"enum_case_definitions":                within,
		"simple_enum_case full_enum_case":      value(named),
	})
}

func scalaPattern(s *syntax, it *item) []ident {
	if n := it.node.ChildByFieldName("pattern"); n != nil && n.Type() == "identifier" {
		return s.one(n)
	}
	return nil
}

func swiftGrammar(l tree.Language) *grammar {
	return newGrammar(l, rules{
		"comment multiline_comment":                        comment,
		"import_declaration shebang_line":                  header,
		"class_declaration":                                scope(swiftType),
		"protocol_declaration":                             scope(named),
		"class_body enum_class_body protocol_body":         within,
		"function_declaration":                             nest(named),
		"protocol_function_declaration":                    value(named),
		"function_body statements":                         deep,
		"init_declaration":                                 function(literal("init")),
		"deinit_declaration":                               function(literal("deinit")),
		"subscript_declaration":                            function(literal("subscript")),
		"property_declaration":                             value(named),
		"protocol_property_declaration":                    value(swiftPattern),
		"typealias_declaration associatedtype_declaration": value(named),
		"enum_entry":                                       value(allOf("simple_identifier")), // case left, right,
	})
}

// swiftType tells extensions from what defines a type.
func swiftType(s *syntax, it *item) []ident {
	return changed(named, func(_ *item, id *ident) {
		before := s.src.text[it.start:id.at]
		id.elsewhere = strings.HasPrefix(before, "extension") || strings.Contains(before, " extension ") ||
			strings.Contains(before, "\nextension ")
		*id = id.qualified(".")
	})(s, it)
}

// swiftPattern reads "var size" of a protocol.
func swiftPattern(s *syntax, it *item) []ident {
	n := it.node.ChildByFieldName("name")
	if n != nil && n.Type() != "simple_identifier" {
		n = s.deep(n, "simple_identifier")
	}
	return s.one(n)
}
