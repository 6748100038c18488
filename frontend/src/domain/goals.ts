/** The subscription goal to show: the first whose target is above what is reached, in the order of their targets. */
export function displayedGoal<T extends { target: number }>(
  goals: readonly T[],
  reached: number,
): T | undefined {
  return [...goals].sort((a, b) => a.target - b.target).find((goal) => goal.target > reached);
}
