import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { isApiError } from '../../api/apiError';
import { content } from '../../api/content';
import { useCreatePostMutation } from '../../api/editing';
import { useAppDispatch } from '../../api/useAppDispatch';
import { paths, type Named } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { useErrorText } from '../../i18n/errorText';
import { useNotify } from '../notify';

/** Opens the draft of an update, or a new one where there is none, so that pressing again leaves no empty drafts. */
export function useWritePost(campaign: Named) {
  const language = useLanguage();
  const errorText = useErrorText();
  const notify = useNotify();
  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  const [create] = useCreatePostMutation();
  const [isBusy, setBusy] = useState(false);
  const campaignId = campaign.id;

  const draft = async (): Promise<{ id?: number; error?: unknown }> => {
    // Drafts come before what is published.
    const list = content.endpoints.campaignPostPreviews.initiate(
      { campaignId, language, limit: 1 },
      { subscribe: false, forceRefetch: true },
    );
    const { data, error } = await dispatch(list);
    if (!data) return { error };
    const [first] = data.previews;
    if (first?.status === 'draft') return { id: first.id };
    const created = await create({ campaignId, newPost: {} });
    return { id: created.data?.post.id, error: created.error };
  };
  const open = async () => {
    if (isBusy) return;
    setBusy(true);
    const { id, error } = await draft();
    setBusy(false);
    if (id !== undefined) void navigate(paths.editPost(language, campaign, id));
    else if (isApiError(error)) notify({ tone: 'error', title: errorText(error, 'useWritePost') });
  };
  return { write: () => void open(), isBusy };
}
