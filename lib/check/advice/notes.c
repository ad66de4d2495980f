#include "check/advice/notes.h"
#include "check/advice/advice.h"

#include <stdlib.h>
#include <string.h>

#include "text/unicode.h"
#include "text/visible.h"

#define ROW(id, priority, why) \
	{ \
		(id), ADVICE_##priority, (why) \
	}

const struct advice advice_table[ADVICE_COUNT] = {
	[NO_ASSERTIONS] = ROW("no-assertions", CRITICAL,
	    "its runs are never checked; write at least one assertion"),
	[NO_TOOL_CHECK] = ROW("no-tool-check", CRITICAL,
	    "an answer may look right although no tool was used; require the "
	    "tools that the task needs"),
	[NO_ARGUMENT_CHECK] = ROW("no-argument-check", CRITICAL,
	    "the right tool may get wrong arguments; check the arguments that "
	    "matter, and only these"),
	[NO_OUTPUT_CHECK] = ROW("no-output-check", CRITICAL,
	    "a tool may have returned something else; look for a marker in its "
	    "output"),
	[NO_CONTENT_CHECK] = ROW("no-content-check", CRITICAL,
	    "an answer without the information passes; look for the words that "
	    "it must contain"),
	[NO_ORDER] = ROW("no-order", CRITICAL,
	    "any order passes; if the order matters, require it"),
	[UNCHECKED_TOOL] = ROW("unchecked-tool", CRITICAL,
	    "all runs that pass call it; if the task needs the tool, require "
	    "it"),
	[CONTRADICTION] = ROW("contradiction", CRITICAL,
	    "no run can pass both; remove or widen one"),
	[NO_NEGATIVE_CASE] = ROW("no-negative-case", PREVENTION,
	    "a harmful call or a bad answer passes; forbid a tool or a text"),
	[NO_ERROR_CHECK] = ROW("no-error-check", PREVENTION,
	    "it is about errors; look for the message, the recovery or the "
	    "explanation"),
	[DUPLICATE] = ROW("duplicate", PREVENTION,
	    "it decides nothing more; remove one, or correct the one that was "
	    "meant differently"),
	[IMPLIED_RULE] = ROW("implied-rule", PREVENTION,
	    "it decides nothing more; remove it, or make it stricter"),
	[NEVER_APPLIED] = ROW("never-applied", PREVENTION,
	    "it passed without anything to judge; correct it, or add a run for "
	    "it"),
	[ASKED_PERMISSION] = ROW("asked-permission", PERFORMANCE,
	    "the agent asks each time; if the answer is always yes, allow it"),
	[SHELL_PATTERN] = ROW("shell-pattern", PREVENTION,
	    "a pattern misses flags in another order or place and finds texts "
	    "in "
	    "quotes; name the command"),
	[TOOL_OF_ROLE] = ROW("tool-of-role", PREVENTION,
	    "other agents call their tools otherwise, and the rule says "
	    "nothing "
	    "about them; name the role"),
	[UNUSED_GLOB] = ROW("unused-glob", PREVENTION,
	    "no run calls such a tool, so that the rule says nothing; correct "
	    "the name"),
	[UNESCAPED_DOT] = ROW("unescaped-dot", PREVENTION,
	    "the dot is any character; write \\. for a dot"),
	[UNESCAPED_DOLLAR] = ROW("unescaped-dollar", PREVENTION,
	    "the $ is an end of the text, so that nothing matches; write \\$ "
	    "for a dollar"),
	[UNANCHORED_TOOL] = ROW("unanchored-tool", PREVENTION,
	    "it matches within longer names, too; write it between ^ and $"),
	[NO_LIMIT] = ROW("no-limit", PERFORMANCE,
	    "an agent that goes round in circles passes; limit the iterations, "
	    "3 to 5 as a rule, or the calls"),
	[NO_TIME_LIMIT] = ROW("no-time-limit", PERFORMANCE,
	    "a slow run passes; set a generous limit"),
	[NO_EFFICIENCY_CHECK] = ROW("no-efficiency-check", PERFORMANCE,
	    "it is about performance; limit its calls, tokens or cost"),
	[ITERATION_LIMIT] = ROW("iteration-limit", PERFORMANCE,
	    "3 to 5 are reasonable: fewer fail good runs, more permit loops"),
	[TIGHT_TIME_LIMIT] = ROW("tight-time-limit", PERFORMANCE,
	    "a busy server fails good runs; set a generous limit, such as "
	    "twice the slowest run"),
	[SLOW_REGEX] = ROW("slow-regex", PERFORMANCE,
	    "it may take very long on some answers; write a plainer pattern"),
	[TOO_MANY_ASSERTIONS] = ROW("too-many-assertions", PERFORMANCE,
	    "3 to 5 are enough for a turn; combine or remove some"),
	[SEPARATE_CHECKS] = ROW("separate-checks", PERFORMANCE,
	    "one assertion can have all patterns; combine them"),
	[NO_JUDGE] = ROW("no-judge", QUALITY,
	    "whether the answer is good is not asked; let a judge decide by a "
	    "rubric"),
	[ONLY_JUDGE] = ROW("only-judge", QUALITY,
	    "a judge costs a request and may change its mind; check by text, "
	    "file or tool what can be checked so"),
	[ONLY_EXACT_TEXT] = ROW("only-exact-text", QUALITY,
	    "other words for the same fail; look for a part of the answer, or "
	    "ask a judge"),
	[EXACT_COUNT] = ROW("exact-count", QUALITY,
	    "a call that is repeated fails a good run; require a minimum"),
	[EXACT_OUTPUT] = ROW("exact-output", QUALITY,
	    "an unimportant change fails a good run; compare one field, or "
	    "look for a part"),
	[EXACT_ANSWER] = ROW("exact-answer", QUALITY,
	    "natural language varies; look for the part that matters"),
	[OVER_SPECIFIED] = ROW("over-specified", QUALITY,
	    "an answer in other words fails; keep the part that matters"),
	[CASE_SENSITIVE] = ROW("case-sensitive", QUALITY,
	    "another case of the letters fails a good answer; ignore case"),
	[CASE_SENSITIVE_REGEX] = ROW("case-sensitive-regex", QUALITY,
	    "another case of the letters fails a good answer; begin with "
	    "(?i)"),
	[PUNCTUATION] = ROW("punctuation", QUALITY,
	    "an answer without this sign fails; leave it out"),
	[VAGUE_PATTERN] = ROW("vague-pattern", QUALITY,
	    "nearly every answer has it; write words that only a good answer "
	    "has"),
	[VAGUE_RUBRIC] = ROW("vague-rubric", QUALITY,
	    "it cannot be measured; name what the answer must have, point by "
	    "point"),
	[MIN_SCORE] = ROW("min-score", QUALITY,
	    "0.7 to 0.8 leave a judge room without letting bad answers pass"),
	[NO_REASONING] = ROW("no-reasoning", NICE,
	    "a verdict without reasons cannot be understood; ask for them"),
	[NO_MESSAGE] = ROW("no-message", NICE,
	    "a report cannot say what failed; write a message"),
	[NEEDLESS_REGEX] = ROW("needless-regex", NICE,
	    "it is plain text; look for the text itself"),
	[NO_REQUIRES] = ROW("no-requires", NICE,
	    "where the program is missing the check fails instead of being "
	    "skipped; name it in requires"),
};

const char *
advice_priority_name(enum advice_priority p)
{
	static const char *const names[ADVICE_PRIORITIES] = {
		[ADVICE_CRITICAL] = "critical",
		[ADVICE_PREVENTION] = "error prevention",
		[ADVICE_PERFORMANCE] = "performance",
		[ADVICE_QUALITY] = "quality",
		[ADVICE_NICE] = "nice to have",
	};

	return names[p];
}

bool
advice_select(unsigned *priorities, struct str name)
{
	for (int i = 0; i < ADVICE_PRIORITIES; i++) {
		const char *own = advice_priority_name(i);
		size_t k = 0;

		while (k < name.n && own[k] != '\0' &&
		    name.s[k] == (own[k] == ' ' ? '-' : own[k]))
			k++;
		if (k == name.n && own[k] == '\0') {
			*priorities |= 1U << i;
			return true;
		}
	}
	return false;
}

/* Returns the text on one line, with escapes for hidden characters. */
static struct str
printable(struct arena *a, struct str text)
{
	struct out o;

	text = str_squeeze(a, text);
	out_open_memory(&o);
	while (text.n != 0) {
		size_t length;
		uint32_t c = unicode_decode(text, &length);

		if (visible_is_hidden(c))
			out_printf(&o, "\\u%04x", (unsigned)c);
		else
			out_str(&o, str_slice(text, 0, length));
		text = str_from(text, length);
	}
	return out_keep(&o, a);
}

void
advice_add(struct advice_notes *notes, enum advice_id id, struct place at,
    const char *format, ...)
{
	struct arena *a = notes->arena;
	struct advice_note note = { .at = at, .id = id, .number = notes->n };
	void **slot;
	va_list args;

	va_start(args, format);
	note.what = printable(a, str_vprintf(a, format, args));
	va_end(args);
	notes->known.arena = a;
	slot = hash_put(&notes->known,
	    str_printf(a, "%d:%zu:%zu:%s:%.*s", (int)id, at.line, at.column,
		at.file, STR_FMT(note.what)));
	if (*slot != NULL)
		return;
	*slot = notes;
	*arena_push(a, notes->list, notes->n) = note;
}

static int
by_size(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int
by_place(const void *a, const void *b)
{
	const struct advice_note *x = a, *y = b;
	enum advice_priority first = advice_table[x->id].priority,
			     second = advice_table[y->id].priority;
	int files =
	    x->at.file == y->at.file ? 0 : strcmp(x->at.file, y->at.file);

	if (first != second)
		return by_size(first, second);
	if (files != 0)
		return files;
	if (x->at.line != y->at.line)
		return by_size(x->at.line, y->at.line);
	if (x->at.column != y->at.column)
		return by_size(x->at.column, y->at.column);
	if (x->id != y->id)
		return by_size(x->id, y->id);
	return by_size(x->number, y->number);
}

void
advice_sort(struct advice_notes *notes)
{
	if (notes->n != 0)
		qsort(notes->list, notes->n, sizeof *notes->list, by_place);
}
