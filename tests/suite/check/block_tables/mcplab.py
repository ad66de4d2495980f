"""Tables for the blocks of MCPLab's guide, the present one and the older one: by the
name of a block (without its number) runs that pass and runs that fail, with MCPLab's
reasons."""

NO_JSON = "JSONPath assertion failed: invalid JSON for path "


def run(*tools, text=""):
    return {"type": "trace", "v": 1, "tool_sequence": tools, "final_text": text}


def answer(text):
    return run(text=text)


# By the block's name: runs that pass, then runs that fail, each with why.
VERDICTS = {
    "required-and-forbidden-tools": (
        [
            run("lookup_account", "verify_identity"),
            run("verify_identity", "process_refund", "lookup_account"),
        ],
        [
            (
                run("delete_account", "lookup_account"),
                [
                    "Forbidden tool used: delete_account",
                    "Required tool not used: verify_identity",
                ],
            ),
            (
                run("Lookup_account", "verify_identity"),
                [
                    "Required tool not used: lookup_account (only letter "
                    "case differs: 'Lookup_account' was called)"
                ],
            ),
        ],
    ),
    "ordered-tool-sequence": (
        [
            run("lookup_account", "verify_identity", "process_refund"),
            run("x", "lookup_account", "lookup_account", "x", "verify_identity", "process_refund", "x"),
        ],
        [
            (
                run("lookup_account", "process_refund", "verify_identity"),
                [
                    "Tool sequence order was not satisfied: "
                    "lookup_account -> verify_identity -> process_refund"
                ],
            ),
            (
                run("lookup_account", "verify_identity"),
                ["Required tool in sequence not used: process_refund"],
            ),
            (run(), ["Required tool in sequence not used: lookup_account"]),
        ],
    ),
    "allowed-tool-sequences": (
        [
            run("lookup_account", "verify_identity", "process_refund"),
            run("lookup_account", "verify_identity", "check_policy", "process_refund"),
        ],
        [
            (run(*tools), ["Tool sequence did not match any allowed sequence"])
            for tools in (
                (),
                ("lookup_account", "verify_identity"),
                ("lookup_account", "verify_identity", "search", "process_refund"),
                ("verify_identity", "lookup_account", "process_refund"),
            )
        ],
    ),
    "contains": (
        [answer("Your REFUND Processed today.")],
        [
            (
                answer("Your refund was processed."),
                ["Contains assertion failed: refund processed"],
            )
        ],
    ),
    "not-contains": (
        [answer("All is well. internal  error"), answer("")],
        [
            (
                answer("An Internal Error occurred."),
                ["Not-contains assertion failed: internal error"],
            )
        ],
    ),
    "starts-with": (
        [answer("Hello Jane")],
        [(answer(" hello"), ["Starts-with assertion failed: hello"])],
    ),
    "ends-with": (
        [answer("Done. Thank You")],
        [(answer("thank you."), ["Ends-with assertion failed: thank you"])],
    ),
    "equals": (
        [answer("Success"), answer("SUCCESS")],
        [
            (answer(text), ["Equals assertion failed: success"])
            for text in ("success ", "a success", "")
        ],
    ),
    "regex": (
        [answer("The REFUND \n completed."), answer("refund processed")],
        [
            (
                answer("refund pending"),
                [r"Regex assertion failed: refund\s+(processed|completed)"],
            )
        ],
    ),
    "jsonpath": (
        [answer('{"status":"success"}'), answer(' {"status":"success","n":1}\n')],
        [
            (
                answer('{"status":"Success"}'),
                ["JSONPath equals assertion failed: $.status"],
            ),
            (
                answer('{"state":"success"}'),
                [
                    "JSONPath assertion failed: $.status",
                    "JSONPath equals assertion failed: $.status",
                ],
            ),
            (answer('Here: {"status":"success"}'), [NO_JSON + "$.status"] * 2),
        ],
    ),
    "jsonpath-exists": (
        [answer('{"data":{"id":7}}'), answer('{"data":{"id":null}}')],
        [
            (answer('{"data":{}}'), ["JSONPath assertion failed: $.data.id"]),
            (answer("none"), [NO_JSON + "$.data.id"]),
        ],
    ),
    "jsonpath-not-exists": (
        [answer('{"data":{"error":1}}'), answer("[]")],
        [
            (
                answer('{"error":null}'),
                ["JSONPath not-exists assertion failed: $.error"],
            ),
            (answer("no error"), [NO_JSON + "$.error"]),
        ],
    ),
    # What the judge is asked, and that nobody else decides.
    "agent-assertions": ([], []),
    "agent-assertions-with-context": ([], []),
}

ASKED = {
    "agent-assertions": [("logical_time_range", [])],
    "agent-assertions-with-context": [
        ("addresses_question", ["prompt", "tool_sequence"]),
        ("logical_time_range", ["prompt", "tool_sequence"]),
    ],
}
