package lang

import (
	"slices"
	"strings"
)

// Sets of node types. A type has the same meaning in all grammars.
var (
	// Declaring contains nodes that declare parameters or variables.
	Declaring = nodes(`parameter_declaration variadic_parameter_declaration short_var_declaration range_clause
		var_spec const_spec parameters lambda_parameters typed_parameter default_parameter typed_default_parameter assignment
		for_statement for_in_clause as_pattern_target named_expression formal_parameters required_parameter
		optional_parameter variable_declarator for_in_statement catch_clause arrow_function parameter let_declaration
		closure_parameters for_expression match_pattern let_condition optional_parameter_declaration
		init_declarator declaration for_range_loop formal_parameter spread_parameter catch_formal_parameter
		enhanced_for_statement resource inferred_parameters lambda_expression foreach_statement
		catch_declaration declaration_expression implicit_parameter variable_declaration binding
		val_definition var_definition property_declaration lambda_parameter simple_parameter variadic_parameter
		method_parameters block_parameters keyword_parameter splat_parameter hash_splat_parameter block_parameter
		left_assignment_list exception_variable parameter_list local_variable_declaration function_value_parameters
		variable_assignment catch_block`)
	// Importing contains the statements that import names into a file.
	Importing = nodes(`import_statement import_from_statement future_import_statement import_declaration
		import_spec import_clause use_declaration extern_crate_declaration using_directive using_declaration
		namespace_use_declaration import_header import_list preproc_include package_clause package_declaration package_header
		export_clause namespace_import aliased_import package_identifier`)
	// CallNodes contains nodes that call their first child.
	CallNodes = nodes(`call call_expression command_name function_call macro_invocation new_expression
		object_creation_expression command infix_expression struct_expression composite_literal`)
	// Keyed contains entries of a literal or call such as "name: value".
	Keyed = nodes(`pair keyed_element field_initializer value_argument literal_element named_expression argument label
		pair_pattern field_pattern value_argument_label`)
	// KeyedBy contains entries of a literal or call such as "name = value".
	KeyedBy = nodes("keyword_argument field_designator field")
	// Fields maps node types of fields without a rule to the node types of their names.
	Fields = map[string]string{"field_declaration": "field_identifier", "property_signature": "property_identifier",
		"method_signature": "property_identifier", "property_promotion_parameter": "name"}
)

// literalTypes maps node types of literals with keys to the field that contains the literal's type.
var literalTypes = map[string]string{"composite_literal": "type", "struct_expression": "name"}

// ValueFields are the fields of a declaration that use names instead of declaring them.
var ValueFields = []string{"type", "value", "right", "default_value", "body", "return_type", "condition", "consequence",
	"alternative"}

// Leaf reports whether nodes of a type are text without structure, such as strings and comments.
func Leaf(kind string) bool { return HasAny(kind, "string", "comment", "heredoc") }

// HasAny reports whether text contains one of parts.
func HasAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(text, p) })
}

// LiteralMember reports whether nodes of a type are members of object literals.
func LiteralMember(kind string) bool { return kind == "pair" || kind == "method_definition" }

// typeWords are kinds of definitions in the names of node types, more specific kinds first.
var typeWords = []string{"constructor", "interface", "protocol", "struct", "trait", "enum_entry", "enum_variant",
	"enum_constant", "enum_member", "enumerator", "enum",
	"class", "macro", "namespace", "module", "property", "field", "const", "record", "union", "object"}

// KindOf returns the kind of a definition from its rule and node type.
func KindOf(defines Defines, node string, inType, called bool) string {
	member := func(in, out string) string {
		if inType {
			return in
		}
		return out
	}
	switch {
	case defines == DefinesFunction && strings.Contains(node, "macro"):
		return "macro"
	case defines == DefinesFunction:
		return member("method", "function")
	case node == "mod_item":
		return "namespace"
	case node == "call_expression" && defines == DefinesScope: // a test's description, or Object.defineProperty
		return member("property", "function")
	case defines == DefinesValue && (HasAny(node, "method", "function") ||
		called && strings.Contains(node, "declaration")):
		return member("method", "function")
	}
	for _, w := range typeWords {
		if strings.Contains(node, w) {
			if strings.HasPrefix(w, "const") && w != "constructor" || strings.HasPrefix(w, "enum") && w != "enum" {
				return "constant"
			}
			return w
		}
	}
	switch {
	case node == "call" && defines == DefinesScope: // Ruby's attributes, Elixir's modules
		return member("property", "module")
	case defines == DefinesScope || strings.Contains(node, "type"):
		return "type"
	}
	return member("field", "value")
}

// nodes returns a set of node types. A test checks that the grammars contain them.
func nodes(types string) map[string]bool { return Set(types) }
