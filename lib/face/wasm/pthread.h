/* One thread: WASI has no others, and a mutex is always free. The types are those of
 * sys/types.h. */
#pragma once

#include <sys/types.h>

/* clang-format off */
#define PTHREAD_MUTEX_INITIALIZER { 0 }
#define PTHREAD_COND_INITIALIZER { 0 }
/* clang-format on */
#define pthread_mutex_init(m, attributes) ((void)(m), 0)
#define pthread_mutex_destroy(m) ((void)(m))
#define pthread_mutex_lock(m) ((void)(m))
#define pthread_mutex_trylock(m) ((void)(m), 0)
#define pthread_mutex_unlock(m) ((void)(m))
#define pthread_cond_init(c, attributes) ((void)(c), 0)
#define pthread_cond_destroy(c) ((void)(c))
#define pthread_cond_wait(c, m) ((void)(c), (void)(m))
#define pthread_cond_signal(c) ((void)(c))
#define pthread_cond_broadcast(c) ((void)(c))

int pthread_create(
    pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
