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
PCRE2_O = $(patsubst %,$(B)/pcre2/pcre2_%.o,auto_possess chartables compile config context \
          convert dfa_match error extuni find_bracket jit_compile maketables match match_data \
          newline ord2utf pattern_info script_run serialize string_utils study substitute \
          substring tables ucd valid_utf xclass)
YAML_O = $(patsubst %,$(B)/yaml/%.o,api dumper emitter loader parser reader scanner writer)

$(B)/mcpl.wasm: $(WASM_O) $(PCRE2_O) $(YAML_O)
	$(WASM_CC) $(TARGET) -O2 -o $@ $^ $(EMULATED) -mexec-model=reactor \
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

$(PCRE2_O): $(B)/pcre2/%.o: $(B)/source/done
	mkdir -p $(@D)
	$(WASM_CC) $(FLAT) -I$(B)/include -I$(B)/source/pcre2/src -DHAVE_CONFIG_H -DPCRE2_STATIC \
	    -DSUPPORT_UNICODE -DSUPPORT_PCRE2_8 -DPCRE2_CODE_UNIT_WIDTH=8 \
	    -c $(B)/source/pcre2/src/$*.c -o $@

$(YAML_O): $(B)/yaml/%.o: $(B)/source/done
	mkdir -p $(@D)
	$(WASM_CC) $(FLAT) -I$(B)/include -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=2 \
	    -DYAML_VERSION_PATCH=5 -DYAML_VERSION_STRING='"0.2.5"' \
	    -c $(B)/source/yaml/src/$*.c -o $@

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
