/** How many campaigns in review are requested at once: the contract's bound. There is no paging. */
export const reviewListLimit = 100;
