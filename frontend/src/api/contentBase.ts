import { createApi } from '@reduxjs/toolkit/query/react';
import { serviceQuery } from './baseQuery';

/** The content service without its calls; the generated file adds them. */
export const contentBase = createApi({
  reducerPath: 'content',
  baseQuery: serviceQuery('/content'),
  endpoints: () => ({}),
});
