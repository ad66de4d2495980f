#include "extract/format/log_rows.h"

#include <assert.h>

#include "extract/format/log_format.h"
#include "extract/format/unread.h"

enum {
	NAMES_MAX = 6,  /* of a path */
	PATHS_MAX = 6,  /* that are tried one after another */
	TERMS_MAX = 24, /* of the conditions of a row */
	ROWS_MAX = 64,  /* of a table: a bit for each */
};

/* ---- paths ---- */

struct path {
	struct str names[NAMES_MAX];
	size_t n;
};

struct paths {
	struct path list[PATHS_MAX];
	size_t n;
	bool self; /* the record itself */
};

static struct path
path_of(struct str text)
{
	struct path p = { 0 };

	while (text.s != NULL && text.n != 0 && p.n < NAMES_MAX)
		p.names[p.n++] = str_cut(&text, '.');
	assert(text.n == 0);
	return p;
}

/* Returns the value at the path, or NULL; null counts as none. */
static const struct json *
at_path(const struct json *v, const struct path *p)
{
	for (size_t i = 0; i < p->n && v != NULL; i++)
		v = json_get(v, p->names[i]);
	return json_is(v, JSON_NULL) ? NULL : v;
}

static const struct paths *
paths_of(struct arena *a, const char *text)
{
	struct str rest = str_of(text);
	struct paths *p;

	if (text == NULL)
		return NULL;
	p = arena_new(a, struct paths);
	p->self = *text == '\0';
	while (!p->self && rest.s != NULL) {
		assert(p->n < PATHS_MAX);
		p->list[p->n++] = path_of(str_cut(&rest, ' '));
	}
	return p;
}

static const struct json *
find(const struct paths *p, const struct json *v)
{
	const struct json *found = NULL;

	if (p == NULL || p->self)
		return p == NULL ? NULL : v;
	for (size_t i = 0; i < p->n && found == NULL; i++)
		found = at_path(v, &p->list[i]);
	return found;
}

/* ---- conditions ---- */

struct term {
	struct path path;
	struct str words; /* separated by |; absent: any value fits */
	bool not ;
	bool next;  /* begins another alternative */
	bool other; /* holds if no row before is for the record */
};

struct condition {
	const struct term *terms;
	size_t n;
};

static struct term
term_of(struct str text, bool next)
{
	struct term t = { .next = next, .other = str_is(text, "else") };

	t.not = str_starts(text, "!");
	text = str_from(text, t.not );
	t.path = path_of(str_cut(&text, '='));
	t.words = text;
	return t;
}

/* Reads the terms of the conditions into `terms`; returns their number. */
static size_t
read_terms(struct term terms[TERMS_MAX], const char *when)
{
	struct str rest = str_of(when);
	size_t n = 0;

	while (rest.s != NULL) {
		struct str all = str_cut(&rest, ',');
		bool next = true;

		while (all.s != NULL) {
			struct str one = str_cut(&all, ' ');

			if (one.n == 0)
				continue;
			assert(n < TERMS_MAX);
			terms[n++] = term_of(one, next);
			next = false;
		}
	}
	return n;
}

static struct condition
condition_of(struct arena *a, const char *when)
{
	struct term terms[TERMS_MAX], *list;
	size_t n = read_terms(terms, when);

	if (n == 0)
		return (struct condition){ 0 };
	list = arena_new_n(a, struct term, n);
	memcpy(list, terms, n * sizeof *list);
	return (struct condition){ list, n };
}

/* Returns whether the value is what the word says. */
static bool
word_fits(struct str word, const struct json *v)
{
	struct str text = json_raw(v);

	if (v->type == JSON_TRUE || v->type == JSON_FALSE)
		return str_eq(v->text, word);
	if (word.n == 1 && !ascii_is_alnum((unsigned char)*word.s) &&
	    *word.s != '*')
		return *v->text.s == *word.s;
	if (v->type != JSON_STRING || word.n == 0)
		return false;
	if (word.s[word.n - 1] == '*')
		return str_starts(text, str_slice(word, 0, word.n - 1));
	if (*word.s == '*')
		return str_ends(text, str_from(word, 1));
	return str_eq(text, word);
}

static bool
term_holds(const struct term *t, const struct json *v)
{
	const struct json *found = at_path(v, &t->path);
	struct str rest = t->words;
	bool holds = found != NULL && rest.s == NULL;

	while (found != NULL && rest.s != NULL && !holds)
		holds = word_fits(str_cut(&rest, '|'), found);
	return holds != t->not ;
}

/* Returns whether the conditions hold, of which the first `tested` do. `other`: no
 * row before is for the record. */
static bool
holds(
    const struct condition *c, size_t tested, const struct json *v, bool other)
{
	bool all = tested != 0 || c->n == 0;

	for (size_t i = tested; i < c->n; i++) {
		const struct term *t = &c->terms[i];

		if (t->next && all)
			return true;
		all = (t->next || all) && (t->other ? other : term_holds(t, v));
	}
	return all;
}

bool
log_rows_holds(const char *when, const struct json *v)
{
	struct term terms[TERMS_MAX];
	const struct condition c = { terms, read_terms(terms, when) };

	return holds(&c, 0, v, true);
}

/* ---- tables ---- */

struct row {
	const struct log_row *of;
	struct condition when, failed;
	const struct paths *value, *id, *tool, *server, *tool_name, *args,
	    *task, *result, *is_error, *ok, *duration;
	const struct log_rows *rows;
	size_t tested; /* terms that hold if the row is chosen by the key */
};

/* A word that the key may have, and the rows that ask for the word. */
struct word {
	struct str text;
	uint64_t rows;
};

struct log_rows {
	struct row *list;
	size_t n;
	/* The member by whose value rows are chosen; absent: by none. */
	struct str key;
	struct word *words;
	size_t n_words;
	uint64_t always; /* rows that are tried whatever the key's value is */
};

/* Returns whether the row can be chosen by the value of a member, since the
 * first condition of the row's only alternative asks for certain strings. */
static bool
asks_for_words(const struct condition *c)
{
	const struct term *t = c->terms;

	if (c->n == 0 || t->not || t->other || t->path.n != 1 ||
	    t->words.s == NULL || str_contains(t->words, STR("*")))
		return false;
	for (size_t i = 1; i < c->n; i++)
		if (c->terms[i].next)
			return false;
	return ascii_is_alnum((unsigned char)*t->words.s) || t->words.n != 1;
}

/* Enters the word, which is none of the same row, but may be one of the first
 * `others`. */
static void
add_word(struct arena *a, struct log_rows *t, size_t others, struct str text,
    size_t row)
{
	size_t i = 0;

	while (i < others && !str_eq(t->words[i].text, text))
		i++;
	if (i == others) {
		i = t->n_words;
		arena_push(a, t->words, t->n_words)->text = text;
	}
	t->words[i].rows |= UINT64_C(1) << row;
}

/* Enters the row in the choice by the key's value. */
static void
index_row(struct arena *a, struct log_rows *t, size_t i)
{
	struct row *r = &t->list[i];
	size_t others = t->n_words;
	struct str rest;

	if (asks_for_words(&r->when) && t->key.s == NULL)
		t->key = r->when.terms->path.names[0];
	if (!asks_for_words(&r->when) ||
	    !str_eq(t->key, r->when.terms->path.names[0])) {
		t->always |= UINT64_C(1) << i;
		return;
	}
	for (rest = r->when.terms->words; rest.s != NULL;)
		add_word(a, t, others, str_cut(&rest, '|'), i);
	r->tested = 1;
}

static struct row
row_of(struct arena *a, const struct log_row *of)
{
	return (struct row){
		.of = of,
		.when = condition_of(a, of->when),
		.failed = condition_of(a, of->failed),
		.value = paths_of(a, of->of),
		.id = paths_of(a, of->id),
		.tool = paths_of(a, of->tool),
		.server = paths_of(a, of->server),
		.tool_name = paths_of(a, of->tool_name),
		.args = paths_of(a, of->args),
		.task = paths_of(a, of->task),
		.result = paths_of(a, of->result),
		.is_error = paths_of(a, of->is_error),
		.ok = paths_of(a, of->ok),
		.duration = paths_of(a, of->duration),
		.rows = of->rows == NULL ? NULL : log_rows_of(a, of->rows),
	};
}

const struct log_rows *
log_rows_of(struct arena *a, const struct log_row *of)
{
	struct log_rows *t = arena_new(a, struct log_rows);

	while (of[t->n].what != LOG_ROWS_END)
		t->n++;
	assert(t->n <= ROWS_MAX);
	t->list = arena_new_n(a, struct row, t->n);
	for (size_t i = 0; i < t->n; i++) {
		t->list[i] = row_of(a, &of[i]);
		index_row(a, t, i);
	}
	return t;
}

/* Returns the rows that may be for the value. */
static uint64_t
rows_for(const struct log_rows *t, const struct json *v)
{
	const struct json *key = t->key.s == NULL ? NULL : json_get(v, t->key);
	struct str text = json_is(key, JSON_STRING) ? json_raw(key)
	    : key != NULL                           ? key->text
						    : (struct str){ 0 };

	for (size_t i = 0; key != NULL && i < t->n_words; i++)
		if (str_eq(t->words[i].text, text))
			return t->always | t->words[i].rows;
	return t->always;
}

/* Removes the first row from the set; returns the row if it is for the value, else
 * NULL. */
static const struct row *
take_row(
    const struct log_rows *t, uint64_t *set, const struct json *v, bool other)
{
	const struct row *r = &t->list[__builtin_ctzll(*set)];

	*set &= *set - 1;
	return holds(&r->when, r->tested, v, other) ? r : NULL;
}

const struct log_row *
log_rows_find(const struct log_rows *t, const struct json *v)
{
	const struct row *r = NULL;

	for (uint64_t set = rows_for(t, v); set != 0 && r == NULL;)
		r = take_row(t, &set, v, true);
	return r == NULL ? NULL : r->of;
}

/* ---- reading ---- */

static void
read_result(struct builder *b, const struct row *r, const struct json *v,
    const struct json *value)
{
	bool own = r->of->what == LOG_CALL;

	builder_result(b, .last = own, .id = own ? NULL : find(r->id, v),
	    .tool = own ? NULL : find(r->tool, v),
	    .server = own ? NULL : find(r->server, v),
	    .name = own ? NULL : find(r->tool_name, v), .value = value,
	    .is_error = r->failed.n != 0
		? builder_bool(holds(&r->failed, 0, v, true))
		: find(r->is_error, v),
	    .ok = find(r->ok, v), .duration = find(r->duration, v));
}

static void
read_call(struct builder *b, const struct row *r, const struct json *v)
{
	const struct json *result = find(r->result, v);

	builder_call(b, .id = find(r->id, v), .tool = find(r->tool, v),
	    .server = find(r->server, v), .name = find(r->tool_name, v),
	    .args = find(r->args, v), .task = find(r->task, v),
	    .duration = find(r->duration, v), .ended = r->of->ended,
	    .early = r->of->early, .once = r->of->once,
	    .decode = r->of->decode);
	if (result != NULL ||
	    (r->failed.n != 0 && holds(&r->failed, 0, v, true)))
		read_result(b, r, v, result);
}

static void
read_usage(struct builder *b, const struct row *r, const struct json *v,
    const struct json *counts)
{
	struct usage u = { 0 };

	for (int i = 0; i < USAGE_COUNT; i++)
		if (r->of->counts[i] != NULL)
			usage_read(&u, (enum usage_kind)i,
			    field_find(counts, r->of->counts[i]));
	if (u.known == 0)
		return;
	if (r->of->what == LOG_TOTAL)
		builder_total(b, &u);
	else
		builder_usage(b, json_raw(find(r->id, v)), &u, false);
}

/* Reports what the row says of the run. Returns false if the row says something
 * else. */
static bool
read_run(struct log *log, const struct log_row *r, const struct json *of)
{
	struct builder *b = log->builder;

	switch (r->what) {
	case LOG_BEGIN:
		builder_begin_run(b);
		builder_set(b, RUN_ID, of);
		return true;
	case LOG_RUN:
		log_run(log, of);
		return true;
	case LOG_END:
		builder_end_run(b);
		return true;
	case LOG_OPEN:
	case LOG_CLOSED:
		builder_set_broken(b, r->what == LOG_OPEN);
		return true;
	case LOG_SET:
		builder_set(b, r->member, of);
		return true;
	case LOG_META:
		builder_meta(b, r->name, of);
		return true;
	case LOG_MODEL:
		builder_model(b, of);
		return true;
	case LOG_ERROR:
		builder_error(b, of);
		return true;
	default:
		return false;
	}
}

/* Reports what the row says that the user or the agent did. */
static void
read_event(struct builder *b, const struct row *r, const struct json *v,
    const struct json *of)
{
	switch (r->of->what) {
	case LOG_INPUT:
		builder_input(b);
		break;
	case LOG_PROMPT:
		builder_prompt(b, of);
		break;
	case LOG_TEXT:
		builder_text(b, of);
		break;
	case LOG_BLOCKS:
		builder_text_blocks(b, of);
		break;
	case LOG_PIECE:
		builder_append_text(b, of);
		break;
	case LOG_TEXT_END:
		builder_end_text(b);
		break;
	case LOG_CALL:
		read_call(b, r, v);
		break;
	case LOG_ARGS:
		builder_append_args(b, find(r->id, v), of);
		break;
	case LOG_RESULT:
		read_result(b, r, v, find(r->result, v));
		break;
	case LOG_REQUEST:
		builder_llm_call(b, (struct str){ 0 });
		break;
	case LOG_USAGE:
	case LOG_TOTAL:
		read_usage(b, r, v, of);
		break;
	case LOG_TURN_MS:
		builder_turn_duration(b, of);
		break;
	default:
		assert(false);
	}
}

static void
read_row(struct log *log, const struct row *r, const struct json *v)
{
	const struct json *of = r->value == NULL ? v : find(r->value, v);

	switch (r->of->what) {
	case LOG_NOTHING:
		log->builder->reported |= BUILDER_NOTHING;
		break;
	case LOG_HOOK:
		r->of->read(log, of);
		break;
	case LOG_IN:
		if (of != NULL)
			log_rows_read(log, r->rows, of);
		break;
	case LOG_EACH:
		for (json_each(one, of))
			log_rows_read(log, r->rows, one);
		break;
	case LOG_LOCATE:
		if (r->of->read != NULL)
			r->of->read(log, of);
		else
			builder_locate(log->builder, .ts = find(r->value, v),
			    .message = find(r->id, v));
		break;
	default:
		if (!read_run(log, r->of, of))
			read_event(log->builder, r, v, of);
	}
}

void
log_rows_read(struct log *log, const struct log_rows *t, const struct json *v)
{
	bool other = true;

	for (uint64_t set = rows_for(t, v); set != 0;) {
		const struct row *r = take_row(t, &set, v, other);

		if (r != NULL) {
			read_row(log, r, v);
			other &= r->of->what == LOG_LOCATE;
		}
	}
	if (other)
		log_unread(log, v);
}

/* Counts a record that was read as unread, if the format has no row for it and it
 * reported nothing to the builder; or, unless the format knows all blocks, if the
 * record reported no call and may hold one. */
static void
account(struct log *log, const struct log_rows *t, const struct json *record,
    bool knows_blocks)
{
	struct builder *b = log->builder;
	const struct log_row *row;

	if (t == NULL || b->reported & ~(unsigned)BUILDER_SAID ||
	    (knows_blocks && b->reported != 0))
		return;
	row = log_rows_find(t, record);
	if (row != NULL && row->what == LOG_NOTHING)
		return;
	unread_account(b, log->scratch, record, row != NULL,
	    knows_blocks && (row != NULL || b->reported != 0) ? 0 : ~0U);
}

/* A table that log_read_part prepared. */
struct log_prepared {
	struct log_prepared *next;
	const struct log_row *of;
	const struct log_rows *rows;
};

static const struct log_rows *
prepared(struct log *log, const struct log_row *of)
{
	struct log_prepared *p = log->prepared;

	while (p != NULL && p->of != of)
		p = p->next;
	if (p == NULL) {
		p = arena_new(log->arena, struct log_prepared);
		*p = (struct log_prepared){ log->prepared, of,
			log_rows_of(log->arena, of) };
		log->prepared = p;
	}
	return p->rows;
}

void
log_read_part(struct log *log, const struct log_row *of, const struct json *v)
{
	const struct log_rows *rows = prepared(log, of);
	unsigned before = log->builder->reported;

	log->builder->reported = 0;
	log_rows_read(log, rows, v);
	account(log, rows, v, false);
	log->builder->reported |= before;
}

void
log_open(struct log *log, const struct log_format *format)
{
	log->format = format;
	log->context = format->context;
	log->prepared = NULL;
	log->builder->options.unflagged = format->unflagged;
	log->rows = NULL;
}

/* Returns the format's rows, prepared when a record needs them. */
static const struct log_rows *
rows_of_format(struct log *log)
{
	if (log->rows == NULL && log->format->rows != NULL)
		log->rows = log_rows_of(log->arena, log->format->rows);
	return log->rows;
}

void
log_read_by_rows(struct log *log, const struct json *v)
{
	log_rows_read(log, rows_of_format(log), v);
}

void
log_read(struct log *log, const struct json *record)
{
	const struct log_format *format = log->format;

	log->builder->reported = 0;
	if (format->before != NULL)
		format->before(log, record);
	if (format->read != NULL)
		format->read(log, record);
	else
		log_read_by_rows(log, record);
	if (!format->knows_blocks || log->builder->reported == 0)
		account(log, rows_of_format(log), record, format->knows_blocks);
}
