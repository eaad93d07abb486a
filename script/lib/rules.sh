# shellcheck shell=bash disable=SC2154  # script/lint sets files
# The house rules that no other tool knows. Each function prints its findings as `file:line: what`, or nothing.
# They look at the files of the array `files`, paths relative to the root.

source_lines_max=600

# Third-party headers (and ours that others must not know), and the paths that may include them.
# header (extended regex, anchored at its start)                where
header_modules=(
  'git2(\.h|/)'                                                 'tracker/repo/ tracker/store/'
  'gnuplot-iostream\.h'                                         'tracker/plot/'
  'CLI/'                                                        'tracker/commands/ tests/commands/'
  'curl/'                                                       'tracker/github/'
  'libpq-fe\.h'                                                 'tracker/postgres/'
  'lz4\.h'                                                      'tracker/machine_code/'
  'zstd\.h'                                                     'tracker/machine_code/ tracker/postgres/'
  'nlohmann/'                                                   'tracker/formats/ tracker/github/ tracker/report/ tracker/site/ tests/'
  'sqlite3\.h'                                                  'tracker/summary/'
  'zlib\.h'                                                     'tracker/store/'
  'mimalloc\.h'                                                 'tracker/commands/'
  'simdjson\.h'                                                 'tracker/formats/'
  'utf8proc\.h'                                                 'tracker/base/'
  'toml\+\+/'                                                   'tracker/formats/'
  'boost/math/'                                                 'tracker/stats/'
  'benchmark/benchmark\.h'                                      'bench/ examples/ tests/speed/ tests/bench/ script/lib/releases/ script/lib/demo/'
  '(cuda|cublas|cooperative_groups|cub/|thrust/|mma\.h|nvml)'   'kernels/ bench/ examples/ tests/kernels/ tests/bench/ tests/injection/'
  'bench/'                                                      'bench/ tests/'
  'kernels/'                                                    'kernels/ bench/ tests/'
)

# matching <extended regex>: those of `files` whose path matches.
matching() {
  local file
  for file in "${files[@]}"; do
    if [[ $file =~ $1 ]]; then printf '%s\n' "$file"; fi
  done
}

cpp_regex='\.(cpp|hpp|cu|cuh)$'

# grep_files <path regex> <grep option or pattern>...: grep with file names and line numbers; nothing found is no error.
grep_files() {
  local selected
  mapfile -t selected < <(matching "$1")
  shift
  if ((${#selected[@]})); then grep -HnIE "$@" -- "${selected[@]}" || [[ $? == 1 ]]; fi
}

rule_headers_in_modules() {
  local row header modules file line rest module allowed
  for ((row = 0; row < ${#header_modules[@]}; row += 2)); do
    header=${header_modules[row]}
    modules=${header_modules[row + 1]}
    while IFS=: read -r file line rest; do
      allowed=no
      for module in $modules; do
        if [[ $file == "$module"* ]]; then allowed=yes; fi
      done
      if [[ $allowed == no ]]; then
        printf '%s:%s: %s belongs to %s\n' "$file" "$line" "${rest#*include }" "${modules// /, }"
      fi
    done < <(grep_files "$cpp_regex" "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]$header")
  done
}

# A module includes what its CMakeLists.txt says it USES, all of it and nothing else.
rule_modules_use() {
  local list module uses file line rest used
  while IFS= read -r list; do
    module=${list#tracker/}
    module=${module%/CMakeLists.txt}
    uses=" $(sed 's/#.*//; s/)/ ) /g' "$list" | tr -s ' \n' '\n' |
      awk '/^(SOURCES|LINKS|\))$/ { on = 0 } on { print } /^USES$/ { on = 1 }' | sort -u | tr '\n' ' ')"
    declare -A included=()
    while IFS=: read -r file line rest; do
      used=${rest#*tracker/}
      used=${used%%/*}
      included[$used]=yes
      if [[ $used != "$module" && $uses != *" $used "* ]]; then
        printf '%s:%s: %s does not say that it USES %s\n' "$file" "$line" "$list" "$used"
      fi
    done < <(grep_files "^tracker/$module/.*$cpp_regex" '^[[:space:]]*#[[:space:]]*include[[:space:]]*"tracker/[a-z_]+/')
    for used in $uses; do
      if [[ -z ${included[$used]:-} ]]; then
        printf '%s:%s: USES %s, and includes nothing of it\n' "$list" "$(grep -nm1 -w "$used" "$list" | cut -d: -f1)" "$used"
      fi
    done
    unset included
  done < <(matching '^tracker/[a-z_]+/CMakeLists\.txt$')
}

# Only commands/ prints; what app/ does depends on no environment variable.
rule_silent_library() {
  local printing='std::(cout|cerr|clog)|\b(printf|puts) *\('
  grep_files '^tracker/.*\.(cpp|hpp)$' "$printing" |
    sed -nE '\|^tracker/commands/|! s/^([^:]+:[0-9]+):.*/\1: only tracker\/commands prints: tell an Observer, or return it/p'
  grep_files '^tracker/app/.*\.(cpp|hpp)$' '\bgetenv\b' |
    sed -E 's/^([^:]+:[0-9]+):.*/\1: app\/ reads no environment variable: a request says it/'
}

# Two types of one name in a namespace are one type to the linker, which keeps one of each template made of them: a
# vector of the one then works on the other, and nothing says so. Only headers: those of a source file stand in an
# unnamed namespace.
rule_one_definition() {
  local file line text name room
  declare -A first=()
  while IFS=: read -r file line text; do
    room=${file#tracker/} room=${room%%/*}
    if [[ $room =~ ^(base|model|protocol)$ ]]; then room=''; fi
    name=$room/$(sed -E 's/^(enum +)?(struct|class|enum) +([A-Za-z0-9_]+).*/\3/' <<<"$text")
    if [[ -n ${first[$name]:-} ]]; then
      printf '%s:%s: %s has the name of another type: %s\n' "$file" "$line" "${name#*/}" "${first[$name]}"
    else
      first[$name]=$file:$line
    fi
  done < <(grep_files '^tracker/.*\.hpp$' '^(struct|class|enum class|enum) [A-Z][A-Za-z0-9_]*( final)? *(:[^;]*)?\{')
}

# A room's names are in the namespace tracker::<room>; those of base, model and protocol, which every room speaks, in tracker.
rule_room_namespaces() {
  local file line text room
  while IFS=: read -r file line text; do
    room=${file#tracker/} room=${room%%/*}
    if [[ ! $room =~ ^(base|model|protocol)$ && ! $text =~ ^namespace\ tracker::$room(::|\ ) ]]; then
      printf '%s:%s: what %s/ declares is in the namespace tracker::%s\n' "$file" "$line" "$room" "$room"
    fi
  done < <(grep_files '^tracker/[a-z_]+/.*\.(cpp|hpp)$' '^namespace tracker\b')
  while IFS= read -r file; do
    if ! grep -q '^namespace tracker\b' "$file"; then
      printf '%s:1: the header declares nothing in the namespace of its room\n' "$file"
    fi
  done < <(matching '^tracker/[a-z_]+/.*\.hpp$')
}

rule_file_length() {
  local file lines
  while IFS= read -r file; do
    lines=$(wc -l <"$file")
    if ((lines > source_lines_max)); then
      printf '%s:%s: %s lines, and %s are the most: split it by subject\n' "$file" "$lines" "$lines" "$source_lines_max"
    fi
  done < <(matching "$cpp_regex|\.(cmake|sh)$|(^|/)CMakeLists\.txt$|^script/")
}

rule_machine_paths() {
  local file line text
  while IFS=: read -r file line text; do
    printf '%s:%s: a path of one machine: %s\n' "$file" "$line" "$text"
  done < <(grep_files . -o '(^|[^[:alnum:]_.~$}-])/(home|root|work)/[^[:space:]"]*')
}

# What a string or a comment says is no call.
rule_no_shell() {
  local file line text
  while IFS=: read -r file line text; do
    text=$(sed -E 's/"([^"\\]|\\.)*"//g; s,//.*,,' <<<"$text")
    if [[ $text =~ (^|[^[:alnum:]_.>])(system|popen)[[:space:]]*\( ]]; then
      printf '%s:%s: no shell: start processes through tracker/base/process.hpp\n' "$file" "$line"
    fi
  done < <(grep_files "$cpp_regex" '(system|popen)[[:space:]]*\(')
}

# A source that the CMakeLists.txt of its folder (or of the nearest one above) does not name is neither built nor run.
rule_all_built() {
  local file folder
  while IFS= read -r file; do
    folder=${file%/*}
    while [[ ! -f $folder/CMakeLists.txt && $folder == */* ]]; do folder=${folder%/*}; done
    if ! tr -s ' \t()"' '\n' <"$folder/CMakeLists.txt" | grep -xF -- "${file#"$folder"/}" >/dev/null; then
      printf '%s:1: not named in %s/CMakeLists.txt\n' "$file" "$folder"
    fi
  done < <(matching '^(tracker|kernels)/.*\.(cpp|cu)$|^tests/.*_test\.cpp$')
}

# Pages made by tests are of other repositories.
rule_links() {
  local pages
  mapfile -t pages < <(matching '\.md$' | grep -v '^tests/')
  if ((${#pages[@]})); then python3 "$root/script/lib/markdown_links.py" "${pages[@]}"; fi
}

rule_workflows() {
  local yaml
  mapfile -t yaml < <(matching '^\.github/workflows/.*\.ya?ml$|(^|/)action\.ya?ml$')
  if ((${#yaml[@]})); then python3 "$root/script/lib/workflow_rules.py" "${yaml[@]}"; fi
}

# What a public header declares says what it is for, its units, its errors, and the shapes of matrices.
rule_public_comments() { python3 "$root/script/lib/public_comments.py"; }

# A header of a few lines with one user is seldom a subject of its own: what stays has a reason.
rule_small_subjects() { python3 "$root/script/lib/rooms.py" small script/lib/small_subjects.tsv; }

# docs/architecture.md says how large each room is.
rule_room_figures() { python3 "$root/script/lib/rooms.py" figures docs/architecture.md; }
