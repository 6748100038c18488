import { lazyComponent } from '../lazyComponent';
import { LinesSkeleton } from '../Skeletons';

/** Loaded where nobody can pay just now, which is rare. */
export const PaymentOff = lazyComponent(() => import(/* webpackChunkName: "payment-off" */ './PaymentOff'), {
  skeleton: <LinesSkeleton lines={4} />,
});
