/* YAML text to values, by libyaml. */
#ifndef YAML_READ_H /* the plain name is libyaml's */
#define YAML_READ_H

#include "yaml/values.h"

/*
 * Reads a stream of documents, none if the text has none. NULL if it is no
 * YAML; then *error says where and why. An escape that YAML does not know in
 * double quotes keeps its backslash, with a warning.
 */
struct yaml *yaml_read(
    struct arena *, struct str text, struct yaml_notice *error);

#endif
