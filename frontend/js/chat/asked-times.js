/**
 * Times at which a question asks to be answered again: "every Monday at 9", 「毎週月曜9時に」. Only with a time of day,
 * since "every month" may group rows. The built-in analyst leaves such phrases out (schedule_phrases.py). Pure.
 */

const EN =
  /\b(?:every|each)\s+(day|morning|evening|weekday|workday|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\s+at\s+(\d{1,2})(?::(\d{2}))?\s*(a\.?m|p\.?m)?/iu;
const JA =
  /毎(日|朝|晩|平日|週[月火水木金土日]|月\d{1,2}日)(?:曜日?)?の?(午前|午後|朝|夕方)?(\d{1,2})(?:時(?:(半)|(\d{1,2})分)?|:(\d{2}))に/u;
const WEEK = "日月火水木金土";
const DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/** Return the cron line of a question's times; null without any. @param {string} question */
export function askedCron(question) {
  const text = question.normalize("NFKC");
  const english = EN.exec(text);
  if (english) {
    const [, day = "", hour = "", minute = "0", half = ""] = english;
    const hours = (Number(hour) % 12) + (half.toLowerCase().startsWith("p") ? 12 : 0);
    return cron(half ? hours : Number(hour), Number(minute), englishDays(day.toLowerCase()));
  }
  const japanese = JA.exec(text);
  if (!japanese) return null;
  const [, day = "", part = "", hour = "", half, minutes, clock] = japanese;
  const isLate = part === "午後" || part === "夕方" || day === "晩";
  const hours = Number(hour) + (isLate && Number(hour) < 12 ? 12 : 0);
  return cron(hours, half ? 30 : Number(minutes ?? clock ?? 0), japaneseDays(day));
}

/** @param {number} hour @param {number} minute @param {string} days */
const cron = (hour, minute, days) => (hour < 24 && minute < 60 ? `${minute} ${hour} ${days}` : null);

/** @param {string} day */
function englishDays(day) {
  if (day === "weekday" || day === "workday") return "* * MON-FRI";
  const name = DAYS.find((short) => day.toUpperCase().startsWith(short));
  return name ? `* * ${name}` : "* * *";
}

/** @param {string} day */
function japaneseDays(day) {
  if (day === "平日") return "* * MON-FRI";
  if (day.startsWith("週")) return `* * ${DAYS[WEEK.indexOf(day.charAt(1))]}`;
  return day.startsWith("月") ? `${Number.parseInt(day.slice(1), 10)} * *` : "* * *";
}
