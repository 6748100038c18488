import type { BrowserInfo } from '../../../../api/checkoutPayments';
import type { Language } from '../../../../domain/languages';

/**
 * What a bank wants to know of the browser before it lets a card be charged. The whole numbers are within the contract's
 * bounds. `now` in milliseconds: summer time changes the offset.
 */
export function browserInfo(language: Language, now: number): BrowserInfo {
  const { screen, navigator } = window;
  return {
    AcceptHeader: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    JavaEnabled: false,
    JavascriptEnabled: true,
    Language: (navigator.language || language).slice(0, 35),
    ColorDepth: between(screen.colorDepth, 64),
    ScreenHeight: between(screen.height, 99_999),
    ScreenWidth: between(screen.width, 99_999),
    TimeZoneOffset: new Date(now).getTimezoneOffset(),
    UserAgent: navigator.userAgent.slice(0, 500),
  };
}

const between = (value: number, most: number) => Math.min(most, Math.max(0, Math.round(value)));
