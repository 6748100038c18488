import { combineSlices } from '@reduxjs/toolkit';
import { content } from './content';
import { paymentsApi } from './payments';
import { sessionSlice } from './session';

/** The parts that join later; each declares itself here, where it is made. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- filled by those parts
export interface LazyLoadedSlices {}

/**
 * The state of the one store. What only some pages need joins with their code, by `injectInto(reducer)`, so that a
 * first visit does not load it.
 */
export const reducer = combineSlices(
  sessionSlice,
  content,
  paymentsApi,
).withLazyLoadedSlices<LazyLoadedSlices>();

export type State = ReturnType<typeof reducer>;
