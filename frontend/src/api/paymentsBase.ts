import { createApi } from '@reduxjs/toolkit/query/react';
import { serviceQuery } from './baseQuery';

/** The payment service's API without endpoints; payments.generated.ts adds them. */
export const paymentsBase = createApi({
  reducerPath: 'payments',
  baseQuery: serviceQuery('/payments'),
  endpoints: () => ({}),
});
