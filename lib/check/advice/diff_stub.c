#include "check/advice/advice.h"
void advise_diff(struct out *o, const struct spec *s, const struct advice_runs *r){(void)o;(void)s;(void)r;}
