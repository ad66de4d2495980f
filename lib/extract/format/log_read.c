/* Reads records by the rows of their format, and counts what no row reads. */
#include "extract/format/log_rows.h"

#include <assert.h>

#include "base/hash.h"
#include "extract/format/log_keep.h"
#include "extract/format/log_session.h"
#include "extract/format/log_table.h"
#include "extract/format/unread.h"

/* Returns the value that the row is about, or NULL. */
static const struct json *
value_of(const struct log *log, const struct row *r, const struct json *v)
{
	switch (r->of->as) {
	case LOG_AS_TEXT:
		return log_paths_text(r->value, STR("\\n"), v, log);
	case LOG_AS_NAME:
		v = log_paths_name(r->value, v, log);
		return json_is(v, JSON_STRING) ? v : NULL;
	case LOG_AS_NUMBER:
		v = log_paths_number(r->value, v, log);
		return json_is(v, JSON_NUMBER) ? v : NULL;
	case LOG_AS_TIME:
		return log_paths_number(r->value, v, log);
	case LOG_AS_MS:
		return log_paths_ms(r->value, r->seconds, v, log);
	default:
		return r->value == NULL ? v : log_paths_find(r->value, v, log);
	}
}

/* Returns true, false, or NULL: not logged. */
static const struct json *
error_of(const struct log *log, const struct row *r, const struct json *v)
{
	if (r->fails != NULL)
		return builder_bool(jsonpath_holds(r->fails, v, log->scratch));
	if (r->failed.n != 0)
		return builder_bool(
		    log_condition_holds(&r->failed, 0, v, true));
	return log_paths_flag(r->is_error, v, log);
}

/* Reads what the row says of a result; an own result is that of the last call. An
 * own result that is not there did not fail either. */
static bool
read_result(
    struct log *log, const struct row *r, const struct json *v, bool own)
{
	struct builder_result result = { .last = own,
		.value = log_paths_find(r->result, v, log),
		.is_error = error_of(log, r, v),
		.ok = log_paths_find(r->ok, v, log),
		.duration = log_paths_ms(r->duration, r->seconds, v, log) };
	bool user = r->of->jsonpath;

	if (!own) {
		result.id = log_paths_name(r->id, v, log);
		result.tool = log_paths_name(r->tool, v, log);
		result.server = log_paths_name(r->server, v, log);
		result.name = log_paths_name(r->tool_name, v, log);
		if (user && r->test == NULL && result.value == NULL)
			return false;
	} else if (result.value == NULL) {
		if (r->result != NULL && json_is(result.is_error, JSON_FALSE))
			result.is_error = NULL;
		if (user ? result.is_error == NULL && result.duration == NULL
			 : r->failed.n == 0 ||
			    !json_is(result.is_error, JSON_TRUE))
			return false;
	}
	builder_add_result(log->builder, &result);
	return true;
}

/* Reports that a step of a user's map names no tool. */
static void
miss_tool(struct log *log, const struct json *tool)
{
	diag_error(log->at, "call: expected a tool's name, found %s",
	    json_type_name(tool));
	builder_unread(
	    log->builder, unread_kind(log->scratch, log->part), RUN_LOST_CALL);
}

static bool
read_call(struct log *log, const struct row *r, const struct json *v)
{
	struct builder_call call = { .id = log_paths_name(r->id, v, log),
		.tool = log_paths_name(r->tool, v, log),
		.server = log_paths_name(r->server, v, log),
		.name = log_paths_name(r->tool_name, v, log),
		.args = log_paths_find(r->args, v, log),
		.task = log_paths_find(r->task, v, log),
		.ended = r->of->ended,
		.early = r->of->early,
		.once = r->of->once,
		.decode = r->of->decode };

	if (!r->of->jsonpath)
		call.duration = log_paths_find(r->duration, v, log);
	else if (json_raw(call.tool).n == 0) {
		if (r->test != NULL || call.tool != NULL)
			miss_tool(log, call.tool);
		return false;
	}
	builder_add_call(log->builder, &call);
	if (r->result != NULL || r->failed.n != 0 || r->of->jsonpath)
		read_result(log, r, v, true);
	return true;
}

static bool
read_usage(struct log *log, const struct row *r, const struct json *v,
    const struct json *counts)
{
	struct usage u = { 0 };

	if (r->of->usage != NULL)
		field_read_usage(&u, counts, r->of->usage);
	for (int i = 0; i < USAGE_COUNT && r->counts != NULL; i++)
		if (r->counts[i] != NULL)
			usage_read(&u, (enum usage_kind)i,
			    log_paths_number(r->counts[i], counts, log));
	if (r->of->count != NULL)
		r->of->count(&u, counts);
	else if (u.known == 0)
		return false;
	if (r->of->use != NULL)
		r->of->use(log, &u);
	else if (r->of->what == LOG_TOTAL)
		builder_total(log->builder, &u);
	else
		builder_usage(log->builder,
		    json_raw(log_paths_find(r->id, v, log)), &u, false);
	return true;
}

/* Reports what the row says of the run. Returns false if the row says something
 * else. */
static bool
read_run(struct log *log, const struct log_row *r, const struct json *of)
{
	struct builder *b = log->builder;
	int64_t turns;

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
	case LOG_NO_ERROR:
		builder_error(b, r->what == LOG_ERROR ? of : NULL);
		return true;
	case LOG_BEGAN:
		builder_set_times(b, of, NULL);
		return true;
	case LOG_ENDED:
		builder_set_times(b, NULL, of);
		return true;
	case LOG_STOP:
		builder_stop_reason(b, of);
		return true;
	case LOG_REWIND:
		if (json_int(of, &turns) && turns > 0)
			builder_rewind(b, (size_t)turns);
		return true;
	default:
		return false;
	}
}

/* Reports what the row says that the user or the agent did; returns whether the row
 * says something. */
static bool
read_event(struct log *log, const struct row *r, const struct json *v,
    const struct json *of)
{
	struct builder *b = log->builder;

	switch (r->of->what) {
	case LOG_SYSTEM:
		builder_system_message(b, of);
		b->reported |= BUILDER_NOTHING;
		return true;
	case LOG_INPUT:
		builder_input(b);
		return true;
	case LOG_PROMPT:
		builder_prompt(b, of);
		return true;
	case LOG_TEXT:
		builder_text(b, of);
		return true;
	case LOG_AGENT:
		builder_agent(b, of);
		return true;
	case LOG_MESSAGE:
		if (r->id == NULL)
			builder_message(b);
		else
			builder_message_named(b, log_paths_name(r->id, v, log));
		return true;
	case LOG_MESSAGE_BY_ORDER:
		builder_message_by_order(b);
		return true;
	case LOG_BLOCKS:
		builder_text_blocks(b, of);
		return true;
	case LOG_PIECE:
		builder_append_text(b, of);
		return true;
	case LOG_TEXT_END:
		builder_end_text(b);
		return true;
	case LOG_CALL:
		return read_call(log, r, v);
	case LOG_ARGS:
		builder_append_args(b, log_paths_find(r->id, v, log), of);
		return true;
	case LOG_RESULT:
		return read_result(log, r, v, false);
	case LOG_REQUEST:
		builder_llm_call(b, json_raw(log_paths_find(r->id, v, log)));
		return true;
	case LOG_USAGE:
	case LOG_TOTAL:
		return read_usage(log, r, v, of);
	default:
		assert(r->of->what == LOG_TURN_MS);
		builder_turn_duration(b, of);
		return true;
	}
}

static void
read_inner(struct log *log, const struct row *r, const struct json *v)
{
	if (r->of->apart)
		log_read_part(log, r->of->rows, v);
	else
		log_rows_read(log, r->rows, v);
}

/* Reads the elements of a list; the values of a user's path, each of which is
 * accounted for on its own. */
static void
read_list(struct log *log, const struct row *r, const struct json *v,
    const struct json *list)
{
	struct jsonpath_list parts = { 0 };

	if (r->of->jsonpath)
		parts = log_paths_list(r->value, v, log);
	else
		for (json_each(one, list))
			read_inner(log, r, one);
	for (size_t i = 0; i < parts.n; i++)
		log_rows_part(log, r->rows, parts.values[i]);
}

/* Reads what the row says of the value; returns whether the row says something. */
static bool
read_value(struct log *log, const struct row *r, const struct json *v)
{
	const struct json *of = value_of(log, r, v);

	if (of == NULL && r->of->jsonpath && r->of->what != LOG_LOCATE)
		return false;
	switch (r->of->what) {
	case LOG_NOTHING:
		log->builder->reported |= BUILDER_NOTHING;
		return true;
	case LOG_HOOK:
		if (r->of->report != NULL)
			r->of->report(log->builder, of);
		else
			r->of->read(log, of);
		return true;
	case LOG_KEEP:
		log_keep(log, json_raw(log_paths_find(r->id, v, log)), false,
		    r->of->read, of);
		return true;
	case LOG_IN:
		if (of != NULL)
			read_inner(log, r, of);
		return true;
	case LOG_EACH:
		read_list(log, r, v, of);
		return true;
	case LOG_LOCATE:
		if (r->of->read != NULL)
			r->of->read(log, of);
		else
			builder_locate(log->builder,
			    .ts = r->value == NULL ? NULL : of,
			    .message = log_paths_find(r->id, v, log));
		return true;
	default:
		return read_run(log, r->of, of) || read_event(log, r, v, of);
	}
}

/* Reads each value that a user's path finds. Instead of calls or results, a text may
 * hold the JSON of one or of a list of them. */
static bool
read_each(struct log *log, const struct row *r, const struct json *v)
{
	struct jsonpath_list items = log_paths_list(r->each, v, log);
	bool any = false;

	for (size_t i = 0; i < items.n; i++) {
		const struct json *inner = NULL;

		if (r->of->what == LOG_CALL || r->of->what == LOG_RESULT)
			inner = field_decode(log->scratch, items.values[i]);
		for (json_each(one, inner))
			any |= read_value(log, r, one);
		if (!json_is(inner, JSON_ARRAY))
			any |= read_value(log, r,
			    json_is(inner, JSON_OBJECT) ? inner
							: items.values[i]);
	}
	return any;
}

/* Reads the value by the row; returns whether the value counts as read. */
static bool
read_row(struct log *log, const struct row *r, const struct json *v)
{
	bool said;

	if (!r->of->jsonpath) {
		if (r->each == NULL)
			read_value(log, r, v);
		else
			for (json_each(one, log_paths_find(r->each, v, log)))
				read_value(log, r, one);
		return !log_row_is_aside(r->of->what);
	}
	if (r->test != NULL && !jsonpath_holds(r->test, v, log->scratch))
		return false;
	said = r->each == NULL ? read_value(log, r, v) : read_each(log, r, v);
	if (r->counts != NULL && r->of->what != LOG_USAGE) /* of the step */
		read_usage(log, r, v, v);
	return (said || r->test != NULL) && !r->of->aside;
}

/* Reads the value by all rows that are for it; returns whether the value counts as
 * read. */
static bool
read_rows(struct log *log, const struct log_rows *t, const struct json *v)
{
	bool other = true;

	for (; t != NULL; t = t->more)
		for (uint64_t set = log_table_rows(t, v); set != 0;) {
			const struct row *r = log_table_take(t, &set, v, other);

			if (r != NULL && read_row(log, r, v))
				other = false;
		}
	return !other;
}

void
log_rows_read(struct log *log, const struct log_rows *t, const struct json *v)
{
	if (!read_rows(log, t, v))
		log_unread(log, v);
}

void
log_rows_part(struct log *log, const struct log_rows *t, const struct json *v)
{
	const struct json *around = log->part;
	struct builder *b = log->builder;
	unsigned before = b->reported, lost;
	bool known;

	log->part = v;
	b->reported = 0;
	known = read_rows(log, t, v);
	before |= b->reported | BUILDER_SAID; /* it is read in part */
	lost = unread_account(b, log->scratch, v, known,
	    (known ? 0 : RUN_LOST_TEXT) | (RUN_LOST_CALL & ~log->unlogged));
	b->reported = before | (lost & RUN_LOST_CALL ? BUILDER_UNREAD : 0);
	log->part = around;
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
	struct log_compiled c = { .arena = log->arena };

	log->format = format;
	log->context = format->context;
	log->prepared = NULL;
	log->unlogged = 0;
	log->builder->options.unflagged = format->unflagged;
	log->builder->options.unidentified = format->unidentified;
	log->builder->options.silent = NULL;
	log->rows = NULL;
	log->session = log_paths_of(&c, format->session);
	log->record_id = log_paths_of(&c, format->record_id);
}

/* Returns the format's rows, prepared when a record needs them. */
static const struct log_rows *
rows_of_format(struct log *log)
{
	if (log->rows == NULL && log->format->rows != NULL)
		log->rows = log_rows_of(log->arena, log->format->rows);
	return log->rows;
}

bool
log_knows(struct log *log, const struct json *record)
{
	const struct log_rows *t = rows_of_format(log);
	const struct log_row *row = t == NULL ? NULL : log_rows_find(t, record);

	return row != NULL && row->when != NULL && *row->when != '\0' &&
	    strcmp(row->when, "else") != 0;
}

void
log_read_by_rows(struct log *log, const struct json *v)
{
	log_rows_read(log, rows_of_format(log), v);
}

/* Returns whether the record has the id of an earlier record of its run, and that
 * record's length: ids that were made unreadable may be alike. */
static bool
is_copy(struct log *log, const struct json *record)
{
	const struct log_path *path = log->record_id->list;
	uint64_t id = HASH_START;

	for (size_t i = 0; i < log->record_id->n; i++) {
		const struct json *part = log_path_value(&path[i], record);
		struct str text = { 0 };

		if (part != NULL)
			text = part->text;
		else if (i == 0)
			return false;
		id = hash_add(id, text);
	}
	return builder_had_record(
	    log->builder, id + ((uint64_t)record->text.n << 8));
}

void
log_read(struct log *log, const struct json *record)
{
	const struct log_format *format = log->format;

	log->builder->reported = 0;
	if (log->session != NULL)
		log_run(log, log_paths_find(log->session, record, log));
	if (log->record_id != NULL && is_copy(log, record))
		return;
	log_need_state(log);
	if (format->before != NULL)
		format->before(log, record);
	if (format->read != NULL)
		format->read(log, record);
	else
		log_read_by_rows(log, record);
	if (!format->knows_blocks ||
	    (format->read != NULL && log->builder->reported == 0))
		account(log, rows_of_format(log), record, format->knows_blocks);
}
