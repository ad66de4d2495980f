"""Random assertions of the types that only the current PromptKit Arena has, for
the scenarios of arena_scenarios.py."""
from arena_scenarios import PATTERNS, STATES, TOOLS, Assertion, Scenario

NAMES = TOOLS + ["nosuch", "workflow__transition"]
RESULTS = ["Quantum", "quantum", "results", "ünï", "nothing", "error", "1000000", "", "said"]


class NowScenario(Scenario):
    """All types are judged alike in both dialects, unless `later` says so."""

    def limits(self):
        keys = [k for k in ["min_score", "max_score"] if self.chance(.25)]
        return {k: self.one([0, 0.3, 0.5, 1, 1.0]) for k in keys}

    def now(self, kind, params, later=None):
        params = {**params, **self.limits()}
        if self.chance(.1):
            limits = {k: params.pop(k) for k in ["min_score", "max_score"] if k in params}
            params = {"eval_type": kind, "eval_params": params, **limits}
            kind = "assertion"
        return Assertion(kind, params, later=later)

    def make_now_count(self, run):
        params = {k: self.one([0, 1, 2, 3]) for k in ["min", "max"] if self.chance(.6)}
        if self.chance(.6):
            params["tool"] = self.one(NAMES)
        return self.now("tool_call_count", params)

    def make_now_order(self, run):
        return self.now("tool_call_sequence", {"sequence": self.any(NAMES, 0, 3)})

    def make_now_chain(self, run):
        def step():
            more = {"result_includes": self.any(RESULTS, 0, 2), "result_matches": self.one(["said", "Q.*m", "^$"]),
                    "args_match": {"s": self.one(PATTERNS)}, "no_error": True}
            return {"tool": self.one(NAMES), **{k: v for k, v in more.items() if self.chance(.2)}}
        return self.now("tool_call_chain", {"steps": self.some(step, [1, 2, 3])})

    def make_now_anti(self, run):
        return self.now("tool_anti_pattern", {"patterns": [
            {"sequence": self.any(NAMES, 1, 2), "message": "no"} for _ in range(self.one([1, 2]))]})

    def make_now_repeat(self, run):
        params = {"max_repeats": self.one([1, 2, 3])} if self.chance(.5) else {}
        if self.chance(.5):
            params["tools"] = self.any(NAMES, 0, 2)
        return self.now("tool_no_repeat", params)

    def make_now_efficiency(self, run):
        params = {"max_calls": self.one([1, 2, 5]), "max_errors": self.one([0, 1]),
                  "max_error_rate": self.one([0.0, 0.4, 1.0])}
        kept = {k: v for k, v in params.items() if self.chance(.5)}
        return self.now("tool_efficiency", kept or params)

    def make_now_errors(self, run):
        return self.now("no_tool_errors", {"tools": self.any(NAMES, 0, 2)} if self.chance(.6) else {"tools": []})

    def make_now_result(self, run):
        params = {"occurrence": self.one([1, 2])} if self.chance(.3) else {}
        if self.chance(.6):
            params["tool"] = self.one(NAMES)
        if self.chance(.5):
            return self.now("tool_result_includes", {**params, "patterns": self.any(RESULTS, 0, 2)})
        return self.now("tool_result_matches", {**params, "pattern": self.one(
            ["said", "Q.*m", "^$", "(?i)quantum", "not found", "^Error", "1000000"])})

    def make_now_args(self, run):
        tool = self.one(TOOLS + ["nosuch"])
        kind = self.one(["tool_args", "tool_args_session"])
        return self.now(kind, {"tool_name": tool, "expected_args": self.values(tool)})

    def make_now_kept(self, run):
        return self.now("invariant_fields_preserved", {
            "tool": self.one(TOOLS), "fields": self.any(["s", "n", "v", "é"], 1, 2)})

    def make_now_called(self, run):
        params = {"tool_names": self.any(NAMES, 0, 2), "min_calls": self.one([0, 1, 2])}
        if self.chance(.3):
            params["max_calls"] = self.one([0, 1, 2])
        if self.chance(.2):
            params["require_args"] = True
        return self.now("tool_called", params)

    def make_now_skills(self, run):
        kind = self.one(["skill_activated", "skill_not_activated"])
        return self.now(kind, {"skill_names": self.any(["a", "b"], 0, 2)})

    def make_now_same(self, run):
        return self.now(*self.one([
            ("outcome_equivalent", {"metric": "tool_calls", "expected_tools": self.any(NAMES, 0, 2)}),
            ("outcome_equivalent", {"metric": "content_hash", "expected_content": self.piece()}),
            ("directional", {"check": "same_tool_calls", "baseline_tools": self.any(NAMES, 0, 2)}),
            ("directional", {"check": "similar_content", "baseline_content": self.piece()})]))

    def make_now_text(self, run):
        patterns = [self.piece() for _ in range(self.one([0, 1, 1, 2, 3]))]
        return self.now(*self.one([
            ("contains", {"patterns": patterns}),
            ("contains_any", {"patterns": patterns}),
            ("content_excludes", {"patterns": patterns}),
            ("field_presence", {"fields": patterns}),
            ("regex", {"pattern": self.one(PATTERNS), "expect_match": self.one([True, False])}),
            ("json_valid", self.where())]))

    def make_now_length(self, run):
        n = len(self.calls[-1][-1]["content"].encode())
        limit = max(1, self.one([n, n - 1, n + 1, 1, 1000, 2 * n]))
        return self.now(*self.one([
            ("min_length", {self.one(["min", "min_characters", "min_chars"]): limit}),
            ("max_length", {self.one(["max", "max_characters", "max_chars"]): limit}),
            ("max_length", {"max": limit, "max_tokens": self.one([1, 10, 100])}),
            ("sentence_count", {"max": 1})]))

    def make_now_states(self, run):
        return self.now("workflow_transition_order", {
            "sequence": self.any([s for s in STATES if s], 0, 2)})
