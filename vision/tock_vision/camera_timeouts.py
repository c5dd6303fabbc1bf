"""After how long a silent, hung or covered camera counts as gone, and how often a lost one is tried again."""

PHONE_GONE_S = 2.5
"""Time without a frame after which a phone counts as gone."""
NETWORK_ANSWER_S = 5.0
"""Time that a camera on the network may take to answer, and between two parts of its stream."""
NETWORK_GONE_S = NETWORK_ANSWER_S + 1.0
"""Time without a frame after which it counts as gone: longer than one answer may take, so that the reason is known."""
SENSOR_FROZEN_AFTER_MS = 3000
"""A sensor of this machine whose frames are identical for this long has hung."""
STREAM_FROZEN_AFTER_MS = 10_000
"""The same for phones, of which a call takes the camera, and for network cameras: some renew pictures seldom."""
FILM_FROZEN_AFTER_MS = 60_000
"""A film (H.264) repeats its last picture where nothing moves, up to its next whole picture."""
BLIND_AFTER_MS = 600
"""Time for which the board may be covered before it is reported."""
FIRST_RETRY_MS = 1000
MAX_RETRY_MS = 5000
MAX_LISTENING_RETRY_MS = 1000
"""Maximum time between attempts where frames are pushed: listening costs next to nothing."""
