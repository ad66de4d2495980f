#include "io/text_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/temporary.h"

enum { SAMPLES = 8 };

/* Returns the number of the input's file, kept open, or 0 if the file cannot be read
 * again or too many are open. */
static size_t
file_of(struct text_store *s, const struct in *in)
{
	off_t at;
	int fd;

	if (in->file == s->name && in->fd == s->fd)
		return s->file;
	s->name = in->file;
	s->fd = in->fd;
	s->file = 0;
	if (s->n_files == 0)
		s->files[s->n_files++] = -1;
	if (in->had <= 0 || in->lent || s->n_files == TEXT_STORE_FILES)
		return 0;
	at = lseek(in->fd, 0, SEEK_CUR);
	fd = at < 0 ? -1 : fcntl(in->fd, F_DUPFD_CLOEXEC, 3);
	if (fd < 0)
		return 0;
	s->files[s->n_files] = fd;
	s->starts[s->n_files] = at - (off_t)(in->base + in->to);
	return s->file = s->n_files++;
}

/* Returns whether the piece lies in the buffer of the input. */
static bool
is_in(const struct in *in, struct str piece)
{
	size_t at = (size_t)((uintptr_t)piece.s - (uintptr_t)in->buf);

	return at < in->to && piece.n <= in->to - at;
}

/* Returns bytes of the piece from several places: a piece of a file that was written
 * anew differs in one of them. */
static uint32_t
sample_of(struct str piece)
{
	uint32_t sample = 0, some;

	for (size_t i = 1; i <= SAMPLES && piece.n >= sizeof some; i++) {
		memcpy(&some, piece.s + (piece.n - sizeof some) / SAMPLES * i,
		    sizeof some);
		sample = sample * 31 + some;
	}
	return sample;
}

static struct text_place
keep(struct text_store *s, struct str piece)
{
	struct text_place place = { .n = piece.n };

	if (s->n_files == 0)
		s->files[s->n_files++] = -1;
	if (s->n + piece.n > TEXT_STORE_MEMORY && s->n != 0) {
		if (s->files[0] < 0)
			s->files[0] = temporary_file();
		temporary_write(s->files[0], s->buf, s->n);
		s->written += (off_t)s->n;
		s->n = 0;
	}
	if (s->n + piece.n > s->size) {
		s->size = 2 * (s->n + piece.n);
		s->buf = realloc(s->buf, s->size);
		if (s->buf == NULL)
			diag_die("out of memory (%zu bytes wanted)", s->size);
	}
	place.at = s->written + (off_t)s->n;
	memcpy(s->buf + s->n, piece.s, piece.n);
	s->n += piece.n;
	return place;
}

struct text_place
text_store_add(struct text_store *s, const struct in *in, struct str piece)
{
	size_t file = in != NULL && !in->replaced && is_in(in, piece)
	    ? file_of(s, in)
	    : 0;

	if (file == 0)
		return keep(s, piece);
	return (struct text_place){
		.at = s->starts[file] + (off_t)in->base + (piece.s - in->buf),
		.n = piece.n,
		.file = (uint32_t)file,
		.sample = sample_of(piece),
	};
}

bool
text_store_read(struct text_store *s, struct text_place place, char *to)
{
	size_t done = 0;
	ssize_t n = 1;

	if (place.file == 0 && place.at >= s->written) {
		memcpy(to, s->buf + (place.at - s->written), place.n);
		return true;
	}
	while (done < place.n && (n > 0 || errno == EINTR)) {
		errno = 0;
		n = pread(s->files[place.file], to + done, place.n - done,
		    place.at + (off_t)done);
		done += n > 0 ? (size_t)n : 0;
	}
	return done == place.n &&
	    (place.file == 0 ||
		sample_of((struct str){ to, place.n }) == place.sample);
}

void
text_store_free(struct text_store *s)
{
	for (size_t i = 0; i < s->n_files; i++)
		if (s->files[i] >= 0)
			close(s->files[i]);
	free(s->buf);
	*s = (struct text_store){ 0 };
}
