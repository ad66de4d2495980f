"""Tables for the blocks of PromptKit's document: see tests/suite/check/blocks. Patterns
without (?i) distinguish case, each call of a tool must have the arguments, and a word
of the document is any part of the text (mcpl-spec(5))."""


def call(tool, args=None, result="ok"):
    return {"tool": tool, "args": args or {}, "result": result}


def turn(*steps, **more):
    """Returns a turn with texts and calls; more: state, guardrails."""
    steps = [{"text": s} if isinstance(s, str) else s for s in steps]
    return {"steps": steps, **more}


def run(*turns, **more):
    texts = [s["text"] for t in turns for s in t["steps"] if "text" in s]
    tools = [s["tool"] for t in turns for s in t["steps"] if "tool" in s]
    run = {"type": "trace", "v": 1, "turns": turns, "tool_sequence": tools}
    if texts:
        run["final_text"] = texts[-1]
    return {**run, **more}


def said(*texts):
    return run(*(turn(text) for text in texts))


def called(*steps):
    return run(turn(*steps, "Done."))


def flow(state, complete, *states):
    """Returns a step that went through these states."""
    return run(
        turn("Done.", state=state),
        workflow={
            "state": state,
            "complete": complete,
            "transitions": [
                {"from": "start", "to": to, "event": "go", "turn": 0}
                for to in states
            ],
        },
    )


def fired(*guardrails):
    """Returns turns, each with the guardrail that fired, or with none."""
    return run(
        *(
            turn("Yes.", guardrails=[{"name": g, "passed": False}] if g else [])
            for g in guardrails
        )
    )


def lacks(*patterns):
    return "the response does not include: " + ", ".join(patterns)


def no_match(pattern, case=False):
    return "the response does not match the pattern: %s%s" % (
        pattern,
        " (only letter case differs)" if case else "",
    )


EMAIL = r"(?i)\b[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Z|a-z]{2,}\b"
PHONE = r"\(?\d{3}\)?[-.\s]?\d{3}[-.\s]?\d{4}"
RESEARCH = "a2a__research_agent__search_papers"
TRANSLATE = "a2a__translation_agent__translate"
ADMIN = "a2a__admin_agent__execute"
WEATHER = "not called with these arguments: get_weather"

# By the block's name: runs that pass, then runs that fail, each with why.
VERDICTS = {
    "content-includes-example": (
        [said("It is PARIS."), said("Parisians call it home.")],
        [(said("It is Lyon."), [lacks("Paris")])],
    ),
    "content-includes-multiple-patterns": (
        [said("Paris, the capital of france")],
        [
            (said("In France."), [lacks("Paris")]),
            (said("Lyon"), [lacks("Paris", "France")]),
        ],
    ),
    "content-matches-example": (
        [said("Write to help@example.com, please.")],
        [(said("Please call us instead"), [no_match(EMAIL)])],
    ),
    "content-matches-pattern-examples": (
        [said("Hello, sorry! Yes: 555-123-4567 for #12345.")],
        [
            (
                said("HELLO"),
                [
                    no_match(r"\d{3}-\d{3}-\d{4}"),
                    no_match(r"#\d{5,}"),
                    no_match(r"(?i)\b(yes|no)\b"),
                    no_match("(?i)(understand|sorry|apologize|help)"),
                ],
            )
        ],
    ),
    "content-matches-common-patterns": (
        [said("a@b.org https://b.org #AB12CD $12.50 (555) 123-4567")],
        [
            (
                said("A@B.ORG HTTP://b.org #ab12cd $x 555"),
                [
                    no_match(r"https?://[^\s]+", case=True),
                    no_match("#?[A-Z0-9]{6,}", case=True),
                    no_match(r"\$\d+(\.\d{2})?"),
                    no_match(PHONE),
                ],
            )
        ],
    ),
    "tools-called-example": (
        [called(call("get_weather")), called(call("x"), call("get_weather"))],
        [
            (
                called(call("Get_weather")),
                [
                    "tools were not called: get_weather (only letter case "
                    "differs: 'Get_weather' was called)"
                ],
            )
        ],
    ),
    "tools-called-multiple-tools": (
        [called(call("update_customer_address"), call("check_order_status"))],
        [
            (
                called(call("check_order_status")),
                ["tools were not called: update_customer_address"],
            )
        ],
    ),
    "tools-not-called-example": (
        [called(), called(call("get_weather"))],
        [
            (
                called(call("delete_account")),
                ["forbidden tools were called: delete_account"],
            )
        ],
    ),
    "tools-not-called-policy-enforcement": (
        [called(call("get_account"))],
        [
            (
                called(call("create_order"), call("update_account")),
                ["forbidden tools were called: update_account, create_order"],
            )
        ],
    ),
    "tool-calls-with-args-turn-example-exact-match": (
        [called(call("get_weather", {"location": "San Francisco", "n": 1}))],
        [
            (called(call("get_weather", {"location": "SF"})), [WEATHER]),
            (
                called(
                    call("get_weather", {"location": "SF"}),
                    call("get_weather", {"location": "San Francisco"}),
                ),
                [WEATHER],
            ),
            (called(), [WEATHER]),
        ],
    ),
    "tool-calls-with-args-turn-example-regex-pattern-match": (
        [called(call("analyze_image", {"description": "the LOGO"}))],
        [
            (
                called(call("analyze_image", {"description": "a cat"})),
                ["not called with these arguments: analyze_image"],
            )
        ],
    ),
    "tool-calls-with-args-turn-example-presence-check-any-value": (
        [called(call("get_weather", {"location": None}))],
        [(called(call("get_weather", {"Location": "x"})), [WEATHER])],
    ),
    "tool-calls-with-args-conversation-example-exact-match": (
        [
            run(
                turn(call("get_weather", {"location": "San Francisco"})),
                turn("Sunny."),
                scenario_id="tool-args-test",
            )
        ],
        [
            (
                run(
                    turn(call("get_weather", {"location": "SF"})),
                    scenario_id="tool-args-test",
                ),
                [WEATHER],
            )
        ],
    ),
    "tool-calls-with-args-conversation-example-regex-pattern-match": (
        [called(call("search_products", {"query": "a Laptop"}))],
        [
            (
                called(call("search_products", {"query": "a desk"})),
                ["not called with these arguments: search_products"],
            )
        ],
    ),
    "tool-calls-with-args-conversation-combined-exact-and-pattern-match": (
        [
            called(
                call(
                    "create_order",
                    {"category": "electronics", "product_id": "PROD-7"},
                )
            )
        ],
        [
            (
                called(
                    call(
                        "create_order",
                        {"category": "electronics", "product_id": "PROD-"},
                    )
                ),
                ["not called with these arguments: create_order"],
            )
        ],
    ),
    "agent-invoked-turn-example": (
        [called(call(RESEARCH))],
        [
            (
                called(call(TRANSLATE)),
                ["missing required agent invocations: " + RESEARCH],
            )
        ],
    ),
    "agent-invoked-turn-multiple-agents": (
        [called(call(TRANSLATE), call(RESEARCH))],
        [
            (
                called(call(RESEARCH)),
                ["missing required agent invocations: " + TRANSLATE],
            )
        ],
    ),
    "agent-not-invoked-turn-example": (
        [said("4"), called(call(TRANSLATE))],
        [
            (
                called(call(RESEARCH)),
                ["forbidden agents were invoked: " + RESEARCH],
            )
        ],
    ),
    "agent-response-contains-turn-example": (
        [called(call(RESEARCH, {}, "1. Quantum Computing Fundamentals"))],
        [
            (
                called(call(RESEARCH, {}, "quantum computing fundamentals")),
                [
                    "no matching agent response found containing expected text"
                    " (only letter case differs)"
                ],
            ),
            (
                called(call(TRANSLATE, {}, "Quantum Computing Fundamentals")),
                ["no matching agent response found containing expected text"],
            ),
        ],
    ),
    "agent-invoked-conversation-example": (
        [
            run(
                turn(call(RESEARCH)),
                turn(call(TRANSLATE)),
                scenario_id="multi-agent-test",
            )
        ],
        [
            (
                run(turn(call(RESEARCH)), scenario_id="multi-agent-test"),
                ["missing required agent invocations: " + TRANSLATE],
            )
        ],
    ),
    "agent-not-invoked-conversation-example": (
        [called(call(RESEARCH))],
        [
            (
                run(turn(call(ADMIN, {"command": "ls"})), turn("Done.")),
                ["forbidden agents were invoked"],
            )
        ],
    ),
    "state-is-example": (
        [flow("intake", False)],
        [
            (
                flow("processing", False, "processing"),
                [
                    'expected state "intake" but workflow is in state '
                    '"processing"'
                ],
            )
        ],
    ),
    "transitioned-to-example": (
        [flow("done", True, "specialist", "done")],
        [
            (
                flow("specialist", False),
                ['workflow never transitioned to state "specialist"'],
            )
        ],
    ),
    "workflow-complete-example": (
        [flow("done", True, "done")],
        [(flow("done", False, "done"), ["workflow is not complete"])],
    ),
    "guardrail-triggered-example": (
        [fired("banned_words", None)],
        [
            (
                fired("max_length", "max_length"),
                [
                    'guardrail "banned_words" did not trigger',
                    "a guardrail triggered",
                ],
            )
        ],
    ),
    "guardrail-triggered-testing-length-limits": (
        [fired("max_length")],
        [(fired(None), ['guardrail "max_length" did not trigger'])],
    ),
    "combining-assertions": (
        [run(turn(call("get_weather"), "The weather: 20°C"))],
        [
            (
                said("The Weather: 20 °c"),
                [
                    "tools were not called: get_weather",
                    no_match(r"\d+°[CF]"),
                ],
            )
        ],
    ),
    "conditional-logic": (
        [run(turn(call("get_weather")), turn("I can't know."))],
        [
            (
                run(turn("Hot."), turn(call("get_weather"), "Cold.")),
                [
                    "tools were not called: get_weather",
                    no_match("(?i)(can't|cannot|unable|don't know)"),
                    "forbidden tools were called: get_weather",
                ],
            )
        ],
    ),
    "progressive-verification": (
        [
            run(
                turn("Which order?"),
                turn(call("check_order_status"), "Of #12345: sent."),
                turn("On Monday."),
            )
        ],
        [
            (
                run(
                    turn(call("check_order_status"), "Which order?"),
                    turn("Of 12345: sent."),
                    turn("Soon."),
                ),
                [
                    lacks("#12345"),
                    "tools were not called: check_order_status",
                    no_match("(?i)(date|time|day)"),
                ],
            )
        ],
    ),
    "1-be-specific": (
        [said("let me help you track your order!")],
        [(said("I help."), [lacks("Let me help you track your order")])],
    ),
    "2-use-messages": (
        [said("By EMAIL.")],
        [(said("By post."), [no_match("(?i)email")] * 2)],
    ),
    "3-test-both-success-and-failure": (
        [run(turn(call("get_weather")), turn("Fine."))],
        [
            (
                run(turn("Fine."), turn(call("get_weather"))),
                [
                    "tools were not called: get_weather",
                    "forbidden tools were called: get_weather",
                ],
            )
        ],
    ),
    "4-use-appropriate-assertion-types": (
        [said("Hello from Paris")],
        [
            (
                said("Bonjour, paris"),
                [no_match("Paris", case=True)],
            )
        ],
    ),
    "assertion-always-fails-check": (
        [said("Hello!")],
        [(said("HELLO! there"), [no_match("Hello!", case=True)])],
    ),
    "regex-pattern-errors-common-issues": (
        [],
        [(said("It is $100."), [no_match("$100")])],
    ),
}

MISTAKES = {
    # A placeholder.
    "assertion-structure": ["2:11: assertion: unknown type 'assertion_name' "
                            "(did you mean 'assertion'?)"],
    # Go's regular expressions have no lookaround.
    "regex-performance": [
        "8:10: content_matches: pattern: lookbehind is not supported by RE2: "
        "error parsing regexp: invalid named capture: "
        "`(?<=word)pattern(?=word)` (at offset 0)"
    ],
}
