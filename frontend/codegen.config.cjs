// Makes the typed calls of both services from their contracts (npm run generate).
const shared = {
  hooks: { queries: true, lazyQueries: true, mutations: true },
  encodePathParams: true,
};

// Few visits need these, so they come with their page.
const verification = ['sendVerification', 'confirmEmail'];

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
      filterEndpoints: (name) => name !== 'jwks' && !verification.includes(name),
    },
    './src/api/verification.generated.ts': {
      ...shared,
      apiFile: './src/api/contentBase.ts',
      apiImport: 'contentBase',
      exportName: 'generatedVerification',
      filterEndpoints: verification,
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
