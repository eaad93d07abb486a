# make_files.py FOLDER TIME SEED [HOSTS] [DATE]: six files; with "hosts" each has a host of its own; DATE "" states no date
import json, os, random, sys
folder, time, seed = sys.argv[1], float(sys.argv[2]), sys.argv[3]
hosts, day = len(sys.argv) > 4 and sys.argv[4] == "hosts", sys.argv[5] if len(sys.argv) > 5 else "2026-11-01"
os.makedirs(folder)
for k in range(1, 7):
    random.seed(seed + folder + str(k)); t = time * (1 + random.gauss(0, .003))
    context = {"host_name": f"box{k}" if hosts else "box", "executable": "b", "num_cpus": 8}
    if day: context["date"] = f"{day}T10:0{k}:00+00:00"
    json.dump({"context": context, "benchmarks": [{"name": "BM_a", "run_name": "BM_a", "run_type": "iteration", "iterations": 1000, "real_time": t, "cpu_time": t, "time_unit": "ns"}]}, open(f"{folder}/{k}.json", "w"))
