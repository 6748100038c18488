// The API's maximum page size. The page has no paging, because hardly anybody has more campaigns.
/** Which of one's campaigns the page asks for: all of its parts the same. */
export const ownCampaigns = { limit: 100 };
