#include "extract/draft/try.h"

#include "extract/map/map.h"

/* Letters that begin the lines of `tell`. */
enum {
	RUN = 'r',
	PROMPT = 'p',
	TEXT = 't',
	CALL = 'c',
	RESULT = 'a',
	ERROR = 'e',
	FINAL = 'f',
};

static void
tell_line(struct out *out, char kind, struct str a, struct str b, struct str c)
{
	out_printf(out, "%c%.*s %.*s %.*s\n", kind, STR_FMT(a), STR_FMT(b),
	    STR_FMT(c));
}

static void
tell_step(struct out *out, const struct step *s)
{
	const struct str none = STR("");

	if (!s->is_call) {
		tell_line(out, TEXT, (struct str){ s->text.s, s->text.n }, none,
		    none);
		return;
	}
	if (!s->called)
		return;
	tell_line(out, CALL, s->tool, s->id, s->args);
	if (s->answered)
		tell_line(out, RESULT, none, none, none);
	if (s->is_error != NULL && str_is(str_of(s->is_error), "true"))
		tell_line(out, ERROR, none, none, none);
}

/* Writes a line for each thing that a run holds. */
static void
tell(struct out *out, const struct trace_options *options,
    const struct trace_part *part)
{
	const struct step *last = NULL;
	const struct str none = STR("");

	(void)options;
	tell_line(out, RUN, none, none, none);
	for (const struct turn *t = part->thread->turns; t != NULL;
	     t = t->next) {
		if (t->prompt.n != 0)
			tell_line(out, PROMPT,
			    (struct str){ t->prompt.s, t->prompt.n }, none,
			    none);
		for (const struct step *s = t->steps; s != NULL; s = s->next) {
			tell_step(out, s);
			last = s;
		}
	}
	if (last != NULL && !last->is_call)
		tell_line(out, FINAL, none, none, none);
}

/* Counts a line. What repeats speaks against the map: the log holds the history of a
 * conversation several times. Several runs may have one prompt. */
static void
count(struct draft_trial *t, struct hash_set *seen, struct str line)
{
	const struct {
		size_t *n;
		long gain, loss;
	} of[] = {
		[RUN] = { &t->runs, -2, 0 },
		[PROMPT] = { &t->prompts, 5, 3 },
		[TEXT] = { &t->texts, 2, 1 },
		[CALL] = { &t->calls, 10, 6 },
		[RESULT] = { &t->results, 4, 0 },
		[ERROR] = { &t->errors, 1, 0 },
		[FINAL] = { &t->finals, 2, 0 },
	};
	unsigned char kind = (unsigned char)line.s[0];
	size_t before = seen->n;

	if (kind >= sizeof of / sizeof *of || of[kind].n == NULL)
		return;
	++*of[kind].n;
	t->score += of[kind].gain;
	if (of[kind].loss == 0)
		return;
	hash_set_add(seen, hash_add(HASH_START, line));
	if (seen->n != before)
		return;
	t->score -= of[kind].gain;
	if (kind == PROMPT)
		hash_set_add(seen, hash_add(t->runs, line));
	if (seen->n == before)
		t->score -= of[kind].loss;
}

struct draft_trial
draft_try(
    struct arena *a, struct str map_text, const struct log_records *records)
{
	struct diag_log discarded = { 0 };
	struct diag_log *kept = diag_keep(&discarded);
	struct map *map = map_read_known(a, "draft", map_text);
	struct hash_set seen = { .arena = a };
	struct draft_trial t = { 0 };
	struct log_trial read;

	if (map != NULL) {
		read = log_try_by(map_format(map), records, tell, a);
		t.tried = read.tried;
		for (struct str rest = read.written; rest.n != 0;)
			count(&t, &seen, str_cut(&rest, '\n'));
	}
	map_close(map);
	diag_keep(kept);
	diag_forget(&discarded);
	return t;
}
