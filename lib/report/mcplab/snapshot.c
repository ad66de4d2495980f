#include "report/mcplab/snapshot.h"

#include "report/mcplab/scenario.h"
#include "report/mcplab/similarity.h"
#include "yaml/document.h"

enum { SCHEMA_VERSION = 2 };

/* ---- reading ---- */

/* Returns a message on the first mistake in the snapshot, or NULL. *at is the
 * value with the mistake. */
static const char *
find_mistake(const struct json *root, const struct json **at)
{
	const struct json *items = json_get(root, "items");
	int64_t version;

	*at = root;
	if (!json_is(root, JSON_OBJECT))
		return "expected an object";
	if (!json_int(json_get(root, "schema_version"), &version) ||
	    version != SCHEMA_VERSION)
		return "expected a snapshot with schema_version 2";
	if (!json_is(items, JSON_ARRAY))
		return "items: expected a list";
	for (json_each(item, items)) {
		*at = item;
		if (!json_is(json_get(item, "scenario_id"), JSON_STRING))
			return "scenario_id: expected a string";
	}
	return NULL;
}

bool
snapshot_read(struct snapshot *s, const char *path, struct arena *a)
{
	struct document *doc = document_read(a, path, NULL);
	const struct json *root, *at;
	const char *wrong;

	if (doc == NULL)
		return false;
	root = doc->n == 0 ? NULL : doc->roots[0];
	wrong = find_mistake(root, &at);
	if (wrong != NULL) {
		diag_error(document_place(doc, at), "--snapshot: %s", wrong);
		return false;
	}
	s->id = json_text(json_get(root, "id"), a);
	s->items = json_get(root, "items");
	return true;
}

/* ---- writing ---- */

static void
put_texts(struct out *o, const char *key, struct str_list texts)
{
	out_key(o, key);
	out_json_strs(o, texts);
}

static void
put_value(struct out *o, const struct mcplab_scenario_value *v, struct arena *a)
{
	struct similarity_value value = similarity_value_of(v->text, a);

	out_key_str(o, v->name);
	if (value.kind == SIMILARITY_BOOLEAN)
		out_json_bool(o, value.number != 0);
	else if (value.kind == SIMILARITY_NUMBER)
		out_json_double(o, value.number);
	else
		out_json_str(o, value.text);
}

static void
put_item(struct out *o, const struct mcplab_scenario *s, struct arena *a)
{
	out_begin(o, '{');
	out_member_str(o, "scenario_id", s->scenario);
	put_texts(o, "baseline_agents", s->agents);
	put_texts(o, "required_tools", s->required);
	put_texts(o, "forbidden_tools", s->forbidden);
	out_member_begin(o, "allowed_sequences", '[');
	for (size_t i = 0; i < s->allowed.n; i++)
		out_json_raw(o, s->allowed.list[i]);
	out_end(o, ']');
	put_texts(o, "baseline_tools", s->tools);
	out_member_begin(o, "extracted_values", '{');
	for (size_t i = 0; i < s->n_values; i++)
		put_value(o, &s->values[i], a);
	out_end(o, '}');
	out_member_begin(o, "final_answer_features", '{');
	put_texts(o, "token_set", s->words);
	out_end(o, '}');
	out_end(o, '}');
}

/* Writes the summary. MCPLab counts a scenario once for each agent. */
static void
put_summary(struct out *o, const struct tally *t)
{
	out_member_begin(o, "source_summary", '{');
	out_member_size(o, "total_scenarios", t->n_tasks);
	out_member_size(o, "total_runs", t->total.runs);
	out_member_int(o, "pass_rate", 1);
	out_end(o, '}');
}

bool
snapshot_fits(const struct tally *t)
{
	for (size_t i = 0; i < t->n_tasks; i++)
		if (t->tasks[i]->names.list[0].s == NULL)
			return false;
	return t->total.runs != 0 &&
	    t->total.status[STATUS_PASSED] == t->total.runs;
}

void
snapshot_write(struct out *o, const struct tally *t, struct arena *a)
{
	struct str run = tally_run_id(t);
	struct mcplab_scenarios all = mcplab_scenarios_of(t, a);

	out_begin(o, '{');
	out_member_int(o, "schema_version", SCHEMA_VERSION);
	out_member_str(o, "id", str_cat(a, STR("snapshot-"), run));
	out_member_str(o, "name", str_cat(a, STR("Snapshot "), run));
	out_member_str(o, "created_at", tally_last_start(t));
	out_member_str(o, "source_run_id", run);
	out_member_str(o, "config_hash", tally_config_hash(t, a));
	put_summary(o, t);
	out_member_begin(o, "items", '[');
	for (size_t i = 0; i < all.n; i++)
		put_item(o, &all.list[i], a);
	out_end(o, ']');
	out_end(o, '}');
	out_line(o);
}
