import type { MergeVersions } from '../../../ui/saving/unsaved';
import { isDoc } from '../partNames';
import type { Doc } from '../richText/document';
import type { MergeableText } from '../useEntityEditor';

/** The documents of a part that is one; undefined for other parts, of which one version is chosen as a whole. */
export function storyIn<Value>(versions: MergeVersions<Value>): MergeableText<Value> | undefined {
  const asValue = (doc: Doc) => doc as Value;
  return isDoc(versions.base)
    ? { docs: versions as MergeVersions<Doc & Value>, value: asValue, base: asValue }
    : undefined;
}
