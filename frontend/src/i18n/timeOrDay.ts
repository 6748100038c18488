import type { Language } from '../domain/languages';
import { formatPastDay, formatTime, platformDay } from './format';

/** When something was: the time of day if that was today, otherwise the day. Takes RFC 3339 or milliseconds. */
export function timeOrDay(language: Language, time: string | number, now: number): string {
  const isToday = platformDay(new Date(time).getTime()) === platformDay(now);
  return isToday ? formatTime(language, time) : formatPastDay(language, time, now);
}
