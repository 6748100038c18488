import { useEffect, useRef, useState } from 'react';
import {
  useLazyCampaignAdminQuery,
  useLazyCampaignHistoryQuery,
  type CampaignAdmin,
  type Writer,
} from '../../../api/editing';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { languages, type Language } from '../../../domain/languages';
import { editorPage } from '../editorPage';
import { changerOf } from '../history/changerOf';
import { storyIn } from '../merge/storyIn';
import { isSame } from '../partNames';
import { useEntityEditor } from '../useEntityEditor';
import { partsOf, type CampaignParts, type PartName } from './parts';
import { sendPart } from './sendPart';
import { useHeld } from './useHeld';

/** The story in each language. */
export const storyParts = languages.map((language) => `${language}.json_description` as const);

/** The state of the campaign editor; what was typed over what staff had approved is held until its writer agrees. */
export function useCampaignEditor(first: CampaignAdmin, userId: number, firstWriters?: readonly Writer[]) {
  const campaignId = first.campaign_id;
  const dispatch = useAppDispatch();
  const state = useState(first);
  const [admin] = state;
  const [readAdmin] = useLazyCampaignAdminQuery();
  const [readHistory] = useLazyCampaignHistoryQuery();
  const { held, waiting, hold, release, reread } = useHeld(admin, userId);
  const editor = useEntityEditor<CampaignParts, CampaignAdmin>({
    name: `campaign-${campaignId}`,
    userId,
    state,
    firstWriters,
    partsOf,
    isSame,
    read: async (here) => {
      const { data } = await readAdmin({ campaignId, here });
      return data && { entity: data.campaign, writers: data.writers };
    },
    whoChanged: async (part) =>
      changerOf(await readHistory({ campaignId, limit: 20 }), userId, ({ fields }) =>
        fields.some(({ path }) => path === part),
      ),
    send: (part, value, ifMatch) => sendPart(dispatch, campaignId, part, value, ifMatch),
    texts: { parts: storyParts, in: storyIn },
    held,
    hold,
  });
  const { status, save, saver, refresh } = editor;

  /** Saves what was typed over what staff had approved, or shows that again. */
  const agree = (part: PartName, isKept: boolean) => {
    const value = held[part];
    release(part);
    if (isKept && value !== undefined) {
      save(part, value);
      void saver.flush();
    }
  };
  // The answer of a save has no checklist, and not what others have changed.
  const savedAt = status.is === 'saved' ? status.at : undefined;
  const readAfterSave = useRef<() => void>(undefined);
  useEffect(() => {
    readAfterSave.current = () => {
      void refresh();
      reread();
    };
  });
  useEffect(() => {
    if (savedAt !== undefined) readAfterSave.current?.();
  }, [savedAt]);
  return { ...editor, campaignId, admin, held, waiting, agree };
}

/** The state of the campaign editor, for all parts of its page. */
export interface EditorPage extends ReturnType<typeof useCampaignEditor> {
  /** The language in which texts are edited. */
  language: Language;
  setLanguage: (language: Language) => void;
}

export const { EditorContext, useEditor } = editorPage<EditorPage>();
