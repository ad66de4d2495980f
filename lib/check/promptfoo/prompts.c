/* The prompts of promptfoo's configurations, by which runs are recognised. */
#include "check/promptfoo/promptfoo.h"

#include <glob.h>
#include <string.h>

/* ---- reading ---- */

static void
add(struct promptfoo_config *c, struct str raw, struct str unknown)
{
	*arena_push(c->arena, c->prompts, c->nprompts) =
	    (struct promptfoo_prompt){ .raw = raw, .unknown = unknown };
}

static void
add_unknown(struct promptfoo_config *c, const char *what, struct str path)
{
	add(c, (struct str){ 0 },
	    str_printf(c->arena, "%s '%.*s'", what, STR_FMT(path)));
}

/* Adds the prompts of a text file, between lines of three dashes. */
static void
add_text(struct promptfoo_config *c, struct str text)
{
	struct str rest = text, part = { text.s, 0 };

	while (rest.s != NULL) {
		struct str line = str_cut(&rest, '\n');

		if (str_is(str_trim(line), "---")) {
			if (str_trim(part).n != 0)
				add(c, str_trim(part), (struct str){ 0 });
			part = (struct str){ rest.s, 0 };
		} else
			part.n = (size_t)(line.s + line.n - part.s);
	}
	if (part.s != NULL && str_trim(part).n != 0)
		add(c, str_trim(part), (struct str){ 0 });
}

static void
add_lines(struct promptfoo_config *c, struct str text)
{
	while (text.s != NULL) {
		struct str line = str_cut(&text, '\n');

		if (str_trim(line).n != 0)
			add(c, str_trim(line), (struct str){ 0 });
	}
}

static void
add_file(struct promptfoo_config *c, struct str path)
{
	const struct document *doc;
	struct str text;

	if (str_ends(path, ".yaml") || str_ends(path, ".yml")) {
		doc = promptfoo_read(c, path);
		if (doc != NULL && doc->n != 0)
			add(c, doc->roots[0]->text, (struct str){ 0 });
		return;
	}
	if (promptfoo_generates(c, path) &&
	    (str_find(path, ".py") == path.n ||
		str_find_char(path, ':') < path.n)) {
		*arena_push(c->arena, c->prompts, c->nprompts) =
		    (struct promptfoo_prompt){ .program = path };
		return;
	}
	if (!str_ends_with_one_of(path, ".txt .md .j2 .json .jsonl")) {
		add_unknown(c, "a prompt that a program makes:", path);
		return;
	}
	text = promptfoo_read_text(c, path);
	if (text.s == NULL)
		add_unknown(c, "a prompt's file that cannot be read:", path);
	else if (str_ends(path, ".txt"))
		add_text(c, text);
	else if (str_ends(path, ".jsonl"))
		add_lines(c, text);
	else
		add(c, text, (struct str){ 0 });
}

/* Returns whether a prompt's text is the path of a file. */
static bool
is_path(struct str text)
{
	static const char ends[] = ".txt .md .j2 .json .jsonl .yaml .yml .csv "
				   ".js .cjs .mjs .ts .py .sh .rb";

	if (str_starts(text, "file://") || str_starts(text, "exec:"))
		return true;
	if (str_find_char(text, '\n') < text.n || str_find(text, "{{") < text.n)
		return false;
	return str_ends_with_one_of(text, ends) || promptfoo_is_program(text);
}

static void
add_prompt(struct promptfoo_config *c, struct str text)
{
	glob_t found = { 0 };
	struct str path;

	if (!is_path(text)) {
		add(c, text, (struct str){ 0 });
		return;
	}
	path = promptfoo_path(c, c->folder, text);
	if (glob(str_c(c->arena, path), 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			add_file(
			    c, str_dup(c->arena, str_of(found.gl_pathv[i])));
	else
		add_file(c, path);
	globfree(&found);
}

/* Reads a prompt: a text, or an object with `raw` or `id`. */
static void
read_prompt(struct promptfoo_config *c, struct fields *e, const struct json *v)
{
	static const char *const keys[] = { "raw", "id", "label", NULL };
	struct str text = json_text(v, c->arena);

	fields_note(e->doc, v, NULL, IS(TEXT) | IS(OBJECT));
	for (size_t i = 0; keys[i] != NULL; i++)
		fields_note(e->doc, v, keys[i], IS(ANY));
	if (json_is(v, JSON_OBJECT)) {
		text = json_text(json_get(v, "raw"), c->arena);
		if (text.s == NULL)
			text = json_text(json_get(v, "id"), c->arena);
		if (text.s == NULL)
			text = json_text(json_get(v, "label"), c->arena);
	}
	if (text.s == NULL)
		fields_mistake(e, v,
		    "prompts: expected text or a mapping with 'raw' or 'id', "
		    "found %s",
		    json_type_name(v));
	else
		add_prompt(c, text);
}

void
promptfoo_read_prompts(struct promptfoo_config *c, struct fields *root)
{
	const struct json *v = fields_get(root, "prompts");

	fields_note(root->doc, root->object, "prompts",
	    IS(LIST) | IS(OBJECT) | IS(TEXT));
	if (v == NULL)
		add(c, STR("{{prompt}}"), (struct str){ 0 });
	else if (json_is(v, JSON_ARRAY)) {
		for (json_each(item, v))
			read_prompt(c, root, item);
	} else if (json_is(v, JSON_OBJECT) && !json_has(v, "raw") &&
	    !json_has(v, "id")) {
		for (json_members(key, v))
			add_prompt(c, json_text(key, c->arena));
	} else
		read_prompt(c, root, v);
}

/* ---- rendering ---- */

struct str
promptfoo_message_text(const struct json *message, struct arena *a)
{
	const struct json *content = json_get(message, "content");
	struct str text = json_text(content, a), part;

	for (json_each(v, content)) {
		part = json_text(json_get(v, "text"), a);
		if (part.s != NULL)
			text = text.s == NULL
			    ? part
			    : str_printf(a, "%.*s\n%.*s", STR_FMT(text),
				  STR_FMT(part));
	}
	return text;
}

/* Returns the last message of the user in a chat; absent if the value is no
 * chat. */
static struct str
last_of_user(const struct json *chat, struct arena *a)
{
	struct str text = { 0 };

	if (json_is(chat, JSON_OBJECT))
		chat = json_get(chat, "messages");
	for (json_each(v, chat))
		if (json_str_is(json_get(v, "role"), "user"))
			text = promptfoo_message_text(v, a);
	return text;
}

const struct json *
promptfoo_as_chat(struct str text, struct arena *a)
{
	text = str_trim(text);
	if (str_starts(text, "[") || str_starts(text, "{"))
		return json_parse(a, text);
	return str_starts(text, "- role:") ? promptfoo_yaml(text, a) : NULL;
}

/* A var that still has a template in its text is rendered itself in a prompt,
 * which is not done here. */
static struct str
why_nested(const struct promptfoo_vars *vars)
{
	for (size_t i = 0; i < vars->n; i++) {
		const struct json *v = vars->list[i].value;

		if (json_is(v, JSON_STRING) &&
		    (str_find(v->text, "{{") < v->text.n ||
			str_find(v->text, "{%") < v->text.n))
			return STR("a var with a template in its value");
	}
	return (struct str){ 0 };
}

struct str
promptfoo_prompt_text(struct promptfoo_config *c,
    const struct promptfoo_prompt *p, const struct promptfoo_vars *vars,
    struct str *why)
{
	struct arena *a = c->arena;
	struct str raw = p->raw, text, user;

	*why = p->unknown;
	if (p->program.s != NULL)
		raw = promptfoo_generate_prompt(c, p->program, vars, why);
	if (raw.s == NULL)
		return raw;
	text = last_of_user(promptfoo_as_chat(raw, a), a);
	if (p->rendered)
		return text.s == NULL ? raw : text;
	*why = why_nested(vars);
	if (why->s != NULL && str_find(raw, "{{") < raw.n)
		return (struct str){ 0 };
	text = promptfoo_render(text.s == NULL ? raw : text, vars, a, why);
	user = last_of_user(promptfoo_as_chat(text, a), a);
	return user.s == NULL ? text : user;
}
