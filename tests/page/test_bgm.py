"""The music: what is played, that it can be heard and is quiet, and what the tool answers."""

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SECONDS = 12
RENDER = """async (number) => {
    const { Sound } = await import("/static/js/asks/bgm-sound.js");
    const context = new OfflineAudioContext(1, 22050 * 12, 22050);
    const sound = new Sound(context, number, 1);
    sound.schedule(12);
    const samples = (await context.startRendering()).getChannelData(0);
    let peak = 0, sum = 0, crossings = 0;
    for (let at = 1; at < samples.length; at += 1) {
        peak = Math.max(peak, Math.abs(samples[at]));
        sum += samples[at] ** 2;
        if (samples[at] * samples[at - 1] < 0) crossings += 1;
    }
    return { peak, loudness: Math.sqrt(sum / samples.length), crossings };
}"""


def test_every_track_is_heard_quiet_and_unlike_the_others(blank: Page) -> None:
    rendered = [blank.evaluate(RENDER, number) for number in (1, 2, 3, 4)]

    for sound in rendered:
        assert 0.005 < sound["loudness"] < 0.15, rendered
        assert sound["peak"] < 0.6, rendered
    assert len({sound["crossings"] for sound in rendered}) == 4


def test_a_bar_is_the_same_each_time_and_unlike_the_next(blank: Page) -> None:
    script = """async () => {
        const { notesOf, TRACKS } = await import("/static/js/asks/bgm-tracks.js");
        const bars = [];
        for (const number of [1, 2, 3, 4]) for (let bar = 0; bar < 40; bar += 1) {
            const notes = notesOf(number, bar);
            bars.push([JSON.stringify(notes) === JSON.stringify(notesOf(number, bar)),
                notes.every(({ at, midi }) => at >= 0 && at < TRACKS[number].bar && midi > 30 && midi < 100),
                JSON.stringify(notes) !== JSON.stringify(notesOf(number, bar + 1))]);
        }
        let fault = "";
        try { notesOf(9, 0); } catch (no) { fault = no.message; }
        return [bars, fault];
    }"""
    bars, fault = blank.evaluate(script)
    assert bars == [[True, True, True]] * 160
    assert fault == "there is no track 9"


TOOL = """async (given) => {
    const { BgmPlayer } = await import("/static/js/asks/bgm-player.js");
    const { Bus } = await import("/static/js/core/bus.js");
    const { loadLanguage, translator } = await import("/static/js/core/i18n.js");
    const player = new BgmPlayer({ bus: new Bus(), t: translator(await loadLanguage("en")) });
    const { begin, ...how } = await player.change(given);
    const before = player.player.dataset.state;
    player.destroy();
    return [how, before];
}"""


def test_an_unknown_track_is_refused_with_the_ones_there_are(blank: Page) -> None:
    for track in (9, -1, 1.5, "2", None, True, "constructor"):
        how, _ = blank.evaluate(TOOL, {"track": track})
        assert how["granted"] is False, track
        assert how["reason"].startswith("There is no track ")
        assert how["reason"].endswith("Expected 0 (off) or 1, 2, 3, 4")


def test_off_is_a_track_and_nothing_changes_before_the_answer_counts(blank: Page) -> None:
    how, state = blank.evaluate(TOOL, {"track": 0})
    assert how == {"granted": True, "value": {"success": True, "track": 0, "message": "The music is off."}}
    assert state == "off"


def test_the_page_plays_the_tracks_that_the_tool_names(blank: Page) -> None:
    from smoldesk.tools.demo.client_tools import TRACKS

    names = """async () => {
        const { TRACKS } = await import("/static/js/asks/bgm-tracks.js");
        return Object.entries(TRACKS).map(([number, { name }]) => [Number(number), name]);
    }"""
    assert dict(blank.evaluate(names)) == TRACKS
