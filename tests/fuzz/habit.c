/* The input is a record. Each rule of its habits must be a rule that mcpl-check takes,
 * and the policy that is learned of the record must be one of these rules on each
 * line. */
#include <stdlib.h>

#include "base/diag.h"
#include "check/dialect/rules.h"
#include "habit/contrast.h"
#include "habit/learn.h"

enum { RUNS = 21, RULES_MOST = 100 };

static void
check_rule(struct arena *a, struct str rule)
{
	struct rule_program program = { .arena = a, .by_text.arena = a };
	struct check c;

	if (rule.s != NULL &&
	    !rules_option(rule_group_new(&program), "rule", rule, 1, &c))
		abort();
}

static void
check_habits(const struct trace *t, struct arena *a)
{
	struct habit_list habits;

	if (!habits_of(t, a, &habits))
		return;
	for (size_t i = 0; i < habits.n && i < RULES_MOST; i++) {
		check_rule(a, habit_rule(&habits.list[i], true, a));
		check_rule(a, habit_rule(&habits.list[i], false, a));
	}
}

static void
check_policy(const struct trace *t, struct arena *a)
{
	struct learn learn = { 0 };
	struct str text;
	struct out out;

	for (int i = 0; i < RUNS; i++)
		learn_add(&learn, t, i > 0, a);
	out_open_memory(&out);
	learn_write(&learn, &out);
	text = out_memory(&out);
	while (text.n != 0) {
		struct str line = str_cut(&text, '\n');

		if (line.n != 0 && line.s[0] != '#' && line.s[0] != '[')
			check_rule(a, line);
	}
	out_close(&out);
	learn_free(&learn);
}

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_reader reader = { 0 };
	struct contrasts contrasts = { 0 };
	struct arena a = { 0 };
	struct json_error error;
	struct trace t;

	diag_quiet();
	if (trace_read(&t,
		json_read(&reader, (struct str){ (const char *)data, size },
		    NULL, &error))) {
		check_habits(&t, &a);
		check_policy(&t, &a);
		contrasts_add(&contrasts, &t, STR("a"), &a);
		contrasts_add(&contrasts, &t, STR("b"), &a);
		contrasts_of(&contrasts, 0, &a);
		contrasts_free(&contrasts);
	}
	json_reader_free(&reader);
	arena_free(&a);
	return 0;
}
