// Not in content.ts: only pages that confirm an email address or log in to the forum need these endpoints.
export * from './verification.generated';
