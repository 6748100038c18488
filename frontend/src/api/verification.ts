// Few visits confirm an address, so these calls come with their page.
export * from './verification.generated';
