//! Families: node kinds that are one thing to a reader and several to a grammar.

use crate::language::Language;

/// The family of a kind; a kind that is in none is its own.
pub(super) fn of(language: Language, kind: u16) -> &'static str {
    let name = language.kind_name(kind);
    for (family, members) in FAMILIES {
        if members.contains(&name) {
            return family;
        }
    }
    name
}

const FAMILIES: &[(&str, &[&str])] = &[
    (
        "function",
        &[
            "local_function_declaration",
            "local_function_statement",
            "function_declaration",
            "function_definition",
            "function_item",
            "function_signature_item",
            "function_signature",
            "method_declaration",
            "method_definition",
            "method_signature",
            "method",
            "protocol_function_declaration",
            "external_function_declaration",
            "getter_signature",
            "setter_signature",
            "generator_function_declaration",
        ],
    ),
    (
        "variable",
        &[
            "local_variable_declaration",
            "local_declaration_statement",
            "top_level_variable_declaration",
            "initialized_variable_definition",
            "variable_declaration",
            "lexical_declaration",
            "member_declaration",
            "field_declaration",
            "field_definition",
            "public_field_definition",
            "property_declaration",
            "protocol_property_declaration",
            "const_declaration",
            "constant_declaration",
            "declaration",
            "state_variable_declaration",
            "variable_declaration_statement",
            "val_definition",
            "var_definition",
            "val_declaration",
            "var_declaration",
        ],
    ),
    ("case", &["expression_case", "communication_case", "type_case", "default_case"]),
    ("switch", &["switch_statement", "switch_expression"]),
    (
        "type",
        &[
            "type",
            "generic_type",
            "instantiation_expression",
            "qualified_identifier",
            "template_type",
            "user_type",
        ],
    ),
    (
        "pair",
        &[
            "pair",
            "map_element",
            "keyed_element",
            "keyword_argument",
            "named_argument",
            "flow_pair",
            "block_mapping_pair",
        ],
    ),
];
