/** The cover's ratio (width over height) and its least width in pixels. */
export const cover = { ratio: 1.6, minWidth: 960 };

/** The same for the creator's picture. */
export const creator = { ratio: 1, minWidth: 288 };
