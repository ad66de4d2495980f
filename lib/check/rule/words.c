/* The table of the grammar's words. */
#include "check/rule/words.h"

#include "text/caseless.h"

#define PHRASES_OF_LEAST \
	"no fewer than|no less than|not less than|at least|at_least|atleast|" \
	"minimum|min"
#define PHRASES_OF_MOST \
	"no more than|not more than|at most|at_most|atmost|up to|maximum|max"
#define PHRASES_OF_NO \
	"must not call|must not use|must not|must never call|must never|" \
	"should not call|should not|should never|do not call|do not use|" \
	"do not|don't call|don't use|don't|not call|no call to|no calls to|" \
	"never call|never use|never|forbid|forbidden|avoid|without|deny|" \
	"disallow"
#define PHRASES_OF_NOTHING \
	"the agent|the assistant|must call|must use|must|should call|" \
	"should use|should|require|requires|required|call|use|expect"

#define NONE RULE_FORMS
enum {
	BEGINS = RULES_CLAIM | RULES_RESERVED,
	JOINS = RULES_BEHIND | RULES_BRACKETS | RULES_RESERVED,
};

/* The table of words: the earlier of two words at one place is suggested. */
const struct rules_word rules_words[] = {
	{ "warn", RULES_FIRST | RULES_RESERVED | RULES_OPENS, NONE, NULL,
	    NULL },
	{ "note", RULES_FIRST | RULES_RESERVED | RULES_OPENS, NONE, NULL,
	    NULL },
	{ "per", RULES_FIRST | RULES_OPENS, NONE, NULL, NULL },
	{ "turn", RULES_FIRST, NONE, NULL, NULL },
	{ "message", RULES_FIRST, NONE, NULL, NULL },
	{ "no", BEGINS | RULES_OPENS, NONE, NULL, PHRASES_OF_NO },
	{ "every", BEGINS | RULES_OPENS, RULE_EVERY, NULL,
	    "each|all|any|always|whenever|when|if" },
	{ "only", BEGINS | RULES_OPENS, RULE_ONLY, NULL, "just|allow|allowed" },
	{ "same", BEGINS, RULE_SAME, NULL, NULL },
	{ "answer", BEGINS | RULES_OPENS | RULES_OF, NONE,
	    "response reply output text final",
	    "the answer|final answer|final_text|the response|response|the "
	    "output|"
	    "output|reply" },
	{ "prompt", BEGINS | RULES_OF, NONE,
	    "prompts question input inputs user request task",
	    "question|input|user" },
	{ "calls", BEGINS | RULES_OPENS, RULE_CALLS, NULL,
	    "tool calls|tool_calls|steps" },
	{ "errors", BEGINS, RULE_ERRORS, NULL, "failures" },
	{ "turns", BEGINS, RULE_TURNS, NULL, NULL },
	{ "tokens", BEGINS, RULE_TOKENS, NULL, NULL },
	{ "cost", BEGINS, RULE_COST, NULL, "price" },
	{ "time", BEGINS, RULE_TIME, NULL,
	    "duration|latency|runtime|elapsed|seconds" },
	{ "sum", RULES_CLAIM, RULE_SUM, NULL, "total" },
	{ "distinct", RULES_CLAIM, RULE_DISTINCT, NULL, "unique" },
	{ "judge", BEGINS, RULE_JUDGE, NULL, NULL },
	{ "not", BEGINS, RULE_NOT, NULL, NULL },
	{ "first", RULES_CLAIM, RULE_FIRST, NULL, NULL },
	{ "last", RULES_CLAIM, RULE_LAST, NULL, NULL },
	{ "<=", RULES_OPENS, NONE, NULL, PHRASES_OF_MOST },
	{ ">=", RULES_OPENS, NONE, NULL, PHRASES_OF_LEAST },
	{ "", RULES_NOWHERE, NONE, NULL, PHRASES_OF_NOTHING },
	{ "then", RULES_BEHIND | RULES_EVERY_CALL | RULES_RESERVED, RULE_CHAIN,
	    "followed -> => requires needs", NULL },
	{ "before", RULES_BEHIND | RULES_RESERVED, RULE_BEFORE,
	    "unless until without", NULL },
	{ "after", RULES_BEHIND | RULES_RESERVED, NONE, NULL, NULL },
	{ "since", RULES_BEHIND, NONE, NULL, NULL },
	{ "until", RULES_BEHIND, NONE, NULL, NULL },
	{ "within", RULES_BEHIND, NONE, NULL, NULL },
	{ "just", RULES_BEHIND, NONE, NULL, NULL },
	{ "and", JOINS, RULE_AND, "&& & plus", NULL },
	{ "or", JOINS, RULE_OR, "|| either", NULL },
	{ "if", RULES_BEHIND | RULES_RESERVED, NONE,
	    "when where while whenever", NULL },
	{ "in", RULES_BEHIND | RULES_OF_VALUE | RULES_RESERVED, NONE, NULL,
	    NULL },
	{ "ignoring", RULES_BEHIND, NONE, "except excluding ignore", NULL },
	{ "as", RULES_SAME_CALL | RULES_RESERVED, NONE, NULL, NULL },
	{ "of", RULES_ASKED, NONE, "about over on in from with using given",
	    NULL },
	{ "transcript", RULES_OF, NONE,
	    "conversation dialogue turns messages steps history trace log all",
	    NULL },
	{ "results", RULES_OF, NONE,
	    "result calls call tools tool outputs returns evidence commands",
	    NULL },
	{ "files", RULES_OF, NONE, "file workspace folder directory diff",
	    NULL },
	{ "system", RULES_OF, NONE, "system_prompt instructions", NULL },
	{ "row", RULES_OF_IN, NONE, NULL, NULL },
	{ "a", RULES_OF_IN, NONE, NULL, NULL },
	{ "order", RULES_OF_IN, NONE, NULL, NULL },
	{ "has", RULES_OF_TEXT, RULE_HAS,
	    "contains include includes mention mentions with", NULL },
	{ "lacks", RULES_OF_TEXT, RULE_LACKS,
	    "excludes omits without not doesn't doesn", NULL },
	{ "grounded", RULES_OF_TEXT, RULE_GROUNDED, NULL, NULL },
	{ "unseen", RULES_OF_VALUE, NONE, NULL, NULL },
	{ "absent", RULES_OF_VALUE, NONE, NULL, NULL },
	{ "~ /.../", RULES_OF_TEXT | RULES_OF_VALUE, NONE,
	    "matches match like contains has includes =~", NULL },
	{ "=", RULES_OF_TEXT | RULES_OF_VALUE, RULE_IS,
	    "is equals eq is:", "exactly" },
	{ ",", RULES_LIST, NONE, "and && &", NULL },
	{ "len", RULES_COND, NONE, NULL, NULL },
	{ "run", RULES_NAME, NONE, NULL, NULL },
	{ "user", RULES_NAME, NONE, NULL, NULL },
	{ "said", RULES_NAME, NONE, NULL, NULL },
	{ "let", RULES_FIRST, NONE, NULL, NULL },
	{ "args", RULES_AT_SIGN, NONE, NULL, NULL },
	{ "result", RULES_AT_SIGN, NONE, NULL, NULL },
	{ "ms", RULES_AT_SIGN, NONE, NULL, NULL },
	{ "error", RULES_AT_SIGN, NONE, NULL, NULL },
	{ "tool", RULES_AT_SIGN, NONE, NULL, NULL },
	{ "agent", RULES_AT_SIGN, NONE, NULL, NULL },
	{ NULL, RULES_NOWHERE, NONE, NULL, NULL },
};

const struct rules_word *
rules_word_at(struct str word, unsigned places)
{
	for (const struct rules_word *w = rules_words; w->word != NULL; w++)
		if (w->places & places && str_is(word, w->word))
			return w;
	return NULL;
}

const char *
rules_word_of_form(enum rule_form form)
{
	for (const struct rules_word *w = rules_words; w->word != NULL; w++)
		if (w->form == form)
			return w->word;
	return NULL;
}

struct str
rules_meant(struct str word, unsigned places)
{
	for (const struct rules_word *w = rules_words; w->word != NULL; w++)
		if (w->places & places && w->english != NULL &&
		    caseless_is_one_of(word, w->english))
			return str_of(w->word);
	return (struct str){ 0 };
}

bool
rules_opens_file(struct str word)
{
	for (const struct rules_word *w = rules_words; w->word != NULL; w++)
		if (w->places & RULES_OPENS &&
		    caseless_is_one_of(word, w->word))
			return true;
	return false;
}
