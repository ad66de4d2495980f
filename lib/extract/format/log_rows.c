#include "extract/format/log_rows.h"

#include <assert.h>

#include "extract/format/log_condition.h"
#include "extract/format/log_format.h"
#include "extract/format/log_keep.h"
#include "extract/format/unread.h"

enum {
	ROWS_MAX = 64, /* of a table: a bit for each */
};

/* ---- tables ---- */

struct row {
	const struct log_row *of;
	struct log_condition when, failed;
	const struct log_paths *value, *id, *tool, *server, *tool_name, *args,
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
asks_for_words(const struct log_condition *c)
{
	const struct log_term *t = c->terms;

	if (c->n == 0 || t->negate || t->other || t->path.n != 1 ||
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
		.when = log_condition_of(a, of->when),
		.failed = log_condition_of(a, of->failed),
		.value = log_paths_of(a, of->of),
		.id = log_paths_of(a, of->id),
		.tool = log_paths_of(a, of->tool),
		.server = log_paths_of(a, of->server),
		.tool_name = log_paths_of(a, of->tool_name),
		.args = log_paths_of(a, of->args),
		.task = log_paths_of(a, of->task),
		.result = log_paths_of(a, of->result),
		.is_error = log_paths_of(a, of->is_error),
		.ok = log_paths_of(a, of->ok),
		.duration = log_paths_of(a, of->duration),
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
	return log_condition_holds(&r->when, r->tested, v, other) ? r : NULL;
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

	builder_result(b, .last = own,
	    .id = own ? NULL : log_paths_find(r->id, v),
	    .tool = own ? NULL : log_paths_find(r->tool, v),
	    .server = own ? NULL : log_paths_find(r->server, v),
	    .name = own ? NULL : log_paths_find(r->tool_name, v),
	    .value = value,
	    .is_error = r->failed.n != 0
		? builder_bool(log_condition_holds(&r->failed, 0, v, true))
		: log_paths_find(r->is_error, v),
	    .ok = log_paths_find(r->ok, v),
	    .duration = log_paths_find(r->duration, v));
}

static void
read_call(struct builder *b, const struct row *r, const struct json *v)
{
	const struct json *result = log_paths_find(r->result, v);

	builder_call(b, .id = log_paths_find(r->id, v),
	    .tool = log_paths_find(r->tool, v),
	    .server = log_paths_find(r->server, v),
	    .name = log_paths_find(r->tool_name, v),
	    .args = log_paths_find(r->args, v),
	    .task = log_paths_find(r->task, v),
	    .duration = log_paths_find(r->duration, v), .ended = r->of->ended,
	    .early = r->of->early, .once = r->of->once,
	    .decode = r->of->decode);
	if (result != NULL ||
	    (r->failed.n != 0 && log_condition_holds(&r->failed, 0, v, true)))
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
		builder_usage(b, json_raw(log_paths_find(r->id, v)), &u, false);
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
	case LOG_STOP:
		builder_stop_reason(b, of);
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
		builder_append_args(b, log_paths_find(r->id, v), of);
		break;
	case LOG_RESULT:
		read_result(b, r, v, log_paths_find(r->result, v));
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
	const struct json *of =
	    r->value == NULL ? v : log_paths_find(r->value, v);

	switch (r->of->what) {
	case LOG_NOTHING:
		log->builder->reported |= BUILDER_NOTHING;
		break;
	case LOG_HOOK:
		r->of->read(log, of);
		break;
	case LOG_KEEP:
		log_keep(log, json_raw(log_paths_find(r->id, v)), false,
		    r->of->read, of);
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
			builder_locate(log->builder,
			    .ts = log_paths_find(r->value, v),
			    .message = log_paths_find(r->id, v));
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
log_read_part(
    struct log *log, const struct log_row *rows, const struct json *part)
{
	const struct log_rows *table = prepared(log, rows);
	unsigned before = log->builder->reported;

	log->builder->reported = 0;
	log_rows_read(log, table, part);
	account(log, table, part, false);
	log->builder->reported |= before;
}

void
log_open(struct log *log, const struct log_format *format)
{
	log->format = format;
	log->context = format->context;
	log->prepared = NULL;
	log->builder->options.unflagged = format->unflagged;
	log->builder->options.unidentified = format->unidentified;
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
