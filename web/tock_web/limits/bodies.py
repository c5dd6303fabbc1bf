"""Limits on request bodies, in bytes."""

JSON_BYTES = 64 * 1024
"""A JSON body, where its route states no other limit; larger bodies of any kind are rationed per client."""
PHOTO_BYTES = 12_000_000
"""Phones shrink photos before sending them, where they can."""
PAGE_BYTES = PHOTO_BYTES + 1000
"""The largest body the page's server receives: a photo with its form."""
CAMERA_BYTES = 4_000_000
"""The camera's page refuses larger bodies unread; smaller ones that are still too large get a sentence."""
RELAY_BYTES = 2_000
RETRY_AFTER_S = 5
"""Wait of a client that was refused for lack of room."""
