"""Of PromptKit's document; see tests/suite/blocks."""

VERDICTS = {}

MISTAKES = {
    # A placeholder.
    "assertion-structure": ["2:11: assertion: unknown type 'assertion_name'"],
    # Go's regular expressions have no lookaround.
    "regex-performance": [
        "8:10: content_matches: pattern: error parsing regexp: "
        "invalid named capture: `(?<=word)pattern(?=word)`"
    ],
}
