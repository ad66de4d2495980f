# The WebAssembly module of the commands and the library, by clang with wasi-libc:
# make wasm PCRE2=FILE YAML=FILE; without these, the sources are Debian's, which
# tests/ci/wasm_sources fetches to $(B)/source.
include Makefile

# The folder of the release.
HERE   := $(B)
B       = build/wasm
WASM_CC = clang
TARGET  = --target=wasm32-wasi
FLAT    = $(TARGET) -O2 -w
EMULATE = -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_MMAN -D_WASI_EMULATED_GETPID
EMULATED = $(addprefix -lwasi-emulated-,signal mman getpid)
OWN     = $(TARGET) $(EMULATE) -std=c11 -I. -Ilib -Ilib/face/wasm -I$(B)/include \
          -include lib/face/wasm/system.h -D_GNU_SOURCE -DVERSION='"$(VERSION)"' \
          -DPCRE2_CODE_UNIT_WIDTH=8 -O2 -fvisibility=hidden -MMD -MP

# Modules that need processes, signals or a terminal: system.c has their functions.
NOT_THERE = $(patsubst %,lib/io/%.c,proc interrupt terminal keeper sandbox)
WASM_SRC  = $(filter-out $(NOT_THERE) lib/judge/% cmd/judge_%,$(SRC)) \
            $(call files,lib/face/wasm/*.c)
WASM_O = $(WASM_SRC:%.c=$(B)/%.o) $(DATA_SRC:%=$(B)/%.data.o) \
         $(patsubst %,$(B)/cmd/mcpl-%.o,check extract report)
$(B)/mcpl.wasm: $(WASM_O) $(B)/pcre2/made $(B)/yaml/made
	$(WASM_CC) $(TARGET) -O2 -o $@ $(WASM_O) $(B)/pcre2/*.o $(B)/yaml/*.o $(EMULATED) -mexec-model=reactor \
	    -Wl,--strip-all -Wl,-z,stack-size=8388608

# ---- the libraries ----

$(B)/source/done: $(PCRE2) $(YAML)
	rm -rf $(B)/source
	mkdir -p $(B)/source $(B)/include
	tests/ci/wasm_sources $(B)/source '$(PCRE2)' '$(YAML)'
	cp $(B)/source/pcre2/src/pcre2.h.generic $(B)/include/pcre2.h
	cp $(B)/source/yaml/include/yaml.h $(B)/include
	cp $(B)/source/pcre2/src/config.h.generic $(B)/source/pcre2/src/config.h
	cp $(B)/source/pcre2/src/pcre2_chartables.c.dist $(B)/source/pcre2/src/pcre2_chartables.c
	touch $@

# Programs and tests of PCRE2's, and files that others include, are no part of the library.
NO_PART = -e 'pcre2[a-z].*' -e 'pcre2_\(dftables\|fuzzsupport\|jit_[mt].*\|printint.*\|ucptables\)\.c'
$(B)/pcre2/made: DEFINED = -I$(B)/source/pcre2/src -DHAVE_CONFIG_H -DPCRE2_STATIC \
    -DSUPPORT_UNICODE -DSUPPORT_PCRE2_8 -DPCRE2_CODE_UNIT_WIDTH=8
$(B)/yaml/made: DEFINED = -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=2 \
    -DYAML_VERSION_PATCH=5 -DYAML_VERSION_STRING='"0.2.5"'
$(B)/%/made: $(B)/source/done
	mkdir -p $(B)/$*
	echo 'cc $*'
	for file in $$(cd $(B)/source/$*/src && ls *.c | grep -vx $(NO_PART)); do \
	    $(WASM_CC) $(FLAT) -I$(B)/include $(DEFINED) -c $(B)/source/$*/src/$$file \
	        -o $(B)/$*/$${file%.c}.o || exit; \
	done
	touch $@

# ---- ours ----

$(B)/cmd/mcpl-%.o: cmd/mcpl-%.c $(B)/source/done
	mkdir -p $(@D)
	echo 'cc $< (wasm)'
	$(WASM_CC) $(OWN) -Dmain=$*_main -c $< -o $@

$(B)/%.o: %.c $(B)/source/done
	mkdir -p $(@D)
	echo 'cc $< (wasm)'
	$(WASM_CC) $(OWN) -c $< -o $@

$(B)/%.data.o: $(HERE)/%.data.c $(B)/source/done
	mkdir -p $(@D)
	$(WASM_CC) $(OWN) -c $< -o $@

-include $(shell find $(B) -name "*.d" -type f 2>/dev/null)
