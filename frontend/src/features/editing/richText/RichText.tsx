import { lazyPart } from '../../../ui/lazyPart';
import { LinesSkeleton } from '../../../ui/Skeletons';

/** The editor of stories and posts. Its code comes when writing begins. */
export const RichText = lazyPart(() => import(/* webpackChunkName: "rich-text" */ './RichTextEditor'), {
  skeleton: <LinesSkeleton lines={8} />,
});
