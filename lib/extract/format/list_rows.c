#include "extract/format/list_rows.h"

#include "extract/format/log_rows.h"

enum { DEPTH_MAX = 12 }; /* a table may be within itself */

/* Names the kinds of rows, by enum log_row_what. */
static const char *const names[] = {
	[LOG_NOTHING] = "nothing",
	[LOG_HOOK] = "by code",
	[LOG_KEEP] = "by code, at the end",
	[LOG_IN] = "the parts",
	[LOG_EACH] = "each element",
	[LOG_LOCATE] = "time",
	[LOG_BEGIN] = "run begins",
	[LOG_RUN] = "run",
	[LOG_END] = "run ends",
	[LOG_OPEN] = "may be cut from here",
	[LOG_CLOSED] = "is whole",
	[LOG_SET] = "member of the run",
	[LOG_META] = "meta",
	[LOG_MODEL] = "model",
	[LOG_ERROR] = "error",
	[LOG_NO_ERROR] = "no error",
	[LOG_BEGAN] = "time of the run's begin",
	[LOG_ENDED] = "time of the run's end",
	[LOG_STOP] = "end of the answer",
	[LOG_SYSTEM] = "system prompt",
	[LOG_INPUT] = "turn",
	[LOG_REWIND] = "turns undone",
	[LOG_PROMPT] = "prompt",
	[LOG_TEXT] = "text",
	[LOG_MESSAGE] = "message",
	[LOG_MESSAGE_BY_ORDER] = "message",
	[LOG_AGENT] = "agent",
	[LOG_BLOCKS] = "text or blocks",
	[LOG_PIECE] = "piece of a text",
	[LOG_TEXT_END] = "end of a text",
	[LOG_CALL] = "call",
	[LOG_ARGS] = "piece of arguments",
	[LOG_RESULT] = "result",
	[LOG_REQUEST] = "request",
	[LOG_USAGE] = "usage",
	[LOG_TOTAL] = "usage so far",
	[LOG_TURN_MS] = "duration of the turn",
};

/* A table that is being written. */
struct table {
	struct out *to;
	const char *format;
	struct arena arena;
	size_t depth;
};

static void
put(struct out *o, const char *key, const char *value)
{
	if (value != NULL && *value != '\0')
		out_member_str(o, key, str_of(value));
}

static void
list_row(struct table *t, const struct log_row *r, struct str in)
{
	struct out *o = t->to;

	out_begin(o, '{');
	put(o, "format", t->format);
	if (in.n != 0)
		out_member_str(o, "in", in);
	put(o, "when", r->when);
	put(o, "reads", names[r->what]);
	put(o, "name", r->name);
	put(o, "each", r->each);
	put(o, "of", r->of);
	put(o, "id", r->id);
	put(o, "tool", r->tool);
	put(o, "args", r->args);
	put(o, "result", r->result);
	put(o, "is_error", r->is_error);
	put(o, "failed", r->failed);
	out_end(o, '}');
	out_line(o);
}

static void
list_table(struct table *t, const struct log_row *rows, struct str in)
{
	if (t->depth++ == DEPTH_MAX)
		return;
	for (const struct log_row *r = rows; r->what != LOG_ROWS_END; r++) {
		struct str of = str_of(r->of == NULL ? "" : r->of);

		list_row(t, r, in);
		if (r->rows == NULL || r->rows == rows)
			continue;
		list_table(t, r->rows,
		    str_printf(&t->arena, "%.*s%s%.*s%s", STR_FMT(in),
			in.n != 0 && of.n != 0 ? "." : "", STR_FMT(of),
			r->what == LOG_EACH ? "[*]" : ""));
	}
	t->depth--;
}

void
log_list_rows(struct out *o, const struct log_format *format)
{
	struct table t = { .to = o, .format = format->name };
	const struct log_row code = { .what = LOG_HOOK };

	if (format->rows == NULL)
		list_row(&t, &code, STR(""));
	else
		list_table(&t, format->rows, STR(""));
	arena_free(&t.arena);
}
