import { CardsSkeleton } from '../Skeletons';
import classes from './Suggestions.module.css';

/** The place of suggestions while they load. */
export function SuggestionsSkeleton() {
  return (
    <div className={classes.root}>
      <CardsSkeleton count={3} className={classes.list} />
    </div>
  );
}
