#include "judge/evidence/choose.h"

#include <stdlib.h>

#include "judge/evidence/bm25.h"
#include "judge/evidence/passages.h"
#include "judge/evidence/tokens.h"

enum {
	LONG = 1500,     /* bytes; longer members are cut into passages */
	GAP_TOKENS = 32, /* of a gap and the brackets and names around a part */
	TRIES = 3,
	SPARE = 20, /* part of the tokens that a good choice may leave */
};

static const size_t no_part = SIZE_MAX;

/* A part of the data that is shown or not: an item, which is an element of a list
 * or the whole, with its short members; or a passage of a long member of the item
 * before. */
struct part {
	struct passage passage;
	size_t above;    /* index of the part without which this part has no
			  * place */
	size_t span;     /* number of parts: of an item, with all in it; of the
			  * first passage of a member, the member's */
	size_t passages; /* of an item, which come behind it */
	size_t bytes, tokens;
	double score;
	bool must, error, shown;
	bool head; /* a passage with the first members of an object, such as a
		    * path, which is shown with its item */
};

struct chooser {
	struct arena *arena;
	struct bm25 bm25;
	struct part *parts;
	size_t n;
	size_t most, used;   /* tokens */
	size_t at;           /* the next part to be written */
	size_t gaps, hidden; /* bytes */
};

/* The members that are lists of items, and the names of the items. */
static const char *
items_of(const struct json *key, const struct json *value)
{
	static const struct {
		const char *list, *items;
	} lists[] = {
		{ "transcript", "steps" },
		{ "steps", "steps" },
		{ "results", "calls" },
		{ "tool_inputs", "calls" },
		{ "tool_sequence", "calls" },
		{ "workspace", "files" },
	};

	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
		if (value->type == JSON_ARRAY &&
		    json_key_is(key, lists[i].list))
			return lists[i].items;
	return NULL;
}

/* Returns whether the member is always shown with its item. */
static bool
is_short(const struct json *key, const struct json *value, bool whole)
{
	return items_of(key, value) == NULL &&
	    (value->text.n <= LONG || (whole && !json_key_is(key, "system")));
}

/* ---- the parts ---- */

static struct part *
add_part(struct chooser *c, size_t above)
{
	struct part *p = arena_push(c->arena, c->parts, c->n);

	p->above = above;
	p->span = 1;
	p->tokens = GAP_TOKENS;
	bm25_passage(&c->bm25);
	return p;
}

static void
add_text(struct chooser *c, struct str text)
{
	struct part *p = &c->parts[c->n - 1];

	p->bytes += text.n;
	p->tokens += tokens_of(text);
	bm25_text(&c->bm25, text);
}

static void
add_passages(struct chooser *c, size_t item, const struct json *value)
{
	struct passages all = passages_of(c->arena, value);
	size_t first = c->n;

	for (size_t i = 0; i < all.n; i++) {
		struct part *p = add_part(c, item);

		p->passage = all.list[i];
		p->error = c->parts[item].error;
		add_text(c, p->passage.text);
		if (!p->passage.body) /* its quotes are escaped */
			p->tokens +=
			    tokens_of(out_quote(c->arena, p->passage.text)) -
			    tokens_of(p->passage.text);
	}
	c->parts[first].span = all.n;
	if (!all.list[0].body && all.list[0].text.n <= PASSAGE_HEAD) {
		c->parts[first].head = true;
		c->parts[item].tokens += c->parts[first].tokens;
		c->parts[first].tokens = 0;
	}
	c->parts[item].passages += all.n;
}

static void add_items(struct chooser *, size_t above, const struct json *list);

/* Adds an item. `whole`: its long members are always shown with it. */
static void
add_item(struct chooser *c, size_t above, const struct json *v, bool whole)
{
	size_t item = c->n;
	struct part *p = add_part(c, above);

	p->must = whole;
	p->error = json_is(json_get(v, "is_error"), JSON_TRUE);
	if (v->type != JSON_OBJECT)
		add_text(c, v->text);
	for (json_members(key, v)) {
		if (!is_short(key, json_value(key), whole))
			continue;
		add_text(c, key->text);
		add_text(c, json_value(key)->text);
	}
	for (json_members(key, v)) {
		const struct json *value = json_value(key);

		if (is_short(key, value, whole))
			continue;
		if (items_of(key, value) == NULL)
			add_passages(c, item, value);
	}
	for (json_members(key, v))
		if (items_of(key, json_value(key)) != NULL)
			add_items(c, item, json_value(key));
	c->parts[item].span = c->n - item;
}

/* Returns the last text of the agent in a transcript, which is its answer. */
static const struct json *
last_text(const struct json *list)
{
	const struct json *last = NULL;

	for (json_each(v, list))
		if (json_has(v, "assistant"))
			last = v;
	return last;
}

static void
add_items(struct chooser *c, size_t above, const struct json *list)
{
	const struct json *last = above == 0 ? last_text(list) : NULL;

	for (json_each(v, list))
		add_item(c, above, v, v == last || json_has(v, "user"));
}

/* ---- the choice ---- */

/* Shows the part, and the item in which it is, unless they do not fit in `most`
 * tokens. */
static void
show(struct chooser *c, size_t part, size_t most)
{
	size_t tokens = 0;

	for (size_t i = part; i != no_part && !c->parts[i].shown;
	     i = c->parts[i].above)
		tokens += c->parts[i].tokens;
	if (c->used + tokens > most)
		return;
	c->used += tokens;
	for (size_t i = part; i != no_part && !c->parts[i].shown;
	     i = c->parts[i].above)
		c->parts[i].shown = true;
}

/* Returns the tokens that are used if a share of those that are left is. */
static size_t
share_of(const struct chooser *c, size_t part, size_t of)
{
	return c->used + (c->most - c->used) / of * part;
}

/* Gives each part a score. A passage is worth more in an item that shares words
 * with the query, since the result of a call counts with the call, and next to a
 * passage that does. */
static void
score(struct chooser *c)
{
	const double *scores = bm25_scores(&c->bm25);

	for (size_t i = 0; i < c->n; i++) {
		struct part *p = &c->parts[i];

		p->score = scores[i];
		if (p->passage.text.s == NULL)
			continue;
		p->score += scores[p->above] / 2;
		if (p[-1].passage.text.s != NULL)
			p->score += scores[i - 1] / 4;
		if (i + 1 < c->n && p[1].passage.text.s != NULL)
			p->score += scores[i + 1] / 4;
	}
}

static int
by_score(const void *a, const void *b)
{
	const struct part *p = *(struct part *const *)a;
	const struct part *q = *(struct part *const *)b;

	if (p->score != q->score)
		return p->score < q->score ? 1 : -1;
	return p < q ? -1 : p > q;
}

/* Returns the parts, those with the highest score first. */
static struct part **
ranking_of(const struct chooser *c)
{
	struct part **ranking = arena_new_n(c->arena, struct part *, c->n);

	for (size_t i = 0; i < c->n; i++)
		ranking[i] = &c->parts[i];
	qsort(ranking, c->n, sizeof *ranking, by_score);
	return ranking;
}

/* Shows calls with errors, and the end of what they say. */
static void
show_errors(struct chooser *c, struct part **ranking)
{
	size_t most = share_of(c, 1, 3);

	for (size_t i = 0; i < c->n; i++) {
		const struct part *p = ranking[i];
		size_t item = (size_t)(p - c->parts);

		if (!p->error || p->passage.text.s != NULL)
			continue;
		show(c, item, most);
		if (p->shown)
			show(c, item + p->passages, most);
	}
}

static void
show_parts(struct chooser *c)
{
	struct part **ranking = ranking_of(c);
	size_t most;

	show_errors(c, ranking);
	most = share_of(c, 7, 8);
	for (size_t i = 0; i < c->n && ranking[i]->score > 0; i++)
		show(c, (size_t)(ranking[i] - c->parts), most);
	for (size_t i = 0; i < c->n; i++) {
		show(c, i, c->most);
		show(c, c->n - 1 - i, c->most);
	}
	for (size_t i = 0; i < c->n; i++)
		if (c->parts[i].head)
			c->parts[i].shown = c->parts[c->parts[i].above].shown;
}

/* ---- the data ---- */

struct gap {
	size_t items, bytes;
};

/* Writes the gap, if there is one, and closes it. `items` names what is left out;
 * NULL: a part of a text. */
static void
put_gap(struct chooser *c, struct out *o, struct gap *gap, const char *items)
{
	if (gap->bytes == 0)
		return;
	c->gaps++;
	c->hidden += gap->bytes;
	out_begin(o, '{');
	out_member_begin(o, "not_shown", '{');
	if (items != NULL)
		out_member_size(o, items, gap->items);
	out_member_size(o, "bytes", gap->bytes);
	out_end(o, '}');
	out_end(o, '}');
	*gap = (struct gap){ 0 };
}

/* Writes passages that are not all shown as a list. Passages next to each other
 * are one string. */
static void
put_passages(struct chooser *c, struct out *o, const struct part *p)
{
	struct gap gap = { 0 };
	size_t n = p->span;
	bool open = false;

	out_begin(o, '[');
	for (size_t i = 0; i < n; i++) {
		if (open && !p[i].shown) {
			out_char(o, '"');
			o->comma = true;
		}
		if (p[i].shown && !open) {
			put_gap(c, o, &gap, NULL);
			out_text(o, o->comma ? ",\"" : "\"");
		}
		open = p[i].shown;
		if (open)
			passage_write(o, &p[i].passage, c->arena);
		else
			gap.bytes += p[i].bytes;
	}
	if (open)
		out_char(o, '"');
	put_gap(c, o, &gap, NULL);
	out_end(o, ']');
}

static void
put_long(struct chooser *c, struct out *o, const struct json *key,
    const struct json *value)
{
	const struct part *p = &c->parts[c->at];
	size_t shown = 0;

	for (size_t i = 0; i < p->span; i++)
		shown += p[i].shown;
	c->at += p->span;
	if (shown == p->span) {
		out_key_body(o, json_raw(key));
		out_json_raw(o, value->text);
	} else {
		out_key_str(o, str_cat(c->arena, json_raw(key), STR("_parts")));
		put_passages(c, o, p);
	}
}

static void put_items(
    struct chooser *, struct out *, const struct json *list, const char *items);

static void
put_members(struct chooser *c, struct out *o, const struct json *v, bool whole)
{
	for (json_members(key, v)) {
		if (!is_short(key, json_value(key), whole))
			continue;
		out_key_body(o, json_raw(key));
		out_json_raw(o, json_value(key)->text);
	}
	for (json_members(key, v)) {
		const struct json *value = json_value(key);

		if (!is_short(key, value, whole) &&
		    items_of(key, value) == NULL)
			put_long(c, o, key, value);
	}
	for (json_members(key, v)) {
		const char *items = items_of(key, json_value(key));

		if (items == NULL)
			continue;
		out_key_body(o, json_raw(key));
		put_items(c, o, json_value(key), items);
	}
}

static void
put_item(struct chooser *c, struct out *o, const struct json *v)
{
	bool whole = c->parts[c->at++].must;

	if (v->type != JSON_OBJECT) {
		out_json_raw(o, v->text);
		return;
	}
	out_begin(o, '{');
	put_members(c, o, v, whole);
	out_end(o, '}');
}

static void
put_items(struct chooser *c, struct out *o, const struct json *list,
    const char *items)
{
	struct gap gap = { 0 };

	out_begin(o, '[');
	for (json_each(v, list)) {
		const struct part *p = &c->parts[c->at];

		if (p->shown) {
			put_gap(c, o, &gap, items);
			put_item(c, o, v);
		} else {
			gap.items++;
			gap.bytes += v->text.n + 1; /* with a comma */
			c->at += p->span;
		}
	}
	put_gap(c, o, &gap, items);
	out_end(o, ']');
}

static struct choice
write_choice(struct chooser *c, const struct json *data)
{
	struct choice choice = { .of = data->text.n };
	struct out o;

	c->at = c->gaps = c->hidden = 0;
	out_open_memory(&o);
	put_item(c, &o, data);
	choice.json = out_keep(&o, c->arena);
	choice.bytes = choice.of - c->hidden;
	choice.gaps = c->gaps;
	return choice;
}

/* Returns the choice of parts that come to `most` tokens, each with the gap behind
 * the part; without JSON if those that are always shown come to more. */
static struct choice
choose_by(struct chooser *c, const struct json *data, size_t most)
{
	c->most = most;
	c->used = 0;
	for (size_t i = 0; i < c->n; i++)
		c->parts[i].shown = false;
	for (size_t i = 0; i < c->n; i++)
		if (c->parts[i].must)
			show(c, i, SIZE_MAX);
	if (c->used > most)
		return (struct choice){ 0 };
	show_parts(c);
	return write_choice(c, data);
}

struct choice
choose(struct arena *a, const struct json *data, struct str_list query,
    size_t most, size_t *least)
{
	struct chooser c = { .arena = a, .bm25.arena = a };
	struct choice best = { 0 };
	size_t target = most, near = most - most / SPARE;
	size_t tokens, best_tokens = 0;

	for (size_t i = 0; i < query.n; i++)
		bm25_query(&c.bm25, query.list[i]);
	add_item(&c, no_part, data, true);
	score(&c);
	/* There are fewer gaps than parts, and so room for more parts. */
	for (int try = 0; try < TRIES && (try == 0 || best_tokens < near);
	     try++) {
		struct choice choice = choose_by(&c, data, target);

		*least = c.used;
		if (choice.json.s == NULL)
			break;
		tokens = tokens_of(choice.json);
		if (tokens <= most && tokens > best_tokens) {
			best_tokens = tokens;
			best = choice;
		}
		target = target * near / tokens;
	}
	return best;
}
