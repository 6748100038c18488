/** How many campaigns in review are read at once; the contract's bound. More than this have never waited. */
export const longestList = 100;
