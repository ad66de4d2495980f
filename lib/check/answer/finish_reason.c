#include "check/answer/answer_kinds.h"

/* Returns promptfoo's word for why a model's answer ended. */
static struct str
common_word(struct str word)
{
	static const struct {
		const char *word, *common;
	} words[] = {
		{ "end_turn", "stop" },
		{ "stop_sequence", "stop" },
		{ "max_tokens", "length" },
		{ "model_context_window_exceeded", "length" },
		{ "tool_use", "tool_calls" },
		{ "function_call", "tool_calls" },
		{ "refusal", "content_filter" },
	};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (str_eq_ascii_nocase(word, str_of(words[i].word)))
			return str_of(words[i].common);
	return word;
}

static struct finding
finish_reason_find(const void *want, struct view *v)
{
	const struct str *wanted = want;
	const struct json *meta = v->trace->member[TRACE_META];
	struct str word = json_text(json_get(meta, "finish_reason"), v->arena);

	if (word.n == 0)
		word = json_text(json_get(meta, "incomplete"), v->arena);
	if (word.n == 0)
		return finding_skip("not recorded: meta.finish_reason");
	return (struct finding){
		.found = str_eq_ascii_nocase(common_word(word), *wanted)
		    ? FOUND_YES
		    : FOUND_NO,
		.why = word,
	};
}

static const struct check_kind finish_reason_check_kind = { .name =
								"finish_reason",
	.find = finish_reason_find,
	WANTS({ "reason", WANT_STR, 0 }) };

struct check
finish_reason_check(struct arena *a, struct str reason)
{
	return check_new(
	    a, &finish_reason_check_kind, &reason, sizeof reason, 0);
}
