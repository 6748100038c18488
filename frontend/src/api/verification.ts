// Apart from content.ts, because few visits confirm an email address: only its page loads these endpoints.
export * from './verification.generated';
