import { toCents } from './amounts';

/** The subscription goal to show: the one with the lowest target above `reached`. */
export function displayedGoal<T extends { target: number }>(
  goals: readonly T[],
  reached: number,
): T | undefined {
  return [...goals].sort((a, b) => a.target - b.target).find((goal) => goal.target > reached);
}

/** A campaign's goals, in the major unit. A min_goal of 0 means that there is no minimum goal. */
export interface Goals {
  min_goal: number;
  target_goal: number;
}

/** The goal that decides whether the creator gets the money: the minimum goal, or the target goal without one. */
export function decidingGoal({ min_goal, target_goal }: Goals): number {
  return min_goal > 0 ? Math.min(min_goal, target_goal) : target_goal;
}

/** Whether confirmed money, in the major unit, reaches a goal. A goal of 0 means that there is none to reach. */
export function isReached(confirmed: number, goal: number): boolean {
  return goal > 0 && toCents(confirmed) >= toCents(goal);
}
