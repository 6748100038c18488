import { lazyComponent } from '../../../ui/lazyComponent';
import { LinesSkeleton } from '../../../ui/Skeletons';

/** The rich-text editor of stories and posts, in a chunk that loads when it is rendered. */
export const RichText = lazyComponent(() => import(/* webpackChunkName: "rich-text" */ './RichTextEditor'), {
  // As high as the editor of a short text, so that what follows does not move.
  skeleton: (
    <div style={{ minHeight: '21rem' }}>
      <LinesSkeleton lines={8} />
    </div>
  ),
});
