#!/bin/bash
# Twelve commits with a run each. src.txt has a line for each commit: rewriting the second rewrites all after it.
set -e; cd "$(dirname "$0")"; rm -rf "$1"; git init -q -b main "$1"; cd "$1"
git config user.name t; git config user.email t@example.com
rec() { for k in 1 2 3; do python3 - "$1" "$2" $k <<'P' > ../r$k.json
import json,sys,random
d,t,k=sys.argv[1],float(sys.argv[2]),int(sys.argv[3]); random.seed(str((d,t,k))); v=t*(1+random.gauss(0,.002))
print(json.dumps({"context":{"date":f"{d}T10:0{k}:00+00:00","host_name":"box","executable":"bench","num_cpus":8},"benchmarks":[{"name":n,"run_name":n,"run_type":"iteration","iterations":1000,"real_time":v*m,"cpu_time":v*m,"time_unit":"ns"} for n,m in (("BM_a",1),("BM_b",3.3))]}))
P
done; tracker record --cpu "Test CPU" ../r?.json >/dev/null; rm ../r?.json; }
printf '[[policy]]\nmatch = "*"\nthreshold = "5%%"\n' > tracker.toml
for i in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16; do
  echo "$i" >> src.txt; echo "$i" > file$i; git add -A
  GIT_AUTHOR_DATE="2026-10-${i}T10:00:00Z" GIT_COMMITTER_DATE="2026-10-${i}T10:00:00Z" git commit -qm "Commit $i"
  [ "$i" = 08 ] && git rev-parse HEAD > ../step
  if [ "$i" -lt 08 ]; then rec 2026-10-$i 100; else rec 2026-10-$i 115; fi
done
tracker accept 'BM_*' "$(cat ../step)" --reason "safer" > /dev/null; git commit -qam "Accept it"
# $2: "rebase" gives every commit after the first another parent, "filter" removes a file from all of them.
case "$2" in
  rebase) git checkout -q --detach HEAD~16; echo first > other; git add -A; git commit -q --amend -m "Commit 01" --date 2026-10-01T10:00:00Z
          git rebase -q --onto HEAD main~16 main > /dev/null 2>&1 ;;
  filter) FILTER_BRANCH_SQUELCH_WARNING=1 git filter-branch -f --index-filter 'git rm -q --cached --ignore-unmatch file02' -- main > /dev/null 2>&1 ;;
esac
