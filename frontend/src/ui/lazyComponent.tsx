import { Component, lazy, Suspense, useEffect, type ComponentType, type ReactNode } from 'react';
import { ErrorState } from './ErrorState';
import { loadWithRetry, reportLoadFailure } from './loadWithRetry';
import { useLoadFailures } from './useLoadFailures';

/** See lazyComponent. */
export interface LazyComponentOptions {
  /**
   * Shown in the component's place while it loads; a failure is shown there too. Leave it out for an overlay (a menu,
   * a dialog, a toast), whose failure is shown by LoadFailureNotice.
   */
  skeleton?: ReactNode;
}

/** A component that can be preloaded. */
export type LazyComponent<Props> = ((props: Props) => ReactNode) & {
  /** Loads the code before its first use. */
  preload: () => Promise<unknown>;
};

/** A component whose code is loaded when it is first rendered. If that fails, it is retried and the page stays. */
export function lazyComponent<Props extends object>(
  fetchModule: () => Promise<{ default: ComponentType<Props> }>,
  { skeleton }: LazyComponentOptions = {},
): LazyComponent<Props> {
  let module: Promise<{ default: ComponentType<Props> }> | undefined;
  const load = () => (module ??= loadWithRetry(fetchModule, skeleton ? 'inline' : 'overlay'));
  const Loaded = lazy(load) as unknown as ComponentType<Props>;

  function Lazy(props: Props) {
    return (
      <LazyBoundary isInline={Boolean(skeleton)}>
        <Suspense fallback={skeleton && <SkeletonOrError chunk={fetchModule} skeleton={skeleton} />}>
          <Loaded {...props} />
        </Suspense>
      </LazyBoundary>
    );
  }
  return Object.assign(Lazy, { preload: load });
}

/** The skeleton, replaced by an error with a retry button while loading fails. */
function SkeletonOrError({ chunk, skeleton }: { chunk: unknown; skeleton: ReactNode }) {
  const failure = useLoadFailures().find((one) => one.chunk === chunk);
  return failure ? <ErrorState onRetry={failure.retry} /> : skeleton;
}

interface LazyBoundaryProps {
  isInline: boolean;
  children: ReactNode;
}

/** An error boundary: an error inside the component does not take down the page. */
class LazyBoundary extends Component<LazyBoundaryProps, { hasError: boolean }> {
  override state = { hasError: false };

  static getDerivedStateFromError() {
    return { hasError: true };
  }

  override render() {
    const retry = () => this.setState({ hasError: false });
    if (!this.state.hasError) return this.props.children;
    return this.props.isInline ? <ErrorState onRetry={retry} /> : <OverlayError onRetry={retry} />;
  }
}

/** Reports an error inside an overlay to LoadFailureNotice, which then offers to reload the page at once. */
function OverlayError({ onRetry }: { onRetry: () => void }) {
  useEffect(
    () => reportLoadFailure({ kind: 'overlay', chunk: onRetry, failures: Infinity, retry: onRetry }),
    [onRetry],
  );
  return null;
}
