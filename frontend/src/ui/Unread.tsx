import { isApiError } from '../api/apiError';
import { useErrorText } from '../i18n/errorText';
import { ErrorState } from './ErrorState';
import { LinesSkeleton } from './Skeletons';

/** What a read tells of itself, as the query hooks give it. */
export interface Read {
  error?: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

export interface UnreadProps {
  /** All that the place waits for. */
  of: Read | readonly Read[];
  /** Names the place in errors that have no text. */
  where: string;
  title?: string;
  /** How many lines stand in the place while it is waited for. */
  lines: number;
}

/**
 * The place of what is not read yet. While a read is under way, also one after a failure, it shows that it is waited for;
 * an old failure is said only once nothing is asked any more.
 */
export function Unread({ of, where, title, lines }: UnreadProps) {
  const errorText = useErrorText();
  const reads: readonly Read[] = 'refetch' in of ? [of] : of;
  const failed = reads.filter(({ error }) => error !== undefined);
  const [first] = failed;
  if (!first || reads.some(({ isFetching }) => isFetching)) return <LinesSkeleton lines={lines} />;
  return (
    <ErrorState
      title={title}
      onRetry={() => {
        for (const { refetch } of failed) refetch();
      }}
    >
      {isApiError(first.error) && errorText(first.error, where)}
    </ErrorState>
  );
}
