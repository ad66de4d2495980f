#include "trace.h"

static const char *const names[STATUS_COUNT] = {
	[STATUS_PASSED] = "passed",
	[STATUS_FAILED] = "failed",
	[STATUS_ERROR] = "error",
	[STATUS_PENDING] = "pending",
	[STATUS_SKIPPED] = "skipped",
	[STATUS_UNCHECKED] = "unchecked",
};

const char *
status_name(enum status s)
{
	return names[s];
}

bool
status_of(struct str name, enum status *s)
{
	for (int i = 0; i < STATUS_COUNT; i++) {
		if (str_is(name, names[i])) {
			*s = (enum status)i;
			return true;
		}
	}
	return false;
}

bool
trace_is(const struct json *record)
{
	int64_t version;

	return json_str_is(json_get(record, STR("type")), STR("trace")) &&
	    json_int(json_get(record, STR("v")), &version) && version == 1;
}

enum status
trace_status(const size_t counts[STATUS_COUNT], bool error)
{
	static const enum status order[] = { STATUS_FAILED, STATUS_ERROR,
		STATUS_PENDING, STATUS_PASSED, STATUS_SKIPPED };

	if (error)
		return STATUS_ERROR;
	for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
		if (counts[order[i]] != 0)
			return order[i];
	return STATUS_UNCHECKED;
}

static bool
listed(const struct json *key, const char *const list[])
{
	for (; *list != NULL; list++)
		if (json_str_is(key, str_of(*list)))
			return true;
	return false;
}

/* Copies runs of members that stay, rather than member by member. */
void
trace_splice(struct out *o, const struct json *record, const char *const drop[],
    struct str members)
{
	const char *from = NULL, *to = NULL;
	bool any = false;

	out_char(o, '{');
	for (json_members(key, record)) {
		struct str value = json_value(key)->text;
		bool stays = !listed(key, drop);

		if (stays && from == NULL)
			from = key->text.s;
		if (stays)
			to = value.s + value.n;
		if (from != NULL &&
		    (!stays || json_next(record, json_value(key)) == NULL)) {
			if (any)
				out_char(o, ',');
			out_str(o, (struct str){ from, (size_t)(to - from) });
			from = NULL;
			any = true;
		}
	}
	if (any && members.n != 0)
		out_char(o, ',');
	out_str(o, members);
	out_char(o, '}');
	o->comma = true;
}
