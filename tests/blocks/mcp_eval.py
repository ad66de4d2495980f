"""Of mcp-eval's document; see tests/suite/blocks."""

VERDICTS = {}

MISTAKES = {
    # Its values leave out `kind`, and then what that needs (deviation M9).
    "over-specification": [
        "2:1: tool_output_matches: missing key 'tool_name'",
        "5:1: tool_output_matches: missing key 'tool_name'",
    ],
}

# The place for the assertions holds a comment.
NOTHING = ["output-format"]
