#include "judge/label_screen.h"

#include "text/layout.h"
#include "text/table.h"

enum { NAME_CELLS = 10, NARROW = 50 }; /* narrow: names on lines of their own */

/* ---- what is shown ---- */

/* A text of the conversation, or a call. */
struct item {
	struct str head, body; /* body: the result; absent: none */
	bool bad;
};

struct section {
	const char *name;
	struct str text;    /* or, if absent, the items */
	struct item *items; /* array of n */
	size_t n;
};

enum { RUBRIC, EXPECTED, PROMPT, FILES, CALLS, ANSWER, SECTIONS };

/* Returns the text of a value: that of a string, the texts of a list of content
 * blocks, or its source. */
static struct str
text_of(const struct json *v, struct arena *a)
{
	struct str text = json_text(v, a), all = { 0 };

	if (v == NULL || v->type == JSON_NULL || text.s != NULL)
		return text;
	for (json_each(block, v)) {
		struct str more = json_text(json_get(block, "text"), a);

		if (more.s == NULL)
			return v->text;
		all = all.s == NULL
		    ? more
		    : str_cat(a, str_cat(a, all, STR("\n")), more);
	}
	return all.s == NULL ? v->text : all;
}

static struct str
clean(const struct label_screen *s, struct str text, bool lines)
{
	return layout_clean(s->arena, text, lines);
}

/* The turn that is shown, or all turns. */
struct part {
	int64_t turn; /* -1: all turns */
	bool talk;    /* show what user and agent say, too */
};

static void
push(const struct label_screen *s, struct section *calls, struct str head,
    struct str body)
{
	*arena_push(s->arena, calls->items, calls->n) =
	    (struct item){ .head = clean(s, head, false),
		    .body = clean(s, body, true) };
}

static void
add_steps(const struct label_screen *s, struct section *calls,
    const struct json *steps, bool talk)
{
	for (json_each(step, steps)) {
		struct str tool = json_text(json_get(step, "tool"), s->arena);
		const struct json *args = json_get(step, "args");
		struct str text = text_of(json_get(step, "text"), s->arena);

		if (tool.s != NULL) {
			push(s, calls,
			    str_printf(s->arena, "%.*s %.*s", STR_FMT(tool),
				STR_FMT(args == NULL ? STR("") : args->text)),
			    text_of(json_get(step, "result"), s->arena));
			calls->items[calls->n - 1].bad =
			    json_is(json_get(step, "is_error"), JSON_TRUE);
		} else if (talk && text.s != NULL) {
			push(s, calls, STR("agent:"), text);
		}
		add_steps(s, calls, json_get(step, "steps"), talk);
	}
}

static void
add_turns(const struct label_screen *s, struct section *calls,
    const struct trace *t, const struct part *part)
{
	int64_t i = 0;

	for (json_each(turn, t->member[TRACE_TURNS])) {
		struct str prompt = text_of(json_get(turn, "prompt"), s->arena);

		if (part->turn >= 0 && part->turn != i++)
			continue;
		if (part->talk && prompt.s != NULL)
			push(s, calls, STR("user:"), prompt);
		add_steps(s, calls, json_get(turn, "steps"), part->talk);
	}
	if (t->member[TRACE_TURNS] != NULL)
		return;
	for (json_each(tool, t->member[TRACE_TOOL_SEQUENCE]))
		push(s, calls, json_text(tool, s->arena), (struct str){ 0 });
}

/* Returns the rubric, or the names and descriptions of the criteria. */
static struct str
rubric_of(const struct label_screen *s, const struct json *judge)
{
	struct str all = text_of(json_get(judge, "rubric"), s->arena);

	for (json_each(c, json_get(judge, "criteria")))
		all = str_cat(s->arena, all,
		    str_printf(s->arena, "%s%.*s: %.*s", all.n == 0 ? "" : "\n",
			STR_FMT(json_text(json_get(c, "name"), s->arena)),
			STR_FMT(
			    json_text(json_get(c, "description"), s->arena))));
	return all;
}

/* Returns the last text of the turn. */
static struct str
answer_of(const struct json *turn, struct arena *a)
{
	struct str answer = { 0 };

	for (json_each(step, json_get(turn, "steps")))
		if (json_get(step, "tool") == NULL &&
		    json_get(step, "text") != NULL)
			answer = text_of(json_get(step, "text"), a);
	return answer;
}

static void
fill(const struct label_screen *s, struct section all[SECTIONS],
    const struct trace *t, const struct json *result)
{
	const struct json *judge = json_get(result, "judge"), *turn = NULL;
	const struct json *turns = t->member[TRACE_TURNS];
	struct part part = { .turn = -1 };

	if (json_str_is(json_get(judge, "text"), "turn") &&
	    json_int(json_get(result, "turn"), &part.turn) && part.turn >= 0)
		turn = json_at(turns, (size_t)part.turn);
	part.talk = turn == NULL && json_count(turns) > 1;
	all[RUBRIC].text = rubric_of(s, judge);
	all[EXPECTED].text = text_of(json_get(judge, "expected"), s->arena);
	all[PROMPT].text = text_of(json_get(judge, "prompt"), s->arena);
	all[FILES].text = text_of(json_get(judge, "workspace"), s->arena);
	if (all[PROMPT].text.s == NULL)
		all[PROMPT].text =
		    text_of(turn != NULL ? json_get(turn, "prompt")
					 : t->member[TRACE_PROMPT],
			s->arena);
	all[ANSWER].text = turn != NULL
	    ? answer_of(turn, s->arena)
	    : text_of(t->member[TRACE_FINAL_TEXT], s->arena);
	for (size_t i = 0; i < SECTIONS; i++)
		if (all[i].text.s != NULL)
			all[i].text = clean(s, str_trim(all[i].text), true);
	add_turns(s, &all[CALLS], t, &part);
	if (part.talk)
		all[CALLS].name = "run";
}

/* ---- folding ---- */

/* Shares the lines among n parts: a part gets as many as it wants, where these are
 * not more than its share of what the others leave. */
static void
share_lines(const size_t *wanted, size_t *most, size_t n, size_t lines)
{
	size_t open = 0, given = 1;

	for (size_t i = 0; i < n; i++)
		open += wanted[i] != 0;
	while (open != 0 && given != 0) {
		size_t fair = lines / open;

		given = 0;
		for (size_t i = 0; i < n; i++) {
			if (wanted[i] == 0 || most[i] != 0 || wanted[i] > fair)
				continue;
			most[i] = wanted[i];
			lines -= most[i];
			open--;
			given++;
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (wanted[i] == 0 || most[i] != 0)
			continue;
		most[i] = lines < open ? 1 : lines / open;
		lines -= most[i] < lines ? most[i] : lines;
		open--;
	}
}

static size_t
indent_of(const struct label_screen *s)
{
	return s->columns < NARROW ? 0 : NAME_CELLS;
}

/* Returns the text on one line that fits behind the indent. */
static struct str
line_of(const struct label_screen *s, struct str text)
{
	size_t indent = indent_of(s);

	return layout_squeeze(s->arena, clean(s, text, false),
	    s->columns > indent + 1 ? s->columns - indent : 1);
}

static void
put_line(
    const struct label_screen *s, struct out *o, struct str text, bool first)
{
	if (!first)
		layout_space(o, indent_of(s));
	out_str(o, line_of(s, text));
	out_line(o);
}

/* Writes the text in at most this number of lines, of which the last says how many
 * are missing. */
static void
put_text(const struct label_screen *s, struct out *o, struct str text,
    size_t indent, size_t most)
{
	struct layout shape = { indent, s->columns, SIZE_MAX, indent != 0 };
	struct out lines;
	size_t n;

	out_open_memory(&lines);
	layout_wrap(&lines, text, &shape);
	n = str_count_char(out_memory(&lines), '\n');
	if (n <= most)
		out_str(o, out_memory(&lines));
	out_close(&lines);
	if (n <= most)
		return;
	shape.most = most - 1;
	if (most > 1)
		layout_wrap(o, text, &shape);
	else
		put_line(s, o, text, true);
}

/* Writes a call in at most this number of lines, which is not 0. */
static void
put_item(const struct label_screen *s, struct out *o, const struct item *item,
    size_t most, bool first)
{
	size_t indent = indent_of(s);
	struct str body = str_printf(s->arena, "%s %.*s",
	    item->bad ? "= error:" : "=", STR_FMT(item->body));

	if (item->body.s == NULL)
		body = item->bad ? STR("= error") : STR("");
	if (most == 1) {
		put_line(s, o,
		    str_printf(s->arena, "%.*s %.*s", STR_FMT(item->head),
			STR_FMT(body)),
		    first);
	} else if (most == SIZE_MAX) {
		if (!first)
			layout_space(o, indent);
		put_text(s, o, item->head, indent, SIZE_MAX);
		layout_space(o, body.n == 0 ? 0 : indent);
		if (body.n != 0)
			put_text(s, o, body, indent, SIZE_MAX);
	} else {
		put_line(s, o, item->head, first);
		layout_space(o, body.n == 0 ? 0 : indent);
		if (body.n != 0)
			put_text(s, o, body, indent, most - 1);
	}
}

/* Writes the first and the last items, a line each, and the number of those
 * between. */
static void
put_ends(const struct label_screen *s, struct out *o, const struct section *x,
    size_t most)
{
	size_t head = (most - 1) / 2, tail = most - 1 - head;

	for (size_t i = 0; i < head; i++)
		put_item(s, o, &x->items[i], 1, i == 0);
	put_line(s, o, str_printf(s->arena, "[%zu more]", x->n - head - tail),
	    head == 0);
	for (size_t i = x->n - tail; i < x->n; i++)
		put_item(s, o, &x->items[i], 1, false);
}

/* Writes the items in at most this number of lines, which is not 0. */
static void
put_items(const struct label_screen *s, struct out *o, const struct section *x,
    size_t most)
{
	size_t *wanted, *shares;

	if (most < x->n) {
		put_ends(s, o, x, most);
		return;
	}
	wanted = arena_new_n(s->arena, size_t, x->n);
	shares = arena_new_n(s->arena, size_t, x->n);
	for (size_t i = 0; i < x->n && most != SIZE_MAX; i++) {
		struct out lines;

		out_open_memory(&lines);
		put_item(s, &lines, &x->items[i], SIZE_MAX, i == 0);
		wanted[i] = str_count_char(out_memory(&lines), '\n');
		out_close(&lines);
	}
	share_lines(wanted, shares, x->n, most);
	for (size_t i = 0; i < x->n; i++)
		put_item(s, o, &x->items[i],
		    most == SIZE_MAX || shares[i] == wanted[i] ? SIZE_MAX
							       : shares[i],
		    i == 0);
}

static void
put_body(const struct label_screen *s, struct out *o, const struct section *x,
    size_t most)
{
	if (x->text.s != NULL)
		put_text(s, o, x->text, indent_of(s), most);
	else
		put_items(s, o, x, most);
}

static size_t
lines_of(const struct label_screen *s, const struct section *x)
{
	struct out o;
	size_t n;

	out_open_memory(&o);
	put_body(s, &o, x, SIZE_MAX);
	n = str_count_char(out_memory(&o), '\n');
	out_close(&o);
	return n;
}

void
label_screen_tone(
    const struct label_screen *s, const char *tone, struct str text)
{
	if (s->color)
		out_text(s->out, tone);
	out_str(s->out, text);
	if (s->color)
		out_text(s->out, tone_end(TONE_STRONG));
}

static void
put_section(const struct label_screen *s, const struct section *x, size_t most)
{
	label_screen_tone(s, tone_begin(TONE_STRONG), str_of(x->name));
	if (indent_of(s) == 0)
		out_line(s->out);
	else
		layout_space(s->out, NAME_CELLS - strlen(x->name));
	put_body(s, s->out, x, most);
}

void
label_screen_show(const struct label_screen *s, const struct trace *t,
    const struct json *result)
{
	struct section all[SECTIONS] = { { .name = "rubric" },
		{ .name = "expected" }, { .name = "prompt" },
		{ .name = "files" }, { .name = "calls" },
		{ .name = "answer" } };
	size_t wanted[SECTIONS] = { 0 }, most[SECTIONS] = { 0 };
	size_t rows = s->rows;

	fill(s, all, t, result);
	for (size_t i = 0; i < SECTIONS; i++) {
		if (all[i].text.s == NULL && all[i].n == 0)
			continue;
		wanted[i] = lines_of(s, &all[i]);
		if (rows != SIZE_MAX && indent_of(s) == 0 && rows > 0)
			rows--;
	}
	share_lines(wanted, most, SECTIONS, rows);
	for (size_t i = 0; i < SECTIONS; i++)
		if (wanted[i] != 0)
			put_section(s, &all[i],
			    most[i] == wanted[i] ? SIZE_MAX : most[i]);
}
