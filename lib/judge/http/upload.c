#include "judge/http/upload.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool
upload_open(
    struct upload *p, struct str before, const char *file, struct str after)
{
	struct stat st;

	*p = (struct upload){ .before = before, .after = after, .fd = -1 };
	if (file == NULL)
		return true;
	p->fd = open(file, O_RDONLY | O_CLOEXEC);
	if (p->fd < 0 || fstat(p->fd, &st) != 0)
		return false;
	p->n = (size_t)st.st_size;
	return true;
}

size_t
upload_size(const struct upload *p)
{
	return p->before.n + p->n + p->after.n;
}

/* Copies the part of `text` that begins at `from`, as far as it fits. Returns
 * the number of bytes. */
static size_t
copy(char *buf, size_t size, struct str text, size_t from)
{
	struct str rest = str_from(text, from);
	size_t n = rest.n < size ? rest.n : size;

	if (n != 0)
		memcpy(buf, rest.s, n);
	return n;
}

static bool
read_file(const struct upload *p, char *buf, size_t size, size_t *n)
{
	size_t from = p->at - p->before.n, left = p->n - from;
	ssize_t got;

	do
		got = pread(p->fd, buf, size < left ? size : left, (off_t)from);
	while (got < 0 && errno == EINTR);
	if (got == 0)
		errno = EIO;
	*n = got < 0 ? 0 : (size_t)got;
	return got > 0;
}

bool
upload_read(struct upload *p, char *buf, size_t size, size_t *n)
{
	size_t after = p->before.n + p->n;
	bool good = true;

	if (p->at < p->before.n)
		*n = copy(buf, size, p->before, p->at);
	else if (p->at < after)
		good = read_file(p, buf, size, n);
	else
		*n = copy(buf, size, p->after, p->at - after);
	p->at += *n;
	return good;
}

void
upload_rewind(struct upload *p)
{
	p->at = 0;
}

void
upload_close(struct upload *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
}

bool
upload_save(struct atomic_file *f, struct str bytes)
{
	while (bytes.n != 0) {
		ssize_t n = write(f->fd, bytes.s, bytes.n);

		if (n < 0 && errno != EINTR)
			return false;
		bytes = str_from(bytes, n < 0 ? 0 : (size_t)n);
	}
	return true;
}
