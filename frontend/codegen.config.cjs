// Makes the typed calls of both services from their contracts (npm run generate).
const shared = {
  hooks: { queries: true, lazyQueries: true, mutations: true },
  encodePathParams: true,
};

// Few visits need these, so they come with their page.
const verification = ['sendVerification', 'confirmEmail'];

// What signing in sends; its dialog comes when it opens.
const account = ['register', 'signIn'];

// What the checkout and its receipt ask.
const pledging = ['createPledge', 'releasePledge', 'pledge', 'ownAddress'];

// What creators, their team and reviewers call comes with their screens; no visitor fetches it.
const editing = [
  'createCampaign',
  'createCampaignV2',
  'createCampaignV3',
  'myCampaigns',
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
  'campaignHistoryValue',
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
  'unsubscribeFromLetters',
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
  'campaignPosts',
  'countVisit',
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
      filterEndpoints: (name) =>
        ![...notCalled, ...verification, ...account, ...pledging, ...editing].includes(name),
    },
    './src/api/account.generated.ts': {
      ...shared,
      apiFile: './src/api/contentBase.ts',
      apiImport: 'contentBase',
      exportName: 'generatedAccount',
      filterEndpoints: account,
    },
    './src/api/pledging.generated.ts': {
      ...shared,
      apiFile: './src/api/contentBase.ts',
      apiImport: 'contentBase',
      exportName: 'generatedPledging',
      filterEndpoints: pledging,
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
