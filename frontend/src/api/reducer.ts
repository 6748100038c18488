import { combineSlices } from '@reduxjs/toolkit';
import { content } from './content';
import { paymentsApi } from './payments';
import { sessionSlice } from './session';

/** The lazily loaded slices. Each slice's module adds itself to this interface. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- filled by module augmentation
export interface LazyLoadedSlices {}

/**
 * The root reducer. Slices that only some pages need are loaded with those pages and added by `injectInto(reducer)`, to
 * keep the first visit small.
 */
export const reducer = combineSlices(
  sessionSlice,
  content,
  paymentsApi,
).withLazyLoadedSlices<LazyLoadedSlices>();

/** The root state. Lazily loaded slices may be missing. */
export type State = ReturnType<typeof reducer>;
