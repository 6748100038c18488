import { createApi } from '@reduxjs/toolkit/query/react';
import { serviceQuery } from './baseQuery';

/** The payment service without its calls; the generated file adds them. */
export const paymentsBase = createApi({
  reducerPath: 'payments',
  baseQuery: serviceQuery('/payments'),
  endpoints: () => ({}),
});
