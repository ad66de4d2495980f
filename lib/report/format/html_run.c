#include "report/format/html.h"

#include "text/layout.h"

enum {
	TEXT_MAX = 8 * 1024,  /* bytes of one text */
	RUN_MAX = 256 * 1024, /* bytes of a run; the rest is left out */
	NOTE_MAX = 40,        /* bytes of a note about what is missing */
	CALLS_MAX = 200,      /* tools in the row */
	TITLE_MAX = 160,      /* cells */
};

/* ---- the row ---- */

static void
put_name(struct out *o, struct str name, struct arena *a)
{
	if (name.s == NULL)
		out_json_null(o);
	else
		out_json_str(o, layout_cut(a, name, TEXT_MAX));
}

static void
put_amount(struct out *o, const struct result *r, int metric)
{
	if (r->used[metric] < 0)
		out_json_null(o);
	else
		out_json_double(
		    o, (double)r->used[metric] / metric_units(metric));
}

static void
put_counts(struct out *o, const struct result *r)
{
	size_t checks = 0, passed = 0;

	for (size_t i = 0; i < r->n; i++) {
		checks += !r->checks[i].of_run;
		passed += r->checks[i].status == STATUS_PASSED &&
		    !r->checks[i].of_run;
	}
	out_json_int(o, (int64_t)passed);
	out_json_int(o, (int64_t)checks);
}

/* Puts the first line of the run's prompt, or null. */
static void
put_title(struct out *o, const struct trace *t, struct arena *a)
{
	const struct json *prompt = t->member[TRACE_PROMPT];
	struct str text;

	if (prompt == NULL)
		prompt = json_get(json_first(t->member[TRACE_TURNS]), "prompt");
	text = str_trim(json_text(prompt, a));
	text = str_trim(str_cut(&text, '\n'));
	if (text.n == 0)
		out_json_null(o);
	else
		out_json_str(o, layout_squeeze(a, text, TITLE_MAX));
}

void
html_run_row(struct out *o, const struct result *r, bool was, struct arena *a)
{
	static const int metrics[] = { METRIC_TOOL_CALLS, USAGE_INPUT,
		USAGE_OUTPUT, USAGE_COST, METRIC_DURATION };

	out_begin(o, '[');
	put_name(o, r->id, a);
	put_name(o, r->scenario, a);
	put_name(o, r->agent, a);
	put_name(o, r->model, a);
	if (r->run_index < 0)
		out_json_null(o);
	else
		out_json_int(o, r->run_index);
	out_json_str(o,
	    r->checked ? str_of(status_name(r->status)) : STR("not checked"));
	put_counts(o, r);
	for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++)
		put_amount(o, r, metrics[i]);
	put_name(o, r->start, a);
	out_begin(o, '[');
	for (size_t i = 0; i < r->n_calls && i < CALLS_MAX; i++)
		put_name(o, r->calls[i].tool, a);
	out_end(o, ']');
	put_title(o, r->trace, a);
	out_json_bool(o, was);
	out_end(o, ']');
}

/* ---- the record ---- */

struct copy {
	struct out *out;
	struct arena *arena;
	size_t left;                /* bytes that the run may still take */
	size_t shortened;           /* places where something is left out */
	const struct json *skip[3]; /* members of the record to leave out */
};

/* Puts as much of the text as fits; layout_cut() adds how much is missing. A text that was
 * cut before, and has such a note, fits. */
static void
put_string(struct copy *c, const struct json *v)
{
	struct str raw = json_raw(v);
	size_t most = c->left < TEXT_MAX ? c->left : TEXT_MAX;

	if (raw.n <= most) {
		out_json_raw(c->out, v->text);
	} else {
		struct str text = json_text(v, c->arena);
		bool fits = text.n <= most + NOTE_MAX;

		out_json_str(
		    c->out, fits ? text : layout_cut(c->arena, text, most));
		c->shortened += !fits;
	}
	c->left -= raw.n < most ? raw.n : most;
}

static bool
is_skipped(const struct copy *c, const struct json *v)
{
	return v == c->skip[0] || v == c->skip[1] || v == c->skip[2];
}

static void put_value(struct copy *, const struct json *);

static void
put_members(struct copy *c, const struct json *object)
{
	for (json_members(key, object)) {
		struct str name = json_text(key, c->arena);

		if (is_skipped(c, json_value(key)))
			continue;
		if (c->left == 0) {
			out_member_str(
			    c->out, "...", STR("the rest is left out"));
			c->shortened++;
			break;
		}
		out_key_str(c->out, layout_cut(c->arena, name, TEXT_MAX));
		c->shortened += name.n > TEXT_MAX;
		c->left -= name.n < c->left ? name.n : c->left;
		put_value(c, json_value(key));
	}
}

static void
put_elements(struct copy *c, const struct json *list)
{
	for (json_each(v, list)) {
		if (c->left == 0) {
			out_json_str(c->out, STR("... the rest is left out"));
			c->shortened++;
			break;
		}
		put_value(c, v);
	}
}

static void
put_value(struct copy *c, const struct json *v)
{
	size_t cost = v->type == JSON_NUMBER ? v->text.n : 8;

	c->left -= cost < c->left ? cost : c->left;
	switch (v->type) {
	case JSON_OBJECT:
		out_begin(c->out, '{');
		put_members(c, v);
		out_end(c->out, '}');
		break;
	case JSON_ARRAY:
		out_begin(c->out, '[');
		put_elements(c, v);
		out_end(c->out, ']');
		break;
	case JSON_STRING:
		put_string(c, v);
		break;
	default:
		out_json_raw(c->out, v->text);
	}
}

/* Returns the number of places at which a page that the record comes from left
 * something out. */
static size_t
shortened_before(const struct json *shortened)
{
	int64_t n = 0;

	return json_int(shortened, &n) && n > 0 ? (size_t)n : 0;
}

/* The check results come first, so that they are not what is left out. The system
 * prompt is long, and the same in each run. */
void
html_run_record(struct out *o, const struct result *r, struct arena *a)
{
	const struct trace *t = r->trace;
	const struct json *checks = t->member[TRACE_CHECK_RESULTS];
	const struct json *system = t->member[TRACE_SYSTEM],
			  *before = json_get(t->record, "shortened");
	struct copy c = { .out = o,
		.arena = a,
		.left = RUN_MAX,
		.shortened = (system != NULL) + shortened_before(before),
		.skip = { checks, system, before } };

	out_begin(o, '{');
	if (checks != NULL) {
		out_key(o, "check_results");
		put_value(&c, checks);
	}
	put_members(&c, t->record);
	if (c.shortened != 0)
		out_member_int(o, "shortened", (int64_t)c.shortened);
	out_end(o, '}');
}
