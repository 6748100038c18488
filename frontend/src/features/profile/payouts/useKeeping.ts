import { useEffect, useState } from 'react';
import { content } from '../../../api/content';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useLanguage } from '../../../i18n';

/** Those of the campaigns whose creator keeps what is raised also without the goal: a preview does not say it. */
export function useKeeping(campaignIds: readonly number[]): readonly number[] {
  const dispatch = useAppDispatch();
  const language = useLanguage();
  const [keeping, setKeeping] = useState<readonly number[]>([]);
  const ids = campaignIds.join();
  useEffect(() => {
    let isLeft = false;
    const ask = async (campaignId: number) => {
      const call = content.endpoints.campaign.initiate({ campaignId, language }, { subscribe: false });
      const { data } = await dispatch(call);
      return data?.campaign.funding_rule === 'keep_what_is_raised' ? [campaignId] : [];
    };
    const asked = ids === '' ? [] : ids.split(',').map(Number);
    void Promise.all(asked.map(ask)).then((found) => {
      if (!isLeft) setKeeping(found.flat());
    });
    return () => {
      isLeft = true;
    };
  }, [ids, dispatch, language]);
  return keeping;
}
