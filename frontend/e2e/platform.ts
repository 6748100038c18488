import path from 'node:path';

/** The base addresses of the platform under test, without a trailing slash. */
export interface Platform {
  web: string;
  sandbox: string;
  mail: string;
  /** The stand-in for Mangopay; empty when real keys are in use. */
  mangopay: string;
  /** The API key of the sandbox provider. */
  provider_key: string;
  /** The base address of the test controls, such as moving a campaign's first day (scripts/journeyhost/control.go). */
  control: string;
}

/** Where screenshots are written. Ignored by git. */
export const outputDir = path.resolve(__dirname, '../../bin/journeys');

/** The platform that was started for this run. */
export function platform(): Platform {
  const text = process.env.JOURNEYS_PLATFORM;
  if (!text) throw new Error('The journeys have no platform: start them with npm run journeys.');
  return JSON.parse(text) as Platform;
}
