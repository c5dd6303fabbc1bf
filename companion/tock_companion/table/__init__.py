"""The one writer: takes observations and requests in, appends events, tells everyone."""
