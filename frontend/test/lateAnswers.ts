const later = setTimeout;
let pending = 0;

/** How many answers are being delayed. */
export const delayedAnswers = () => pending;

/**
 * Delays every answer by a random time of up to `most` milliseconds. A test that looks for something without waiting for
 * the answer then fails nearly every time, instead of once in a hundred runs: `LATE_ANSWERS=60 npm test`.
 */
export function answerLate(most: number): void {
  const atOnce = globalThis.fetch;
  globalThis.fetch = async (...request) => {
    pending += 1;
    try {
      const answer = await atOnce(...request);
      await new Promise((go) => later(go, Math.random() * most));
      return answer;
    } finally {
      pending -= 1;
    }
  };
}
