import { lazyComponent } from '../../../ui/lazyComponent';
import { LinesSkeleton } from '../../../ui/Skeletons';
import classes from './CardFields.module.css';

/** The card form, with its place kept while its code loads. */
export const CardFields = lazyComponent(() => import(/* webpackChunkName: "card" */ './CardFields'), {
  skeleton: (
    <div className={classes.root}>
      <LinesSkeleton lines={4} />
    </div>
  ),
});
