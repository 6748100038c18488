import { useState } from 'react';
import {
  useLazyExperimentAdminQuery,
  useLazyExperimentHistoryQuery,
  type ExperimentAdmin,
  type Writer,
} from '../../../api/experiments';
import { useAppDispatch } from '../../../api/useAppDispatch';
import type { Language } from '../../../domain/languages';
import { useLanguage } from '../../../i18n';
import { editorPage } from '../editorPage';
import { changerOf } from '../history/changerOf';
import { isSame } from '../partNames';
import { useEntityEditor } from '../useEntityEditor';
import { partOfPath } from './historyParts';
import { partsOf, type ExperimentParts } from './parts';
import { sendPart } from './sendPart';

/** The state of the experiment editor. Its texts are not merged: one version is chosen. */
export function useExperimentEditor(
  first: ExperimentAdmin,
  userId: number,
  firstWriters?: readonly Writer[],
) {
  const experimentId = first.experiment_id;
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const state = useState(first);
  const [readAdmin] = useLazyExperimentAdminQuery();
  const [readHistory] = useLazyExperimentHistoryQuery();
  const editor = useEntityEditor<ExperimentParts, ExperimentAdmin>({
    name: `experiment-${experimentId}`,
    userId,
    state,
    firstWriters,
    partsOf,
    isSame,
    read: async (here) => {
      const { data } = await readAdmin({ experimentId, language, here });
      return data && { entity: data.experiment, writers: data.writers };
    },
    whoChanged: async (part) =>
      changerOf(await readHistory({ experimentId, limit: 20 }), userId, ({ fields }) =>
        fields.some(({ path }) => partOfPath(path) === part),
      ),
    send: (part, value, ifMatch) => sendPart(dispatch, experimentId, part, value, ifMatch),
    entityIn: (data) => (data as { experiment?: ExperimentAdmin } | undefined)?.experiment,
  });
  return { ...editor, experimentId, admin: state[0] };
}

/** The state of the experiment editor, for all parts of its page. */
export interface EditorPage extends ReturnType<typeof useExperimentEditor> {
  /** The language in which texts are edited. */
  language: Language;
  setLanguage: (language: Language) => void;
  /** The person is staff: they choose the front page and may set any stage. */
  isStaff: boolean;
  isAdmin: boolean;
}

export const { EditorContext, useEditor } = editorPage<EditorPage>();
