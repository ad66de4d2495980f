#include "check/dialect/rubric.h"

#include "base/ascii.h"
#include "text/caseless.h"

enum { TOOLS, FILES, CONVERSATION, TOPICS };

static const struct topic {
	const char *what, *words;
	/* Words one of which comes before, as in "the file", because the word
	 * alone may be a verb; NULL: the word needs none. */
	const char *after;
	unsigned context; /* JUDGE_... bits, each of which shows some of it */
} topics[] = {
	[TOOLS] = { "tools", "tool tools", NULL,
	    JUDGE_TOOL_SEQUENCE | JUDGE_TOOL_INPUTS | JUDGE_TRANSCRIPT },
	[FILES] = { "files", "file files",
	    "the a any each every this that these those all its new no",
	    JUDGE_WORKSPACE | JUDGE_TOOL_INPUTS | JUDGE_TRANSCRIPT },
	[CONVERSATION] = { "the conversation",
	    "conversation transcript dialogue dialog", NULL,
	    JUDGE_PROMPT | JUDGE_TRANSCRIPT },
};

/* Removes the first word from the text and returns the word. */
static struct str
next_word(struct str *text)
{
	struct str all = *text;
	size_t start = 0, end;

	while (start < all.n && !ascii_is_alnum((unsigned char)all.s[start]))
		start++;
	end = start;
	while (end < all.n && ascii_is_alnum((unsigned char)all.s[end]))
		end++;
	*text = str_from(all, end);
	return str_slice(all, start, end);
}

/* Returns whether the text speaks of the topic. */
static bool
speaks_of(struct str text, const struct topic *t)
{
	struct str before = STR(""), word;

	while ((word = next_word(&text)).n != 0) {
		if (caseless_is_one_of(word, t->words) &&
		    (t->after == NULL || caseless_is_one_of(before, t->after)))
			return true;
		before = word;
	}
	return false;
}

static bool
want_speaks_of(const struct judge_want *w, const struct topic *t)
{
	const struct judge_criteria *c = w->criteria;

	for (size_t i = 0; c != NULL && i < c->n; i++)
		if (speaks_of(c->list[i].description, t))
			return true;
	return speaks_of(w->rubric, t);
}

void
rubric_remark(const struct document *doc, const struct json *at,
    const struct judge_want *w, const char *remedy)
{
	for (size_t i = 0; i < TOPICS; i++) {
		const struct topic *t = &topics[i];

		if (w->text == JUDGE_ALL || w->context & t->context ||
		    !want_speaks_of(w, t))
			continue;
		policy_report(doc->policy, MISTAKE_REMARK,
		    document_place(doc, at),
		    "the rubric speaks of %s, which the judge is not shown%s%s",
		    t->what, remedy == NULL ? "" : "; see ",
		    remedy == NULL ? "" : remedy);
	}
}
