#include "extract/parallel_part.h"

void
part_clear(struct part *p, const struct fileset *given, size_t size)
{
	struct arena a = p->arena;

	arena_reset(&a);
	*p = (struct part){ .arena = a, .size = size };
	p->ids.arena = p->companions.arena = &p->arena;
	p->ids.part = p->companions.part = true;
	p->companions.given = given;
}

void
part_begin(struct part *p, struct log_reader *x, struct out *out)
{
	x->companions = &p->companions;
	x->no_logs = x->builder.written = x->builder.left_out = 0;
	x->builder.options.out = out;
	x->builder.options.ids = &p->ids;
	if (p->kind == PART_MORE)
		log_reader_resume(x, p->format, p->path,
		    p->shares_id ? run_ids_shared() : (struct str){ 0 });
}

void
part_end(struct part *p, struct log_reader *x)
{
	p->unended = builder_is_within(&x->builder);
	builder_end(&x->builder);
	p->prefixed = x->prefixed;
	p->passed_over = x->passed_over;
	p->id = x->log.id;
	if (p->id.s != NULL)
		p->id = str_dup(&p->arena, p->id);
	p->written = x->builder.written;
	p->left_out = x->builder.left_out;
	p->no_logs = x->no_logs;
	x->open = false;
	run_ids_cut(&p->ids, out_memory(x->builder.options.out));
}
