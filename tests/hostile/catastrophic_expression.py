# reason: trace_timeout
# seconds: 2
import re

re.match(r"(a*)*b", "a" * 60)
