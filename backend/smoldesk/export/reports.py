"""Reports: pinned parts of a chat with order and captions; read, changed and written as documents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import shorten

from smoldesk import messages as m
from smoldesk.chats import Buildings
from smoldesk.errors import BadInput
from smoldesk.export.chat_source import ChatSource, InputFile, hashed
from smoldesk.export.exports import Exports, Format
from smoldesk.export.other_files import Language, check_shapes
from smoldesk.export.pins import Part, Pin, Pins, Report, parts_of
from smoldesk.export.run_again import Again, GeneratedFiles, changed_cells, run_again
from smoldesk.messages import Shape
from smoldesk.stopping import StopFlag
from smoldesk.store import reports
from smoldesk.store.files import StoredFile, add_file
from smoldesk.store.reports import StoredReport
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx
from smoldesk.tables.table_profiles import Profiles

# Maximum characters of the old answer below the new one.
MAX_BEFORE = 500


class RanFile(Shape):
    """File that replaced the one called `name`; `source` is its own name."""

    name: str
    source: str
    sha256: str
    size: int


class RanPart(Shape):
    """Part with its result."""

    pin: Pin
    again: Again


class ReportRun(Shape):
    """Stored run of a report on other files."""

    files: list[RanFile]
    parts: list[RanPart]


@dataclass(frozen=True)
class OtherFile:
    """Replacement of an input file: its bytes and its own name."""

    name: str
    path: Path


@dataclass(frozen=True)
class Reports:
    """Reports of a desk's chats, one each. Its methods block on the database: do not call them on the event loop."""

    store: Store
    buildings: Buildings
    exports: Exports
    profiles: Profiles

    def read(self, chat_id: str) -> tuple[int, list[Part]]:
        """Return (version, parts) of a chat's report; version 0 if it has no pins. Raises NotFound."""
        stored = self.store.read(lambda connection: reports.read_report(connection, chat_id))
        if stored is None:
            return 0, []
        pins = Pins.model_validate_json(stored.body).pins
        return stored.version, parts_of(self._source(chat_id), pins, skip=True)

    def title(self, chat_id: str) -> str:
        """Return the report's own title; empty if it has the chat's. Raises NotFound."""
        stored = self.store.read(lambda connection: reports.read_report(connection, chat_id))
        return Pins.model_validate_json(stored.body).title if stored else ""

    def put(self, chat_id: str, version: int, pins: Sequence[Pin], title: str | None = None) -> int:
        """Replace the report of `version` and return the new version; without a title it keeps the one that it has.

        Raises NotFound, BadInput for a pin without content in this chat, Conflict if the report was changed
        meanwhile.
        """
        parts_of(self._source(chat_id), pins)
        # Without the defaults, older desks read the report of an exported log.
        title = self.title(chat_id) if title is None else title
        body = Pins(pins=list(pins), title=title).model_dump_json(exclude_defaults=True)
        return self.store.submit(lambda tx: reports.put_report(tx, chat_id, version, body)).result()

    def write(self, chat_id: str, format_: Format, path: Path, number: int = reports.REPORT_NUMBER) -> None:
        """Write the report, or its run on other files with this number, to `path`. Raises NotFound, BadInput and
        OSError.
        """
        if number == reports.REPORT_NUMBER:
            source = self._source(chat_id)
            _, parts = self.read(chat_id)
            report = Report(source, parts, source.inputs, title=self.title(chat_id))
        else:
            report = self._other(chat_id, self.run(chat_id, number))
        self.exports.write_report(report, format_, path)

    def inputs(self, chat_id: str) -> list[str]:
        """Return the names of the files that the report's code reads."""
        _, parts = self.read(chat_id)
        source = self._source(chat_id)
        report = Report(source, parts, source.inputs)
        code = "\n".join(step.code or "" for turn in report.turns() for step in turn.steps)
        return [file.name for file in report.inputs if file.name in code or Path(file.name).stem in code]

    def runs(self, chat_id: str) -> list[StoredReport]:
        """Return the report's runs on other files, newest first; `body` is JSON of ReportRun."""
        return self.store.read(lambda connection: reports.runs_of_report(connection, chat_id))

    def run(self, chat_id: str, number: int) -> ReportRun:
        """Return one run on other files. Raises NotFound."""
        stored = self.store.read(lambda connection: reports.read_report(connection, chat_id, number))
        assert stored is not None
        return ReportRun.model_validate_json(stored.body)

    def compared(self, chat_id: str, run: ReportRun) -> list[tuple[Part, Again]]:
        """Return each part of the report with its result in a run."""
        parts = parts_of(self._source(chat_id), [part.pin for part in run.parts])
        return list(zip(parts, [part.again for part in run.parts], strict=True))

    def run_again(
        self,
        chat_id: str,
        files: Mapping[str, OtherFile],
        confirmed: bool,
        stop: StopFlag,
        language: Language = "en",
    ) -> int:
        """Run the report's cells with other files, keyed by the names they replace, and return the run's number.

        Raises NotFound, BadInput for a name that no cell reads, Conflict("other_shape") unless `confirmed`, Stopped.
        """
        _, parts = self.read(chat_id)
        source = self._source(chat_id)
        report = Report(source, parts, source.inputs)
        old_files = {file.name: file for file in report.inputs}
        for name in files:
            if name not in old_files:
                raise BadInput(f"No cell of the report reads {name[:80]!r}.", code="bad_file")
        if not confirmed:
            pairs = {
                name: (old, other.path)
                for name, other in files.items()
                if (old := old_files[name].path) is not None
            }
            check_shapes(self.profiles, self.store.data_dir.chats, pairs, stop, language)
        new_files = [
            hashed(name, files[name].path) if name in files else file for name, file in old_files.items()
        ]
        generated = GeneratedFiles(self.store.files)
        try:
            again = run_again(
                report, new_files, self.exports.children, self.store.data_dir.chats, generated, stop
            )
            report_run = ReportRun(
                files=[
                    RanFile(name=file.name, source=files[file.name].name, sha256=file.sha256, size=file.size)
                    for file in new_files
                    if file.name in files
                ],
                parts=[
                    RanPart(pin=part.pin, again=result) for part, result in zip(parts, again, strict=True)
                ],
            )
            number, deleted_ids = self.store.submit(
                lambda tx: _keep(tx, chat_id, report_run, self.store)
            ).result()
        except BaseException:
            generated.discard()
            raise
        # Files of parts that did not change are not in the stored run.
        generated.discard(but=report_run.model_dump_json())
        for file_id in deleted_ids:
            self.store.files.discard(file_id)
        return number

    def _other(self, chat_id: str, run: ReportRun) -> Report:
        source = self._source(chat_id)
        parts = [
            replace(part, content=again.content or part.content, note=_note(part, again))
            for part, again in self.compared(chat_id, run)
        ]
        other_files = {file.name: InputFile(file.name, None, file.size, file.sha256) for file in run.files}
        inputs = [other_files.get(file.name, file) for file in source.inputs]
        note = (
            "Run again on other files: "
            + ", ".join(f"{file.name} ← {file.source}" for file in run.files)
            + "."
        )
        return Report(source, parts, inputs, note, ran_again=True, title=self.title(chat_id))

    def _source(self, chat_id: str) -> ChatSource:
        return ChatSource(self.store, self.buildings, chat_id)


def title_of(chat: str, number: int = reports.REPORT_NUMBER, title: str = "") -> str:
    """Return the name of a report's document, or of its run on other files, by its own title or its chat's."""
    name = title[:52] or f"{chat[:45] or 'chat'} report"
    return name if number == reports.REPORT_NUMBER else f"{name} {number}"


def _note(part: Part, again: Again) -> str:
    """Return the note below a part after a run."""
    match again.state, part.content, again.content:
        case "failed", _, _:
            return f"It failed: {again.why} Above is the old result."
        case "kept", _, _:
            return again.why
        case "same", _, _:
            return "The same as before."
        case _, m.Table(content=then), m.Table(content=now):
            changed, total = len([*changed_cells(then, now)]), len(now.rows) * len(now.columns)
            rows = (
                ""
                if then.row_count == now.row_count
                else f" {now.row_count:,} rows, {then.row_count:,} before."
            )
            return f"Changed: {changed:,} of {total:,} cells shown differ.{rows}"
        case _, str(then), _:
            return f"Changed. Before: {shorten(then, MAX_BEFORE, placeholder=' …')}"
        case _:
            return "Changed."


def _keep(tx: Tx, chat_id: str, report_run: ReportRun, store: Store) -> tuple[int, list[str]]:
    number, deleted_ids = reports.add_report_run(tx, chat_id, report_run.model_dump_json())
    for part in report_run.parts:
        image, chart = part.again.image, part.again.chart
        names = {image.file_id: ("picture.png", "image/png")} if image else {}
        if chart:
            names[chart.content.spec_id] = ("chart.json", "application/json")
            names[chart.content.image_id] = ("chart.png", "image/png")
        for file_id, (name, media_type) in names.items():
            size = store.files.fetch(file_id).stat().st_size
            add_file(tx, StoredFile(file_id, chat_id, "report", name, size, media_type))
    return number, deleted_ids
