/* Habits as rules of mcpl-rules(5). */
#include "habit/habit.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "io/out.h"

/* Words of the grammar that a tool's name may not be without quotes; the test of
 * check/rule compares the list with the grammar's own table. */
static const char reserved[] =
    "warn note per turn message agent no every only same answer prompt calls "
    "errors "
    "turns tokens cost time sum distinct judge not first last or and if then "
    "just "
    "before after since until within in user said run let trace as has lacks";

static bool
is_plain(struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (!ascii_is_alnum(name.s[i]) &&
		    strchr("_-./:", name.s[i]) == NULL)
			return false;
	return name.n != 0 && name.s[0] != ':' && !ascii_is_digit(name.s[0]) &&
	    !str_is_one_of(name, reserved);
}

/* Returns the name as the grammar takes the name of a tool. */
static struct str
named(struct str tool, struct arena *a)
{
	return is_plain(tool) ? tool : out_quote(a, tool);
}

/* The rules of each form: of the runs with the habit, and of those without. In a
 * rule, T is the tool, O the other tool or word, V the value, N the number and M the
 * number before. NULL: no rule says so. */
static const struct {
	const char *has, *lacks;
} rules[HABIT_FORMS] = {
	[HABIT_CALLED] = { "T", "no T" },
	[HABIT_ERROR] = { "T(@error)", "no T(@error)" },
	[HABIT_COUNT] = { ">= N T", "<= M T" },
	[HABIT_AMOUNT] = { "O >= N", "O < N" },
	[HABIT_ARGUMENT] = { "T(O = V)", "no T(O = V)" },
	[HABIT_BEFORE] = { "no T before P", NULL },
	[HABIT_AFTER] = { "every T then P", NULL },
	[HABIT_THEN] = { "T then P", "no P after T" },
	[HABIT_IN_A_ROW] = { ">= N T in a row", "<= M T in a row" },
	[HABIT_FIRST] = { "first T", "not first T" },
	[HABIT_LAST] = { "last T", "not last T" },
	[HABIT_RESULT] = { "T(@result.O = V)", "no T(@result.O = V)" },
	[HABIT_WORD] = { "T(@result ~ /\\bO\\b/)",
	    "no T(@result ~ /\\bO\\b/)" },
	[HABIT_TURN_COUNT] = { NULL, "per turn <= M T" },
	[HABIT_TURN_BEFORE] = { "per turn no T before P", NULL },
};

bool
habit_is_of_value(enum habit_form form)
{
	return form == HABIT_ARGUMENT || form == HABIT_RESULT ||
	    form == HABIT_WORD;
}

bool
habit_is_of_each(enum habit_form form)
{
	return form == HABIT_BEFORE || form == HABIT_AFTER ||
	    form == HABIT_TURN_BEFORE;
}

/* Returns what a capital of a rule stands for; P is the other tool. */
static struct str
part(const struct habit *h, char c, struct arena *a)
{
	switch (c) {
	case 'T':
		return named(h->tool, a);
	case 'P':
		return named(h->other, a);
	case 'O':
		return h->other;
	case 'V':
		return h->value;
	case 'N':
		return str_int(a, h->n);
	default:
		return str_int(a, h->n - 1);
	}
}

struct str
habit_rule(const struct habit *h, bool has, struct arena *a)
{
	const char *rule = has ? rules[h->form].has : rules[h->form].lacks;
	struct str text;
	struct out o;

	if (rule == NULL)
		return str_of(NULL);
	out_open_memory(&o);
	for (const char *p = rule; *p != '\0'; p++) {
		if (strchr("TPOVNM", *p) != NULL)
			out_str(&o, part(h, *p, a));
		else
			out_char(&o, *p);
	}
	text = str_dup(a, out_memory(&o));
	out_close(&o);
	return text;
}

struct str
habit_key(const struct habit *h, struct arena *a)
{
	struct str parts[] = { h->tool, h->other, h->value,
		str_printf(a, "%d %lld", (int)h->form, (long long)h->n) };

	return hash_key(a, parts, sizeof parts / sizeof parts[0]);
}
