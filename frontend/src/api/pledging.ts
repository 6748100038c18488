// Apart from content.ts, because only the checkout sends pledges.
export * from './pledging.generated';
