/** Whether the reader wants nothing to move. Asked when something is about to, because the wish may change. */
export const isMotionReduced = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;
