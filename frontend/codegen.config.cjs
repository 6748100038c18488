// Makes the typed calls of both services from their contracts (npm run generate).
const shared = {
  hooks: { queries: true, lazyQueries: true, mutations: true },
  encodePathParams: true,
};

// Few visits need these, so they come with their page.
const verification = ['sendVerification', 'confirmEmail'];

// What creators, their team and reviewers call comes with their screens; no visitor fetches it.
const editing = [
  'createCampaign',
  'campaignAdmin',
  'changeCampaignAdmin',
  'changeCampaignSettings',
  'changeCampaignMeta',
  'changeCampaignLanguage',
  'changeCampaignCustomLanguage',
  'uploadCampaignFile',
  'uploadImage',
  'setCampaignCategories',
  'setCampaignTags',
  'setSubscriptionGoals',
  'campaignHistory',
  'requestReview',
  'withdrawReview',
  'decideReview',
  'mendReviewNote',
  'campaignsInReview',
  'campaignInvitation',
  'acceptCampaignInvitation',
  'setPaymentAccount',
  'addContentVariation',
  'deleteContentVariation',
  'adoptContentVariation',
  'campaignOverview',
  'backersTable',
  'createReward',
  'changeReward',
  'changeRewardLanguage',
  'deleteReward',
  'rewardAdmin',
  'createPost',
  'changePost',
  'deletePost',
  'postAdmin',
  'sendTestLetter',
  'lookUpVideo',
];

// What the app does not call is left out of a first visit: the list versions that src/api/lists.ts asks chunk by chunk, and
// calls of screens that are not built.
const notCalled = [
  'jwks',
  'campaignPreviewsV2',
  'campaignPreviewsV6',
  'mostFundedCampaigns',
  'preparingCampaigns',
  'preparingCampaignsV2',
  'myCampaigns',
  'campaignPosts',
];

/** @type {import('@rtk-query/codegen-openapi').ConfigFile} */
module.exports = {
  schemaFile: '../proto-docs/content.openapi.yaml',
  apiFile: './src/api/contentBase.ts',
  outputFiles: {
    './src/api/content.generated.ts': {
      ...shared,
      apiFile: './src/api/contentBase.ts',
      apiImport: 'contentBase',
      exportName: 'generatedContent',
      filterEndpoints: (name) => ![...notCalled, ...verification, ...editing].includes(name),
    },
    './src/api/verification.generated.ts': {
      ...shared,
      apiFile: './src/api/contentBase.ts',
      apiImport: 'contentBase',
      exportName: 'generatedVerification',
      filterEndpoints: verification,
    },
    './src/api/editing.generated.ts': {
      ...shared,
      apiFile: './src/api/contentBase.ts',
      apiImport: 'contentBase',
      exportName: 'generatedEditing',
      filterEndpoints: editing,
    },
    './src/api/payments.generated.ts': {
      ...shared,
      schemaFile: '../proto-docs/payments.openapi.yaml',
      apiFile: './src/api/paymentsBase.ts',
      apiImport: 'paymentsBase',
      exportName: 'generatedPayments',
      filterEndpoints: (name) => name !== 'stripeWebhook',
    },
  },
};
