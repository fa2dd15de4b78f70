/** Choices of times and conditions of a watch, and their cron lines. Pure. */

export const CONDITIONS = /** @type {const} */ (["changed", "above", "below", "appears", "fails", "always"]);
export const TIMES = /** @type {const} */ (["none", "day", "workday", "monday", "month", "cron"]);

/** Days of the cron line of a choice. @type {{ [time: string]: string }} */
const DAYS = { day: "* * *", workday: "* * MON-FRI", monday: "* * MON", month: "1 * *" };

/** Return the cron line of a choice; null without times. @param {string} choice @param {string} time HH:MM @param {string} cron */
export function cronOf(choice, time, cron) {
  if (choice === "cron") return cron.trim();
  const days = DAYS[choice];
  if (days === undefined) return null;
  const [hour = "9", minute = "0"] = time.split(":");
  return `${Number(minute)} ${Number(hour)} ${days}`;
}

/** Return the choice and the time of a cron line; null for one that no choice gives. @param {string} cron */
export function choiceOf(cron) {
  const [minute = "", hour = "", ...days] = cron.split(" ");
  const choice = Object.keys(DAYS).find((name) => DAYS[name] === days.join(" "));
  if (!choice || !/^\d+$/.test(minute) || !/^\d+$/.test(hour)) return null;
  return { choice, time: `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}` };
}
