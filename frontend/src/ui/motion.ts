/**
 * Whether the user prefers reduced motion. Call it when an animation is to start, because the preference may change.
 */
export const isMotionReduced = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;
