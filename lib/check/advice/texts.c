/* Texts and patterns that are looked for. */
#include "check/advice/set.h"

#include <string.h>

#include "base/ascii.h"
#include "check/advice/pattern.h"
#include "check/advice/words.h"
#include "text/caseless.h"

static const char vague[] =
    "help ok okay yes no done sure thanks thank hello hi please sorry the a an "
    "is it i you result results good fine great data info information answer "
    "response";

static void
advise_words(struct advice_set *set, const struct advice_item *item)
{
	for (size_t i = 0; i < item->texts.n; i++) {
		struct str text = item->texts.list[i];
		unsigned char last =
		    text.n == 0 ? ' ' : (unsigned char)text.s[text.n - 1];

		if (text.n != 0 && words_besides(text, vague) == 0 &&
		    words_besides(text, "") == 1)
			advice_add(set->notes, VAGUE_PATTERN,
			    advice_value_place(item), "'%.*s' says little",
			    STR_FMT(text));
		if (strchr("!?.,;:", last) != NULL &&
		    words_besides(text, "") != 0)
			advice_add(set->notes, PUNCTUATION,
			    advice_value_place(item), "'%.*s' ends in '%c'",
			    STR_FMT(text), last);
	}
}

static void
note(struct advice_set *set, const struct advice_item *item, enum advice_id id,
    const char *what)
{
	advice_add(set->notes, id, advice_value_place(item), "/%.*s/%s",
	    STR_FMT(item->texts.list[0]), what);
}

/* Returns whether the dialect can look for a text where this item has a
 * pattern. */
static bool
has_plain_form(const struct advice_set *set, const struct advice_item *item)
{
	return !str_is(str_of(set->dialect->name), "evolve") &&
	    item->type->role == ROLE_REGEX;
}

bool
advice_can_ignore_case(const struct advice_set *set)
{
	return !set->dialect->caseless &&
	    !str_is(str_of(set->dialect->name), "promptfoo");
}

static void
advise_pattern(struct advice_set *set, const struct advice_item *item)
{
	struct str p = item->texts.n == 0 ? STR("") : item->texts.list[0];
	const char *slow = pattern_slow(p);
	bool plain = pattern_is_plain(p) && has_plain_form(set, item);

	if (p.n == 0)
		return;
	if (plain)
		note(set, item, NEEDLESS_REGEX, " is a pattern");
	if (pattern_has_loose_dot(p))
		note(set, item, UNESCAPED_DOT, " has a dot");
	if (pattern_has_loose_dollar(p))
		note(set, item, UNESCAPED_DOLLAR, " has a $ before its end");
	if (!plain && advice_can_ignore_case(set) &&
	    !json_has(item->keys, "path") && item->type->role == ROLE_REGEX &&
	    pattern_counts_case(p))
		note(set, item, CASE_SENSITIVE_REGEX, " counts case");
	if (strchr("!,;:", p.s[p.n - 1]) != NULL && words_besides(p, "") != 0)
		note(set, item, PUNCTUATION, " ends in a sign");
	if (slow != NULL)
		advice_add(set->notes, SLOW_REGEX, advice_value_place(item),
		    "/%.*s/ %s", STR_FMT(p), slow);
}

/* Advises on evolve's checks of tools by a pattern. */
static void
advise_tool(struct advice_set *set, const struct advice_item *item)
{
	struct str p = item->texts.n == 0 ? STR("") : item->texts.list[0];

	if (pattern_is_plain(p))
		note(set, item, UNANCHORED_TOOL, " has no anchors");
}

/* Words with which a command may begin without the need of a program. */
static const char builtin[] =
    "test grep cat ls cd echo diff find head tail wc sort true false set "
    "export "
    "if for while sh bash cmp awk sed cut tr mkdir rm cp mv printf not exit";

static void
advise_command(struct advice_set *set, const struct advice_item *item)
{
	struct str run = item->texts.n == 0 ? STR("") : item->texts.list[0];
	struct str word = str_cut(&run, ' ');

	if (json_has(item->keys, "requires") || word.n == 0 ||
	    !ascii_is_letter(word.s[0]) || caseless_is_one_of(word, builtin) ||
	    str_find_char(word, '=') < word.n)
		return;
	advice_add(set->notes, NO_REQUIRES, item->check->source.place,
	    "the command needs %.*s", STR_FMT(word));
}

void
advise_texts(struct advice_set *set)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct advice_item *item = &set->items[i];

		if (item->type->role == ROLE_HAS &&
		    !json_is(advice_key(item, "regex"), JSON_TRUE))
			advise_words(set, item);
		else if (item->type->role == ROLE_REGEX ||
		    item->type->role == ROLE_NOT_REGEX ||
		    item->type->role == ROLE_HAS)
			advise_pattern(set, item);
		else if (item->type->role == ROLE_COMMAND)
			advise_command(set, item);
		else if (str_is(item->check->type, "tool_call"))
			advise_tool(set, item);
	}
}
