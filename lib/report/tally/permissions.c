#include "report/tally/permissions.h"

#include "base/clamp.h"
#include "base/hash.h"
#include "report/tally/counts.h"

enum { KEY_TEXTS = 4 };

const char *
tally_decision_name(enum tally_decision d)
{
	static const char *const names[DECISIONS] = {
		[DECISION_ALLOW] = "allow",
		[DECISION_ASK] = "ask",
		[DECISION_DENY] = "deny",
		[DECISION_NONE] = "none",
		[DECISION_UNKNOWN] = "unknown",
	};

	return names[d];
}

bool
tally_permission_is_line(const struct tally_permission *p)
{
	return !str_is(p->decision, tally_decision_name(DECISION_NONE));
}

/* Returns a count; 0 if the member is absent or no count. */
static size_t
count(const struct json *object, const char *key)
{
	int64_t n;

	return json_int(json_get(object, key), &n) && n > 0 ? clamp_size(n) : 0;
}

void
tally_calls_add(struct tally_calls *to, const struct result *r)
{
	bool any = false;

	for (size_t i = 0; i < r->n; i++) {
		const struct result_check *c = &r->checks[i];

		if (!c->permission || !str_is(c->type, "permissions"))
			continue;
		any = true;
		for (int d = 0; d < DECISIONS; d++)
			to->calls[d] += count(c->metadata,
			    tally_decision_name((enum tally_decision)d));
		to->open += count(c->metadata, "open");
	}
	to->runs += any;
}

void
tally_calls_merge(struct tally_calls *to, const struct tally_calls *from)
{
	to->runs += from->runs;
	for (int d = 0; d < DECISIONS; d++)
		to->calls[d] += from->calls[d];
	to->open += from->open;
}

size_t
tally_calls_all(const struct tally_calls *c)
{
	size_t n = 0;

	for (int d = 0; d < DECISIONS; d++)
		n += c->calls[d];
	return n;
}

/* ---- lines ---- */

/* Adds a line of a run; of other runs if the line has no last run. */
static void
add(struct bounded_map *map, const struct tally_permission *from,
    struct arena *a, struct arena *moment)
{
	const struct str texts[KEY_TEXTS] = { tally_text(from->at, moment),
		tally_text(from->decision, moment),
		tally_text(from->line, moment),
		tally_text(from->dialect, moment) };
	struct str key = hash_key(moment, texts, KEY_TEXTS), kept[KEY_TEXTS];
	struct tally_permission *to;
	bool fresh;

	to = bounded_map_put(map, key, sizeof *to, a, &fresh);
	if (to == NULL)
		return;
	if (fresh) {
		hash_key_split(to->item.key.text, kept, KEY_TEXTS);
		to->at = kept[0];
		to->decision = kept[1];
		to->line = kept[2];
		to->dialect = kept[3];
		to->calls = to->runs = to->unseen = to->maybe = to->last_run =
		    0;
		to->irrevocable = false;
		to->last.text = (struct str){ 0 };
	}
	to->calls += from->calls;
	to->maybe += from->maybe;
	to->unseen += from->unseen;
	to->irrevocable |= from->irrevocable;
	if (str_cmp(from->last.text, to->last.text) > 0)
		bounded_map_copy(&to->last, from->last.text, a);
	to->runs += from->last_run == 0
	    ? from->runs
	    : from->calls != 0 && from->last_run != to->last_run;
	to->last_run = from->last_run;
}

static void
add_line(struct bounded_map *map, const struct result_check *c, size_t run,
    struct arena *a, struct arena *moment)
{
	struct tally_permission line = { .dialect = c->dialect,
		.at = c->at,
		.decision =
		    json_text(json_get(c->metadata, "decision"), moment),
		.line = json_text(json_get(c->metadata, "line"), moment),
		.calls = count(c->metadata, "calls"),
		.unseen = count(c->metadata, "unseen"),
		.maybe = count(c->metadata, "maybe"),
		.last.text = json_text(json_get(c->metadata, "last"), moment),
		.last_run = run };

	add(map, &line, a, moment);
}

/* Counts the lines that would cover what no line covers. */
static void
add_covers(struct bounded_map *map, const struct result_check *c, size_t run,
    struct arena *a, struct arena *moment)
{
	for (json_each(cover, json_get(c->metadata, "covers"))) {
		struct tally_permission line = { .dialect = c->dialect,
			.decision = str_of(tally_decision_name(DECISION_NONE)),
			.line = json_text(json_get(cover, "line"), moment),
			.calls = count(cover, "calls"),
			.irrevocable =
			    json_is(json_get(cover, "irrevocable"), JSON_TRUE),
			.last.text = json_text(json_get(cover, "last"), moment),
			.last_run = run };

		if (line.calls != 0)
			add(map, &line, a, moment);
	}
}

void
tally_permissions_add(struct bounded_map *map, const struct result *r,
    size_t run, struct arena *a, struct arena *moment)
{
	for (size_t i = 0; i < r->n + r->n_notes; i++) {
		const struct result_check *c = &r->checks[i];

		if (!c->permission || !str_is(c->type, "permission"))
			continue;
		if (json_is(json_get(c->metadata, "line"), JSON_STRING))
			add_line(map, c, run, a, moment);
		else
			add_covers(map, c, run, a, moment);
	}
}

void
tally_permission_merge(struct bounded_map *to,
    const struct tally_permission *from, struct arena *a, struct arena *moment)
{
	struct tally_permission line = *from;

	line.last_run = 0;
	add(to, &line, a, moment);
}

/* ---- writing ---- */

void
tally_calls_write(struct out *o, const struct tally_calls *c)
{
	if (c->runs == 0)
		return;
	out_member_begin(o, "permissions", '{');
	out_member_size(o, "runs", c->runs);
	out_member_size(o, "calls", tally_calls_all(c));
	for (int d = 0; d < DECISIONS; d++)
		out_member_size(o, tally_decision_name((enum tally_decision)d),
		    c->calls[d]);
	if (c->open != 0)
		out_member_size(o, "open", c->open);
	out_end(o, '}');
}

void
tally_permissions_write(struct out *o, const struct bounded_map *lines)
{
	if (lines->n == 0)
		return;
	out_member_begin(o, "permissions", '[');
	for (size_t i = 0; i < lines->n; i++) {
		const struct tally_permission *p = lines->list[i];

		out_begin(o, '{');
		out_member_str(o, "dialect", p->dialect);
		out_member_str(o, "at", p->at);
		out_member_str(o, "decision", p->decision);
		out_member_str(o, "line", p->line);
		out_member_size(o, "calls", p->calls);
		out_member_size(o, "runs", p->runs);
		if (p->unseen != 0)
			out_member_size(o, "unseen", p->unseen);
		if (p->maybe != 0)
			out_member_size(o, "maybe", p->maybe);
		if (p->irrevocable)
			out_member_bool(o, "irrevocable", true);
		out_member_str(o, "last", p->last.text);
		out_end(o, '}');
	}
	out_end(o, ']');
	if (lines->full)
		out_member_bool(o, "permissions_full", true);
}
