import { Component, lazy, Suspense, useEffect, type ComponentType, type ReactNode } from 'react';
import { ErrorState } from './Faces';
import { tellTrouble, untilLoaded } from './untilLoaded';
import { useTroubles } from './useTroubles';

export interface LazyPartOptions {
  /**
   * Shown in the part's place while it loads; a failure is shown there too. A part without one opens over the page
   * (a menu, a dialog, a notice), and the note at the foot of the screen speaks for it.
   */
  skeleton?: ReactNode;
}

export type LazyPart<Props> = ((props: Props) => ReactNode) & {
  /** Fetches it ahead of its first use. */
  preload: () => Promise<unknown>;
};

/** A component whose code is loaded when it is first needed. If it fails, the page around it is kept. */
export function lazyPart<Props extends object>(
  fetchModule: () => Promise<{ default: ComponentType<Props> }>,
  { skeleton }: LazyPartOptions = {},
): LazyPart<Props> {
  let coming: Promise<{ default: ComponentType<Props> }> | undefined;
  const load = () => (coming ??= untilLoaded(fetchModule, skeleton ? 'place' : 'part'));
  const Inside = lazy(load) as unknown as ComponentType<Props>;

  function Part(props: Props) {
    return (
      <PartBoundary hasPlace={Boolean(skeleton)}>
        <Suspense fallback={skeleton && <Coming piece={fetchModule} skeleton={skeleton} />}>
          <Inside {...props} />
        </Suspense>
      </PartBoundary>
    );
  }
  return Object.assign(Part, { preload: load });
}

/** A skeleton only as long as nothing has gone wrong: nobody waits for what does not come without being told. */
function Coming({ piece, skeleton }: { piece: unknown; skeleton: ReactNode }) {
  const trouble = useTroubles().find((one) => one.piece === piece);
  return trouble ? <ErrorState onRetry={trouble.retry} /> : skeleton;
}

interface PartBoundaryProps {
  hasPlace: boolean;
  children: ReactNode;
}

/** Keeps a mistake inside a part from taking the page with it. */
class PartBoundary extends Component<PartBoundaryProps, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    const again = () => this.setState({ isBroken: false });
    if (!this.state.isBroken) return this.props.children;
    return this.props.hasPlace ? <ErrorState onRetry={again} /> : <Told onRetry={again} />;
  }
}

/** A failed component without a place of its own is reported at the foot of the screen; only a reload may help. */
function Told({ onRetry }: { onRetry: () => void }) {
  useEffect(() => tellTrouble({ of: 'part', piece: onRetry, failures: Infinity, retry: onRetry }), [onRetry]);
  return null;
}
