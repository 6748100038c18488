/** The text parts of the menu. */
export const menuTexts = ['menu'] as const;
