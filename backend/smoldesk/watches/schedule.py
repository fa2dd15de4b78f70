"""Times of a watch: cron lines of five fields in a time zone."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from smoldesk.errors import BadInput

FIELDS = 5


def next_time(cron: str, zone: str, after: float) -> float:
    """Return the first time of a cron line after a moment, in seconds since the epoch. Raises BadInput.

    At the change to and from summer time as Debian's cron: times that do not exist run at once, others do not run twice.
    """
    try:
        start = datetime.fromtimestamp(after, UTC).astimezone(ZoneInfo(zone))
    except (ValueError, OSError, KeyError):
        raise BadInput(
            f"There is no time zone {zone[:60]!r}.", "Expected a name such as Europe/Berlin.", code="bad_zone"
        ) from None
    try:
        if len(cron.split()) != FIELDS:
            raise CronSimError
        return next(CronSim(cron, start)).timestamp()
    except (CronSimError, StopIteration) as fault:
        reason = f" ({fault})" if str(fault) else ""
        raise BadInput(
            f"{cron[:80]!r} is not a cron line that comes some day{reason}.",
            "Expected minute, hour, day, month and weekday, such as `0 9 * * MON`.",
            code="bad_cron",
        ) from None
