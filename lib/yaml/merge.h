/*
 * Merge keys of YAML 1.1: `<<: *base` gives a mapping the members of another
 * that it does not have itself; in a list of mappings earlier ones go first.
 */
#pragma once

#include "yaml/values.h"

/* Replaces plain merge keys by what they name; the values move. False if what
 * one names is no mapping, and *error says where. */
bool yaml_merge(struct yaml *, struct yaml_notice *error);
