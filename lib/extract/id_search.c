#include "extract/id_search.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/swar.h"
#include "json/lenient.h"

enum {
	HEAD = 4096, /* bytes in which the ids of a file begin */
	KEY = 32,    /* most bytes of a key and its quotes */
	ID = 256,    /* most bytes behind a key, up to the end of the id */
};

/* ---- keys ---- */

/* Returns the last name of a path. */
static struct str
last_name(struct str path)
{
	size_t from = path.n;

	while (from != 0 && path.s[from - 1] != '.')
		from--;
	return str_from(path, from);
}

static struct id_name *
find_name(struct id_search *s, struct str name)
{
	for (size_t i = 0; i < s->n_names; i++)
		if (str_eq(s->names[i].name, name))
			return &s->names[i];
	return NULL;
}

static void
add_name(struct id_search *s, struct str name, bool everywhere)
{
	struct id_name *known = find_name(s, name);

	if (known != NULL)
		known->everywhere |= everywhere;
	if (known != NULL || s->n_names == ID_SEARCH_NAMES)
		return;
	s->names[s->n_names++] = (struct id_name){ name, everywhere, 0 };
	s->thirds[name.n < 3 ? '"' : (unsigned char)name.s[name.n - 3]] = true;
}

void
id_search_add(struct id_search *s, const struct log_format *f)
{
	struct str paths =
	    str_of(f->shared_session == NULL ? "" : f->shared_session);
	struct str keys = str_of(f->shared_keys == NULL ? "" : f->shared_keys);

	while (paths.n != 0)
		add_name(s, last_name(str_cut(&paths, ' ')), false);
	while (keys.n != 0)
		add_name(s, str_cut(&keys, ' '), true);
}

/* ---- ids in a text ---- */

uint64_t
id_search_hash(struct str id)
{
	return hash_add(HASH_START, id);
}

/* Returns the value, a body, that follows a key: in "KEY": "ID", or in
 * "key":"KEY","value":{"stringValue":"ID"}; empty if none does. */
static struct str
value_after(struct str text)
{
	const struct str value = STR("alue\":\"");
	size_t n;

	text = jsonc_skip(str_slice(text, 0, ID));
	if (str_starts(text, ",")) {
		text = str_from(text, str_find(text, value) + value.n);
	} else {
		if (!str_starts(text, ":"))
			return STR("");
		text = jsonc_skip(str_from(text, 1));
		if (!str_starts(text, "\""))
			return STR("");
		text = str_from(text, 1);
	}
	n = str_find_char(text, '"');
	return n == text.n ? STR("") : str_slice(text, 0, n);
}

/* Returns the name of the key in the text whose closing quote is at `end`, if it is
 * one of the names. */
static struct id_name *
key_at(struct id_search *s, struct str text, size_t end)
{
	if (end < 3 || end >= text.n ||
	    !s->thirds[(unsigned char)text.s[end - 3]])
		return NULL;
	for (size_t i = 0; i < s->n_names; i++) {
		struct str name = s->names[i].name;
		const char *from = text.s + end - name.n;

		if (from > text.s && from[-1] == '"' &&
		    str_same(from, name.s, name.n))
			return from > text.s + 1 && from[-2] == '\\'
			    ? NULL
			    : &s->names[i];
	}
	return NULL;
}

/* Notes the id behind the key in the text whose closing quote is at `end`. Returns
 * whether it is a key whose ids are everywhere. */
static bool
note_id(struct id_search *s, size_t file, struct str text, size_t end)
{
	struct id_name *name = key_at(s, text, end);
	struct file_id new = { .file = file, .name = name }, *recent;
	struct str id;

	if (name == NULL || (!name->everywhere && name->files == file + 1))
		return false;
	name->files = file + 1;
	id = value_after(str_from(text, end + 1));
	if (id.n == 0)
		return name->everywhere;
	new.hash = id_search_hash(id);
	recent = &s->recent[new.hash % ID_SEARCH_RECENT];
	if (recent->hash != new.hash || recent->file != file ||
	    recent->name != name)
		*arena_push(s->arena, s->ids, s->n) = *recent = new;
	return name->everywhere;
}

typedef unsigned char bytes __attribute__((vector_size(ID_SEARCH_BYTES)));

/* Returns the top bit of each byte of the i-th word. */
static inline uint64_t
top_bits(const bytes *all, size_t i)
{
	return swar((const char *)all + i * sizeof(uint64_t)) &
	    swar_times(0x80);
}

/* Notes the ids whose keys end in the text from `from` on, before `to`, with the
 * letter d and a quote. Returns whether there is a key whose ids are everywhere. */
static bool
note_ids(
    struct id_search *s, size_t file, struct str text, size_t from, size_t to)
{
	enum { WORDS = ID_SEARCH_BYTES / sizeof(uint64_t) };
	bool any = false;

	for (; from < to; from += ID_SEARCH_BYTES) {
		bytes letters, quotes;

		memcpy(&letters, text.s + from, sizeof letters);
		memcpy(&quotes, text.s + from + 1, sizeof quotes);
		/* A capital and a small letter differ in one bit. */
		letters =
		    (bytes)((letters | 0x20) == 'd') & (bytes)(quotes == '"');
		if ((top_bits(&letters, 0) | top_bits(&letters, 1)) == 0)
			continue;
		for (size_t i = 0; i < WORDS; i++) {
			uint64_t ends = top_bits(&letters, i);

			for (; ends != 0; ends &= ends - 1)
				any |= note_id(s, file, text,
				    from + i * sizeof ends + 1 +
					(size_t)__builtin_ctzll(ends) / 8);
		}
	}
	return any;
}

/* Notes the ids in the rest of the file, of which the buffer has n bytes. */
static void
note_rest(struct id_search *s, size_t file, int fd, size_t n)
{
	size_t from = 0;
	ssize_t got;

	while ((got = read(fd, s->buf + n, ID_SEARCH_BLOCK - n)) > 0) {
		size_t to, keep;

		/* The last id may go on in the next block. */
		n += (size_t)got;
		to = n < ID ? 0 : n - ID;
		note_ids(s, file, (struct str){ s->buf, n }, from, to);
		keep = n < KEY + ID ? n : KEY + ID;
		memmove(s->buf, s->buf + n - keep, keep);
		from = to - (n - keep);
		n = keep;
	}
	note_ids(s, file, (struct str){ s->buf, n }, from, n);
}

void
id_search_file(struct id_search *s, size_t file, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, s->buf, HEAD);
	struct str head = { s->buf, n < 0 ? 0 : (size_t)n };

	/* An OTLP request may name its resource at length first. */
	if (note_ids(s, file, head, 0, head.n) ||
	    str_starts(head, "{\"resource"))
		note_rest(s, file, fd, head.n);
	if (fd >= 0)
		close(fd);
}
