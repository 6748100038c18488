// Generates the typed clients of both services from their contracts (npm run generate).
const shared = {
  hooks: { queries: true, lazyQueries: true, mutations: true },
  encodePathParams: true,
};

// Few visits need these, so they are in the chunk of their page.
const verification = ['sendVerification', 'confirmEmail', 'signInToForum'];

// The calls of signing in, in the chunk of its dialog, which is loaded when it opens.
const account = ['register', 'signIn', 'takeSecondStep', 'beginPasskeySignIn', 'signInWithPasskey'];

// The calls of the pages about signing in and of a new password, in their chunks.
const security = [
  'changePassword',
  'askPasswordReset',
  'resetPassword',
  'beginConfirmation',
  'confirmIdentity',
  'ownSecurity',
  'beginTotp',
  'confirmTotp',
  'removeTotp',
  'makeBackupCodes',
  'beginPasskey',
  'addPasskey',
  'renamePasskey',
  'removePasskey',
  'ownSessions',
  'endOtherSessions',
  'endSession',
  'ownData',
  'ownErasure',
  'eraseAccount',
];

// What waits for a campaign that cannot be paid to just now, in the chunks of its box and its page.
const reminders = ['askPaymentReminder', 'refusePaymentReminders'];

// The calls of the checkout and its receipt, in the chunks of their pages.
const pledging = [
  'createPledge',
  'releasePledge',
  'pledge',
  'ownAddress',
  'linkedPledge',
  'askOrderLinks',
  'raise',
  'releaseRaise',
];

// Monthly support, in the chunks of its pages: what the content service knows of it, and what the payment service does.
const subscriptions = [
  'ownSubscriptions',
  'createSubscription',
  'subscriptionRecord',
  'changeSubscription',
  'linkedReceipt',
  'moneyCalendar',
  'renewCalendarFeed',
  'endCalendarFeed',
  'ownSpendingLimits',
  'setOwnSpendingLimit',
  'endOwnSpendingLimit',
];
const subscriptionPayments = [
  'setupSubscriptionPayment',
  'subscription',
  'subscriptionPayment',
  'cancelSubscription',
  'modifySubscriptionLevel',
  'skipSubscriptionMonth',
  'pauseSubscription',
  'resumeSubscription',
  'setSubscriptionNotices',
  'setupSubscriptionCard',
  'changeSubscriptionCard',
  'lookAtSubscriptionLink',
  'setupSubscriptionLink',
  'followSubscriptionLink',
];

// How a pledge can be paid, and paying it at provider B, in the chunks of the checkout and of the return from a bank.
const checkoutPayments = [
  'campaignMethods',
  'forgetKeptCard',
  'cardRegistrationData',
  'finishCardRegistration',
  'cardPayIn',
  'bankAccounts',
  'createBankAccount',
  'createMandate',
  'debitPayIn',
];

// The accounts by which creators are paid, in the chunk of their page.
const payees = [
  'ownPayees',
  'ownPayouts',
  'payoutStatement',
  'payoutLines',
  'createCreatorAccount',
  'verifyCreatorAccount',
  'onboardStripeAccount',
  'linkStripeAccount',
  'openStripeDashboard',
  'updateStripeAccount',
  'addPayoutBank',
  'payoutBankFields',
  'confirmPayoutBank',
  'endPayoutBank',
];

// Who a creator is to the tax office, in the chunk of that part of their page.
const taxData = ['taxData', 'setTaxData', 'taxDataValues', 'taxReports', 'taxReport'];

// The page of the book's days, in its chunk.
const ledger = ['ledgerDays'];

// What a person has backed, and their own data: in the chunks of the pages of one's own.
const own = ['ownPledges', 'changePledge', 'changeChoice', 'withdrawPledge', 'ownInCampaign', 'ownMenu'];

// The page of a pledge that a mailed link opens, in its chunk.
const openedPledge = [
  'openPledge',
  'withdrawOpenedPledge',
  'changeOpenedChoice',
  'changeOpenedPledge',
  'renewPledgeLink',
  'closePledgeLink',
];

// Claims about rewards, in the chunks of their screens.
const claims = [
  'ownClaim',
  'actOnOwnClaim',
  'openedClaim',
  'actOnOpenedClaim',
  'claims',
  'claim',
  'actOnClaim',
  'refundBacker',
];

// One post's own page.
const post = ['campaignPost'];

// People's pages, one's own profile, and what admins do.
const people = [
  'ownProfile',
  'changeProfile',
  'changeProfileImage',
  'setProfileLinks',
  'setProfileSkills',
  'setProfileTags',
  'changeSettings',
  'ownInvitations',
  'acceptExperimentInvitation',
  'declineExperimentInvitation',
  'userPreviews',
  'userTags',
  'userProfile',
  'peopleAdmin',
  'personAdmin',
  'changePersonAdmin',
  'auditTrail',
];

// What admins do about campaigns, their categories and tags, and the home page.
const staff = [
  'campaignTable',
  'categoriesAdmin',
  'createCategory',
  'changeCategory',
  'deleteCategory',
  'orderCategories',
  'tagsAdmin',
  'createTag',
  'changeTag',
  'retireTag',
  'frontPage',
  'setFrontPage',
  'holdCampaign',
  'payOutStoppedCampaign',
  'liftCampaignHold',
];

// The search: in the chunk of its page, and of the suggestions under the header's field.
const search = ['search'];

// The operator's desk, in the chunk of its pages.
const desk = [
  'deskOverview',
  'deskSearch',
  'deskPayment',
  'deskAnomalies',
  'deskAnomaly',
  'deskBalances',
  'deskMended',
  'deskRuns',
  'deskPropose',
  'deskRun',
  'deskRunLines',
  'deskApprove',
  'deskResume',
  'deskCancel',
  'deskWebhooks',
  'deskReplay',
  'deskSwitches',
  'deskSwitch',
  'deskRefunds',
  'deskRepeatRefund',
  'deskDispute',
  'deskContest',
  'deskWarning',
  'deskRefundWarned',
  'deskDismissWarning',
  'deskReopenWarning',
  'deskJournal',
  'deskVat',
  'deskTaxReport',
];

// Suggestions are at a page's foot.
const recommendations = ['campaignRecommendations', 'experimentRecommendations', 'myRecommendations'];

// The calls of creators, their team and reviewers, in the chunks of their screens, so that visitors do not fetch them.
// Two lists that visitors see page by page (src/api/lists.ts) are here for their types, and because writing looks for a draft.
const editing = [
  'campaignBackers',
  'campaignPostPreviews',
  'createCampaign',
  'createCampaignV2',
  'createCampaignV3',
  'copyCampaign',
  'discardCampaign',
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
  'reviewChanges',
  'seeReviewChanges',
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
  'campaignDeliveries',
  'markDelivered',
  'supportersTable',
  'createReward',
  'copyReward',
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

// What the pages of experiments call beyond reading: liking, writing and the table.
const experimenting = [
  'createExperiment',
  'experimentTags',
  'experimentAdmin',
  'experimentHistory',
  'experimentHistoryValue',
  'changeExperimentSettings',
  'changeExperimentLanguage',
  'changeExperimentCustomLanguage',
  'changeExperimentImage',
  'changeExperimentFunding',
  'setExperimentTags',
  'setExperimentLinks',
  'moveExperiment',
  'likeExperiment',
  'unlikeExperiment',
  'places',
];

// Not generated, which keeps them out of a first visit: lists that src/api/lists.ts requests page by page, calls that
// are written by hand, and calls of screens that do not exist.
const notCalled = [
  'jwks',
  'campaignPreviewsV2',
  'campaignPreviewsV6',
  'mostFundedCampaigns',
  'preparingCampaigns',
  'preparingCampaignsV2',
  'campaignPosts',
  'countVisit',
  'recommendations', // the widget's
  'calendarFeed', // calendar programs'
  'openLettersPage', // mail programs'
  'openReminderPage', // as it
  'pledgePaymentPage', // the app asks the payment service itself
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
        ![
          ...notCalled,
          ...verification,
          ...account,
          ...security,
          ...pledging,
          ...reminders,
          ...subscriptions,
          ...own,
          ...openedPledge,
          ...claims,
          ...post,
          ...people,
          ...staff,
          ...editing,
          ...experimenting,
          ...recommendations,
          ...search,
        ].includes(name),
    },
    './src/api/account.generated.ts': {
      ...shared,
      apiFile: './src/api/contentBase.ts',
      apiImport: 'contentBase',
      exportName: 'generatedAccount',
      filterEndpoints: account,
    },
    './src/api/security.generated.ts': {
      ...shared,
      apiFile: './src/api/contentBase.ts',
      apiImport: 'contentBase',
      exportName: 'generatedSecurity',
      filterEndpoints: security,
    },
    './src/api/pledging.generated.ts': {
      ...shared,
      apiFile: './src/api/contentBase.ts',
      apiImport: 'contentBase',
      exportName: 'generatedPledging',
      filterEndpoints: pledging,
      endpointOverrides: [{ pattern: 'linkedPledge', type: 'query' }], // its token is in a body, not in the address
    },
    './src/api/openedPledge.generated.ts': {
      ...shared,
      apiFile: './src/api/contentBase.ts',
      apiImport: 'contentBase',
      exportName: 'generatedOpenedPledge',
      filterEndpoints: openedPledge,
      endpointOverrides: [{ pattern: 'openPledge', type: 'query' }], // its token is in a body, not in the address
    },
    './src/api/claims.generated.ts': {
      ...shared,
      apiFile: './src/api/contentBase.ts',
      apiImport: 'contentBase',
      exportName: 'generatedClaims',
      filterEndpoints: claims,
      endpointOverrides: [{ pattern: 'openedClaim', type: 'query' }], // its token is in a body, not in the address
    },
    './src/api/reminders.generated.ts': {
      ...shared,
      apiFile: './src/api/contentBase.ts',
      apiImport: 'contentBase',
      exportName: 'generatedReminders',
      filterEndpoints: reminders,
    },
    './src/api/subscriptions.generated.ts': {
      ...shared,
      apiFile: './src/api/contentBase.ts',
      apiImport: 'contentBase',
      exportName: 'generatedSubscriptions',
      filterEndpoints: subscriptions,
      endpointOverrides: [{ pattern: 'linkedReceipt', type: 'query' }], // its token is in a body, not in the address
    },
    './src/api/own.generated.ts': {
      ...shared,
      apiFile: './src/api/contentBase.ts',
      apiImport: 'contentBase',
      exportName: 'generatedOwn',
      filterEndpoints: own,
    },
    './src/api/post.generated.ts': {
      ...shared,
      apiFile: './src/api/contentBase.ts',
      apiImport: 'contentBase',
      exportName: 'generatedPost',
      filterEndpoints: post,
    },
    './src/api/people.generated.ts': {
      ...shared,
      apiFile: './src/api/contentBase.ts',
      apiImport: 'contentBase',
      exportName: 'generatedPeople',
      filterEndpoints: people,
    },
    './src/api/staff.generated.ts': {
      ...shared,
      apiFile: './src/api/contentBase.ts',
      apiImport: 'contentBase',
      exportName: 'generatedStaff',
      filterEndpoints: staff,
    },
    './src/api/recommendations.generated.ts': {
      ...shared,
      apiFile: './src/api/contentBase.ts',
      apiImport: 'contentBase',
      exportName: 'generatedRecommendations',
      filterEndpoints: recommendations,
    },
    './src/api/search.generated.ts': {
      ...shared,
      apiFile: './src/api/contentBase.ts',
      apiImport: 'contentBase',
      exportName: 'generatedSearch',
      filterEndpoints: search,
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
    './src/api/experiments.generated.ts': {
      ...shared,
      apiFile: './src/api/contentBase.ts',
      apiImport: 'contentBase',
      exportName: 'generatedExperiments',
      filterEndpoints: experimenting,
    },
    './src/api/payments.generated.ts': {
      ...shared,
      schemaFile: '../proto-docs/payments.openapi.yaml',
      apiFile: './src/api/paymentsBase.ts',
      apiImport: 'paymentsBase',
      exportName: 'generatedPayments',
      filterEndpoints: (name) =>
        ![
          'stripeWebhook',
          'mangopayWebhook',
          ...subscriptionPayments,
          ...checkoutPayments,
          ...payees,
          ...taxData,
          ...ledger,
          ...desk,
        ].includes(name),
    },
    './src/api/checkoutPayments.generated.ts': {
      ...shared,
      schemaFile: '../proto-docs/payments.openapi.yaml',
      apiFile: './src/api/paymentsBase.ts',
      apiImport: 'paymentsBase',
      exportName: 'generatedCheckoutPayments',
      filterEndpoints: checkoutPayments,
      endpointOverrides: [{ pattern: 'bankAccounts', type: 'query' }], // its pledge is in a body, not in the address
    },
    './src/api/ledger.generated.ts': {
      ...shared,
      hooks: false,
      schemaFile: '../proto-docs/payments.openapi.yaml',
      apiFile: './src/api/paymentsBase.ts',
      apiImport: 'paymentsBase',
      exportName: 'generatedLedger',
      filterEndpoints: ledger,
    },
    './src/api/subscriptionPayments.generated.ts': {
      ...shared,
      schemaFile: '../proto-docs/payments.openapi.yaml',
      apiFile: './src/api/paymentsBase.ts',
      apiImport: 'paymentsBase',
      exportName: 'generatedSubscriptionPayments',
      filterEndpoints: subscriptionPayments,
      endpointOverrides: [{ pattern: 'lookAtSubscriptionLink', type: 'query' }],
    },
    './src/api/payees.generated.ts': {
      ...shared,
      schemaFile: '../proto-docs/payments.openapi.yaml',
      apiFile: './src/api/paymentsBase.ts',
      apiImport: 'paymentsBase',
      exportName: 'generatedPayees',
      filterEndpoints: payees,
    },
    './src/api/taxData.generated.ts': {
      ...shared,
      schemaFile: '../proto-docs/payments.openapi.yaml',
      apiFile: './src/api/paymentsBase.ts',
      apiImport: 'paymentsBase',
      exportName: 'generatedTaxData',
      filterEndpoints: taxData,
    },
    './src/api/desk.generated.ts': {
      ...shared,
      schemaFile: '../proto-docs/payments.openapi.yaml',
      apiFile: './src/api/paymentsBase.ts',
      apiImport: 'paymentsBase',
      exportName: 'generatedDesk',
      filterEndpoints: desk,
      endpointOverrides: [{ pattern: 'deskSearch', type: 'query' }], // what is searched is in a body, not in the address
    },
  },
};
