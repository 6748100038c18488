import { toCents } from './amounts';

/** The subscription goal to show: the first whose target is above what is reached, in the order of their targets. */
export function displayedGoal<T extends { target: number }>(
  goals: readonly T[],
  reached: number,
): T | undefined {
  return [...goals].sort((a, b) => a.target - b.target).find((goal) => goal.target > reached);
}

export interface Goals {
  min_goal: number;
  target_goal: number;
}

/** The goal that decides whether the money goes to the creator: the least one, where there is one. */
export function decidingGoal({ min_goal, target_goal }: Goals): number {
  return min_goal > 0 ? Math.min(min_goal, target_goal) : target_goal;
}

/** Whether confirmed money is there. What banks still have counts when it comes; without a goal nothing is reached. */
export function isReached(confirmed: number, goal: number): boolean {
  return goal > 0 && toCents(confirmed) >= toCents(goal);
}
