/** The cover's shape: width over height, and the least width in pixels. */
export const cover = { ratio: 1.6, minWidth: 960 };

/** The creator's picture, as above. */
export const creator = { ratio: 1, minWidth: 288 };
