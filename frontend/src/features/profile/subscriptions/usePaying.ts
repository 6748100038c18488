import { useSubscriptionQuery, type Subscription as Paying } from '../../../api/subscriptionPayments';

/** What the payment service knows of a support, read when it is asked about. */
export interface PayingRead {
  /** Undefined until it is read. */
  subscription: Paying | undefined;
  isError: boolean;
  retry: () => void;
}

/** Reads a support each time that it is asked about; afterwards it stays as it was then. */
export function usePaying(subscriptionId: string, isAsked: boolean): PayingRead {
  const { data, isError, isFetching, refetch } = useSubscriptionQuery(
    { subscriptionId },
    { skip: !isAsked, refetchOnMountOrArgChange: true },
  );
  return {
    subscription: isFetching || isError ? undefined : data?.subscription,
    isError: isError && !isFetching,
    retry: () => void refetch(),
  };
}
