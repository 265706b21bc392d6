# SPDX-License-Identifier: MIT
"""What `verify.sh schemathesis` tells the generator of requests about this server."""
import schemathesis

# One event of a stream. What OpenAPI 3.1 calls the schema of a stream is that of its whole text;
# schemathesis holds each event against it, as OpenAPI 3.2 has it.
EVENT = {
    "type": "object",
    "required": ["event", "data"],
    "properties": {"event": {"type": "string", "minLength": 1}, "data": {"type": "string"}},
}


@schemathesis.hook
def before_load_schema(context, raw_schema):
    for path in raw_schema["paths"].values():
        for operation in path.values():
            if not isinstance(operation, dict):
                continue
            for response in operation.get("responses", {}).values():
                stream = response.get("content", {}).get("text/event-stream")
                if stream:
                    stream["schema"] = EVENT


def impatient(parameters):
    """Makes one second of every longer wait that is allowed: an answer is wanted, not patience."""
    wait = parameters.get("wait_seconds") if isinstance(parameters, dict) else None
    if isinstance(wait, int) and not isinstance(wait, bool) and 1 < wait <= 300:
        return {**parameters, "wait_seconds": 1}
    return parameters


@schemathesis.hook
def map_query(context, query):
    return impatient(query)


@schemathesis.hook
def map_body(context, body):
    return impatient(body)
