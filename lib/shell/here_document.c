/* Here-documents: their bodies, and the shells that read them as commands. */
#include "shell/parser.h"

/* Returns a line without its end, and moves *at behind the end. */
static struct str
next_line(struct str text, size_t *at)
{
	struct str rest = str_from(text, *at);
	size_t n = str_find_char(rest, '\n');

	*at += n < rest.n ? n + 1 : n;
	return str_slice(rest, 0, n);
}

/* Returns the text without the tabs that begin its lines. */
static struct str
without_tabs(struct arena *a, struct str text)
{
	char *out = arena_room(a, text.n + 1);
	size_t n = 0;
	bool begins = true;

	for (size_t i = 0; i < text.n; i++) {
		if (begins && text.s[i] == '\t')
			continue;
		begins = text.s[i] == '\n';
		out[n++] = text.s[i];
	}
	return (struct str){ out, n };
}

/* Returns the body at the place, and moves the place behind the line that ends the
 * body. */
static struct str
read_body(struct shell_parser *p, const struct shell_document *d)
{
	size_t from = p->at, end = from;

	while (!shell_at_end(p)) {
		struct str line = next_line(p->text, &p->at);

		while (d->strips_tabs && str_starts(line, "\t"))
			line = str_from(line, 1);
		if (str_eq(line, d->end))
			break;
		end = p->at;
	}
	return str_slice(p->text, from, end);
}

void
shell_documents(struct shell_parser *p)
{
	struct shell_document **list = p->documents;
	size_t n = p->n_documents;
	unsigned dead = p->dead;

	p->documents = NULL;
	p->n_documents = 0;
	for (size_t i = 0; i < n; i++) {
		const struct shell_document *d = list[i];
		struct str body = read_body(p, d);

		p->dead = d->dead;
		if (d->strips_tabs)
			body = without_tabs(p->state->arena, body);
		if (!d->quoted)
			body = shell_document_text(p, body);
		if (d->command != SHELL_NONE)
			p->state->list[d->command].input = body;
		if (d->is_read) {
			struct shell_parser outer = *p;

			/* A function's body does not have what is below the
			 * definition. */
			p->state->unknown |= p->in_function && body.n == 0;
			outer.in_function = false;
			shell_nested(&outer, body, d->params,
			    (struct shell_stdin){ .kind = INPUT_FILE }, d->by);
		}
	}
	p->dead = dead;
}
