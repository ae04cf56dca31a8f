# reason: trace_forbidden
open("../owned", "w").write("owned")
