"""Tables for the blocks of mcp-eval's document: see tests/suite/check/blocks."""


def call(tool, args=None, result=None):
    return {"tool": tool, "args": args or {}, "result": result or ""}


def run(*calls, text="", llm_calls=1):
    return {
        "type": "trace",
        "v": 1,
        "final_text": text,
        "tool_sequence": [c["tool"] for c in calls],
        "turns": [{"steps": list(calls)}],
        "usage": {"llm_calls": llm_calls},
    }


def mcp(text):
    return {"content": [{"type": "text", "text": text}], "isError": False}


WHOLE = {"timestamp": 1234567890, "result": 42, "status": "ok"}
LATER = {"result": 42, "status": "ok", "timestamp": 2}
SELECT = {"query": "SELECT", "limit": 100.0, "db": "x"}
NO_SELECT = (
    'expected a call of database_query with {"query": "SELECT", "limit": 100}, '
)
NO_PAGE = 'expected the output of fetch to contain "<!DOCTYPE", found '
FETCHED = [call("fetch", {"url": "..."})]
STEPS = [call(tool) for tool in ("auth", "fetch", "process", "save")]

VERDICTS = {
    "basic-to-comprehensive": (
        [],
        [
            (
                run(text="Success!", llm_calls=4),
                ["expected 1 or more calls of fetch, found 0"] * 2
                + [
                    'expected a call of fetch with {"url": "..."}, found no call',
                    "expected 3 or fewer calls of the model, found 4",
                ],
            ),
            (run(*FETCHED, text="Done."), ["expected 'success' in the answer"]),
        ],
    ),
    # Of the first one the whole result, of the second one a part.
    "brittle-to-robust": (
        [run(call("calc", {}, WHOLE))],
        [
            (
                run(call("calc", {}, LATER)),
                [
                    "expected the output of calc to be "
                    '{"result": 42, "status": "ok", "timestamp": 1234567890}, '
                    'found {"result": 42, "status": "ok", "timestamp": 2}'
                ],
            ),
        ],
    ),
    # Keys may be left out; a value is a value.
    "argument-validation": (
        [run(call("database_query", SELECT))],
        [
            (
                run(call("database_query", SELECT | {"query": "SELECT * FROM t"})),
                [NO_SELECT + "found 1 with others"],
            ),
            (run(), [NO_SELECT + "found no call"]),
        ],
    ),
    "output-sampling": (
        [run(call("fetch", {}, mcp("<!DOCTYPE html><p>")))],
        [
            (
                run(call("fetch", {}, "<!doctype html>")),
                [NO_PAGE + '"<!doctype html>" (only letter case differs)'],
            ),
            (run(), [NO_PAGE + "no such call"]),
        ],
    ),
    "negative-assertions": (
        [run(text="All is well."), run()],
        [(run(text="An ERROR."), ["expected no 'error' in the answer"])],
    ),
    # They do not contradict each other: one answer of a model may call all.
    "impossible-requirements": (
        [run(*STEPS)],
        [
            (
                run(*STEPS[:2], llm_calls=2),
                [
                    "expected 1 or fewer calls of the model, found 2",
                    "expected the calls auth, fetch, process, save and no others, "
                    "found auth, fetch",
                ],
            )
        ],
    ),
}

ASKED = {
    "basic-to-comprehensive": [
        ("llm_judge Response accurately describes fetched content", [])
    ],
    "vague-to-specific": [
        ("llm_judge Good response", []),
        (
            "llm_judge Response must: 1) Acknowledge the request, 2) Use the fetch "
            "tool, 3) Summarize key findings, 4) Handle any errors gracefully",
            [],
        ),
    ],
    "multi-criteria-judges": [
        (
            "llm_judge Evaluate on: Accuracy (40%), Completeness (30%), "
            "Clarity (30%)",
            [],
        )
    ],
    "vague-judges": [
        ("llm_judge Be good", []),
        (
            "llm_judge Provide accurate calculation with explanation of method",
            [],
        ),
    ],
}

MISTAKES = {
    # Its values leave out `kind`, and then what that needs (deviation M9).
    "over-specification": [
        "2:1: tool_output_matches: missing key 'tool_name'",
        "5:1: tool_output_matches: missing key 'tool_name'",
    ],
}

# The place for the assertions holds a comment.
NOTHING = ["output-format"]
