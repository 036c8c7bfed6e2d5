# Decides between the plain compiler and the measuring one. If a part of Kymo is missing or fails, the build continues with the
# plain compiler, and one line reports that.
#
# KYMO_WRAPPER=off   runs the plain compiler without changes
# KYMO_PURPOSE       measure (default): compiles with sites; collect: runs the plain compiler and makes the unit's part of the call
#                    graph; instrument: runs the instrumenter of Score-P with the plain compiler
# KYMO_INSTRUMENTER  the instrumenter and its options, one per line
# KYMO_INSTRUMENTER_LINK   further options for commands that link
# KYMO_CC, KYMO_CXX, KYMO_FC   the plain compilers (may contain several words: "ccache gcc")
# KYMO_NODE          the Node.js (or Electron) that runs the tool

kymo_plain() {
  if command -v "$kymo_real" >/dev/null 2>&1; then exec "$kymo_real" "$@"; fi
  set -f
  # The variable contains several words, such as "ccache gcc".
  exec $kymo_real "$@"
}

case ${kymo_real##*/} in
  kymo-cc | kymo-cxx | kymo-fc)
    echo "kymo: KYMO_CC, KYMO_CXX and KYMO_FC must name the plain compilers, not the wrappers ($kymo_real)" >&2
    exit 1
    ;;
esac

[ "${KYMO_WRAPPER-}" = off ] && kymo_plain "$@"

# Queries and trial compilations of build systems go to the plain compiler.
case $PWD in
  */CMakeFiles/CMakeTmp* | */CMakeFiles/CMakeScratch* | */CMakeFiles/*/CompilerId* | */meson-private/*) kymo_plain "$@" ;;
esac
[ $# -eq 0 ] && kymo_plain
for kymo_argument in "$@"; do
  case $kymo_argument in
    -E | -S | -M | -MM | --version | -dumpversion | -dumpmachine | -print-* | --print-* | -fsyntax-only) kymo_plain "$@" ;;
    conftest.* | */conftest.* | */CMakeTmp/* | */CMakeScratch/* | */meson-private/*) kymo_plain "$@" ;;
  esac
done

# SCOREP_WRAPPER=off, with which Score-P's own wrappers pass through while a build is configured, works here, too.
if [ "${KYMO_PURPOSE-}" = instrument ]; then
  [ "${SCOREP_WRAPPER-}" = off ] && kymo_plain "$@"
  command -v "$kymo_real" >/dev/null 2>&1 || kymo_real=$(printf %s "$kymo_real" | tr -s ' ' '\n')
  KYMO_WRAPPER=off
  export KYMO_WRAPPER
  kymo_link=${KYMO_INSTRUMENTER_LINK-}
  for kymo_argument in "$@"; do
    [ "$kymo_argument" = -c ] && kymo_link=''
  done
  set -f
  IFS='
'
  # shellcheck disable=SC2086
  exec $KYMO_INSTRUMENTER $kymo_link $kymo_real "$@"
fi

kymo_without() {
  echo "kymo: $1; compiled without measurement sites" >&2
  shift
  kymo_plain "$@"
}

# Resolves links (pwd -P), because the folder may be a link and Node resolves ".." textually.
kymo_home=$(CDPATH='' cd -P -- "${0%/*}/../.." && pwd -P)
kymo_script=$kymo_home/wrapper.js
[ -r "$kymo_script" ] || kymo_script=$kymo_home/dist/wrapper.js
[ -r "$kymo_script" ] || kymo_without "$kymo_home/wrapper.js is missing (reinstall Kymo)" "$@"

# Tests whether the command only links objects. Such a link needs no Node.js once the additional arguments are known: the first link
# writes them to a file.
kymo_is_simple_link() {
  kymo_objects='' kymo_value=''
  for kymo_argument in "$@"; do
    if [ -n "$kymo_value" ]; then
      kymo_value=''
      continue
    fi
    case $kymo_argument in
      -o | -L | -l) kymo_value=yes ;;
      *.o | *.a) kymo_objects=yes ;;
      *.so | *.so.[0-9]* | -l?* | -L?* | -I* | -D* | -O* | -g | -g[0-3] | -std=* | -pipe | -m64 | -march=* | -mtune=*) ;;
      -fopenmp | -pthread | -rdynamic | -pie | -no-pie | -fPI[CE] | -fpi[ce] | -pedantic*) ;;
      -Wl,-rpath* | -Wl,--as-needed | -Wl,--no-as-needed | -Wl,-z,* | -Wl,--start-group | -Wl,--end-group) ;;
      -W[alp],*) return 1 ;;
      -W*) ;;
      *) return 1 ;;
    esac
  done
  [ -n "$kymo_objects" ]
}

# Runs in a subshell, so that the caller's arguments do not change.
kymo_link_with() (
  while IFS= read -r kymo_word; do set -- "$@" "$kymo_word"; done <"$KYMO_LINK_FILE"
  exec "$kymo_real" "$@"
)

KYMO_LINK_FILE=''
if [ "${KYMO_PURPOSE:-measure}" = measure ] && kymo_is_simple_link "$@" && kymo_compiler=$(command -v "$kymo_real"); then
  case ${XDG_CACHE_HOME-} in /*) kymo_cache=$XDG_CACHE_HOME ;; *) kymo_cache=${HOME-}/.cache ;; esac
  KYMO_LINK_FILE=$kymo_cache/kymo/links/$(printf %s "$kymo_home-$kymo_real" | tr -c 'A-Za-z0-9.-' _)
  # A file that is older than the tool or the compiler may be from another version.
  if [ "$KYMO_LINK_FILE" -nt "$kymo_script" ] && [ "$KYMO_LINK_FILE" -nt "$kymo_compiler" ]; then
    if kymo_said=$(kymo_link_with "$@" 2>&1); then
      [ -z "$kymo_said" ] || printf '%s\n' "$kymo_said" >&2
      exit 0
    fi
  fi
fi
export KYMO_LINK_FILE

kymo_node=${KYMO_NODE:-node}
command -v "$kymo_node" >/dev/null 2>&1 || kymo_without "no Node.js at '$kymo_node' (set KYMO_NODE)" "$@"

# The process is short, so helper threads, the optimising compiler and garbage collection cost more than they save.
# NODE_EXTRA_CA_CERTS is empty because Node would read the certificates at each start, which takes longer than the rest of the start.
# Status 0: done; 65 … 125: the compiler failed with 1 … 61; 130, 143: a signal ended it; any other status: the wrapper itself failed.
KYMO_KIND=$kymo_kind ELECTRON_RUN_AS_NODE=1 NODE_OPTIONS='' NODE_EXTRA_CA_CERTS='' "$kymo_node" --single-threaded --no-opt --sparkplug --liftoff-only --min-semi-space-size=16 \
  "$kymo_home/runtime/wrappers/start.cjs" "$kymo_script" "$@"
kymo_status=$?
case $kymo_status in
  0) exit 0 ;;
  130 | 143) exit $kymo_status ;;
esac
if [ $kymo_status -gt 64 ] && [ $kymo_status -lt 126 ]; then exit $((kymo_status - 64)); fi
kymo_without "the wrapper ended with status $kymo_status" "$@"
