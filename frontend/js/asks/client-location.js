/**
 * Location of the browser, for the tool get_location. The browser asks the person; each way to fail has its own text.
 */

/** @import { ClientOutcome } from "../types.js" */

const TIMEOUT = 20_000;
/** Reasons for a missing position, as sent to the agent. asks/client-work-card.js has the page's texts for them. */
export const NO_LOCATION = Object.freeze({
  refused: "The browser refused to tell its location",
  unavailable: "The browser could not find out its location",
  late: `The browser did not find out its location within ${TIMEOUT / 1000} s`,
  absent: "This browser cannot tell its location",
  insecure: "The browser tells its location to secure pages only (https or localhost)",
});
const REASON_BY_CODE = /** @type {Record<number, string>} */ ({
  1: NO_LOCATION.refused,
  2: NO_LOCATION.unavailable,
  3: NO_LOCATION.late,
});

/**
 * Read the position of the browser.
 *
 * @param {Geolocation | undefined} [geolocation]
 * @param {boolean} [secure]
 * @returns {Promise<ClientOutcome>} {latitude, longitude} in degrees, {accuracy} in metres
 */
export function readLocation(geolocation = navigator.geolocation, secure = window.isSecureContext) {
  return new Promise((resolve) => {
    const no = (/** @type {string} */ reason) => resolve({ granted: false, reason });
    if (!secure) return no(NO_LOCATION.insecure);
    if (!geolocation) return no(NO_LOCATION.absent);
    const onPosition = (/** @type {GeolocationPosition} */ { coords }) => {
      resolve({
        granted: true,
        value: { latitude: coords.latitude, longitude: coords.longitude, accuracy: coords.accuracy },
      });
    };
    const failed = (/** @type {GeolocationPositionError} */ { code }) =>
      no(REASON_BY_CODE[code] ?? NO_LOCATION.unavailable);
    geolocation.getCurrentPosition(onPosition, failed, {
      enableHighAccuracy: true,
      timeout: TIMEOUT,
      maximumAge: 0,
    });
  });
}
