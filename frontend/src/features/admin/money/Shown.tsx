import type { ReactNode } from 'react';
import { isApiError } from '../../../api/apiError';
import { useErrorText } from '../../../i18n/errorText';
import { ErrorState } from '../../../ui/ErrorState';
import { LinesSkeleton } from '../../../ui/Skeletons';

export interface ShownProps<Data> {
  query: { currentData?: Data; error?: unknown; refetch: () => unknown };
  children: (data: Data) => ReactNode;
}

/** What was asked for; until it has come, lines in its place, and when it does not come, why. */
export function Shown<Data>({ query: { currentData, error, refetch }, children }: ShownProps<Data>) {
  const errorText = useErrorText();
  if (currentData !== undefined) return children(currentData);
  if (error)
    return (
      <ErrorState onRetry={() => void refetch()}>
        {isApiError(error) && errorText(error, 'MoneyPage')}
      </ErrorState>
    );
  return <LinesSkeleton lines={10} />;
}
