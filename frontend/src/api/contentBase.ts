import { createApi } from '@reduxjs/toolkit/query/react';
import { serviceQuery } from './baseQuery';

/** The content service's API without endpoints; content.generated.ts adds them. */
export const contentBase = createApi({
  reducerPath: 'content',
  baseQuery: serviceQuery('/content'),
  endpoints: () => ({}),
});
