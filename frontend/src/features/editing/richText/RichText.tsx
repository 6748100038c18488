import { lazyComponent } from '../../../ui/lazyComponent';
import { LinesSkeleton } from '../../../ui/Skeletons';

/** The editor of stories and posts. Its code comes when writing begins. */
export const RichText = lazyComponent(() => import(/* webpackChunkName: "rich-text" */ './RichTextEditor'), {
  skeleton: <LinesSkeleton lines={8} />,
});
