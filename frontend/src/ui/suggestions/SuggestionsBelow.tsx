import { useState } from 'react';
import { lazyComponent } from '../lazyComponent';
import { useNearEnd } from '../useNearEnd';
import type { SuggestionsProps } from './Suggestions';
import classes from './SuggestionsBelow.module.css';
import { SuggestionsSkeleton } from './SuggestionsSkeleton';

const Suggestions = lazyComponent<SuggestionsProps>(
  () => import(/* webpackChunkName: "suggestions" */ './Suggestions'),
  { skeleton: <SuggestionsSkeleton /> },
);

/** Suggestions at the end of a page, loaded when a reader comes near them. */
export function SuggestionsBelow(props: SuggestionsProps) {
  const [isNear, setNear] = useState(false);
  const watch = useNearEnd(!isNear, () => setNear(true));
  return (
    <div ref={watch} className="tk-container">
      {isNear ? <Suggestions {...props} /> : <div className={classes.place} />}
    </div>
  );
}
