# What reader.ts does in its mode `values`, with pycubexr: inclusive and exclusive values of every metric, at each call path and
# location. Prints one line of JSON.
import json
import sys
import time

from pycubexr import CubexParser
from pycubexr.utils.exceptions import MissingMetricError

start = time.perf_counter()
values = 0
with CubexParser(sys.argv[1]) as cubex:
    call_paths = cubex.all_cnodes()
    for metric in cubex.get_metrics():
        try:
            stored = cubex.get_metric_values(metric)
        except MissingMetricError:
            continue
        for call_path in call_paths:
            values += len(stored.cnode_values(call_path, convert_to_inclusive=True))
            values += len(stored.cnode_values(call_path, convert_to_exclusive=True))
print(json.dumps({"milliseconds": (time.perf_counter() - start) * 1000, "values": int(values)}))
