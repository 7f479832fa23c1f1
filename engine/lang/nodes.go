package lang

// Types of nodes, in all grammars: a type means the same wherever it occurs.
var (
	// Declaring declare parameters and variables; the name is outside of the fields that ValueFields lists.
	Declaring = set(`parameter_declaration variadic_parameter_declaration short_var_declaration range_clause
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
	// Importing bring names into a file.
	Importing = set(`import_statement import_from_statement future_import_statement import_declaration
		import_spec import_clause use_declaration extern_crate_declaration using_directive using_declaration
		namespace_use_declaration import_header import_list preproc_include package_clause package_declaration package_header
		export_clause namespace_import aliased_import package_identifier`)
	// BareCalls call what is their first part, without brackets.
	BareCalls = set(`call call_expression command_name function_call macro_invocation new_expression
		object_creation_expression command infix_expression struct_expression composite_literal`)
	// Keyed are an entry of a literal or an argument with its name before a sign.
	Keyed = set(`pair keyed_element field_initializer value_argument literal_element named_expression argument label
		pair_pattern field_pattern value_argument_label`)
	// KeyedBy are such an entry with an equals sign.
	KeyedBy = set("keyword_argument field_designator field")
	// Fields define a member that no rule for declarations names.
	Fields = set("field_declaration property_signature property_promotion_parameter class_parameter enum_variant")
)

// ValueFields are the fields of declaring nodes in which names are used and not declared.
var ValueFields = []string{"type", "value", "right", "default_value", "body", "return_type", "condition", "consequence",
	"alternative"}
