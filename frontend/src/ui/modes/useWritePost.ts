import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { isApiError } from '../../api/apiError';
import { editingEndpoints, useCreatePostMutation } from '../../api/editing';
import { useAppDispatch } from '../../api/useAppDispatch';
import { paths, type Named } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { useErrorText } from '../../i18n/errorText';
import { useNotify } from '../notify';

/**
 * Returns the function that opens the editor of a new update. If there is a draft already, it is opened instead, so
 * that pressing the button repeatedly leaves no empty drafts.
 */
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
    // The service lists drafts before published posts.
    const list = editingEndpoints.campaignPostPreviews.initiate(
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
