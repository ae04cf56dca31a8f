# reason: any
import json

json.dumps = lambda *args, **kwargs: "{\"plan\": " + "[" * 1000
json.JSONEncoder.encode = json.dumps
