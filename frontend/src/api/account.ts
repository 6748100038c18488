// Not in content.ts: only the sign-in dialog and the checkout start sessions, so other pages need not load this.
export * from './account.generated';
