#include "base/workflow_command.h"

#include "base/swar.h"

/* Returns whether the runner passes over the character: white space, which it
 * trims, and characters that its comparison of texts ignores. */
static bool
is_passed_over(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0x80, 0xa0 },
		{ 0xad, 0xad },
		{ 0x34f, 0x34f },
		{ 0x61c, 0x61c },
		{ 0x1680, 0x1680 },
		{ 0x180b, 0x180f },
		{ 0x2000, 0x200f },
		{ 0x2028, 0x202f },
		{ 0x205f, 0x206f },
		{ 0x3000, 0x3000 },
		{ 0xfe00, 0xfe0f },
		{ 0xfeff, 0xfeff },
		{ 0xe0000, 0xe0fff },
	};

	for (unsigned i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}

/* Takes a byte of a character that is not ASCII. The mask of the first byte may
 * leave a bit too many, which is 0 in UTF-8. */
static void
take_part(struct workflow_command *w, unsigned char byte)
{
	if ((byte & 0xc0) == 0x80)
		w->character = w->character << 6 | (byte & 0x3f);
	else
		w->character = byte & 0x1f;
}

/* Takes the end of a character that is not ASCII, if there was one. */
static void
end_character(struct workflow_command *w)
{
	if (w->character != 0 && !is_passed_over(w->character)) {
		w->inside = true;
		w->hashes = 0;
	}
	w->character = 0;
}

bool
workflow_command_opens(struct workflow_command *w, unsigned char byte)
{
	bool opens = false;

	if ((byte & 0xc0) != 0x80)
		end_character(w);
	if (byte >= 0x80) {
		take_part(w, byte);
	} else if (byte == '\n' || byte == '\r') {
		*w = (struct workflow_command){ 0 };
	} else if (byte == '#') {
		w->hashes = w->hashes == 0 ? 1 : 2;
		w->inside = true;
	} else if (byte == ':' && !w->inside) {
		opens = w->colons == 1;
		w->colons = 1;
		w->inside = opens;
	} else {
		opens = byte == '[' && w->hashes == 2;
		w->hashes = 0;
		w->inside |= byte > ' ' || w->colons != 0;
	}
	return opens;
}

size_t
workflow_command_skip(
    const struct workflow_command *w, const char *text, size_t n)
{
	size_t i = 0;

	if (!w->inside || w->hashes != 0 || w->character != 0)
		return 0;
	for (; n - i >= sizeof(uint64_t); i += sizeof(uint64_t)) {
		uint64_t b = swar(text + i);

		if (((b & swar_times(0x80)) | swar_equal(b, '#') |
			swar_equal(b, '\n') | swar_equal(b, '\r')) != 0)
			break;
	}
	return i;
}
