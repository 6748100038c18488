// Apart from content.ts, because only the sign-in dialog and the checkout open sessions.
export * from './account.generated';
