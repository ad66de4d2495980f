#include "trace/seal.h"

#include "base/clamp.h"
#include "base/diag.h"

bool
seal_read(struct seal_count *c, const struct json *record)
{
	int64_t runs, errors;

	if (!json_str_is(json_get(record, "type"), "seal"))
		return false;
	c->seals++;
	if (!json_int(json_get(record, "runs"), &runs) || runs < 0 ||
	    !json_int(json_get(record, "errors"), &errors))
		errors = 1; /* a seal that is damaged is none of a good end */
	else
		c->runs += clamp_size(runs);
	c->trouble += errors != 0;
	return true;
}

void
seal_add(struct seal_count *to, const struct seal_count *from)
{
	to->seals += from->seals;
	to->runs += from->runs;
	to->trouble += from->trouble;
}

void
seal_check(const struct seal_count *c, bool wanted, size_t runs)
{
	const struct place nowhere = { 0 };

	if (c->trouble != 0)
		diag_error(nowhere,
		    "--seal: the program that wrote the input had trouble");
	else if (c->seals == 0 && wanted)
		diag_error(nowhere,
		    "--seal: the input has no seal: the program that wrote it "
		    "died, or writes none (see --seal=first)");
	else if (c->seals != 0 && c->runs != runs)
		diag_warn(nowhere,
		    "--seal: runs that were written: %zu, that came in: %zu",
		    c->runs, runs);
}

void
seal_write(struct out *o, const char *stage, size_t runs)
{
	out_begin(o, '{');
	out_member_str(o, "type", STR("seal"));
	out_member_int(o, "v", 1);
	out_member_str(o, "by", str_of(stage));
	out_member_size(o, "runs", runs);
	out_member_size(o, "errors", diag_errors());
	out_end(o, '}');
	out_line(o);
}
