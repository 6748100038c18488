import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { isApiError } from '../../api/apiError';
import { editingEndpoints, useCreatePostMutation, type PostPreview } from '../../api/editing';
import { useAppDispatch } from '../../api/useAppDispatch';
import { paths, type Named } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { useErrorText } from '../../i18n/errorText';
import { useNotify } from '../notify';

/** Among how many of the newest drafts an empty one is looked for. */
const limit = 20;

/**
 * Returns the function that opens the editor of a new update. An empty draft that was never published is opened instead
 * of another one, so that pressing the button repeatedly leaves one. No other draft is: it is somebody's text, and one
 * that was published has had its letters, so that whoever wrote over it would reach nobody.
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
      { campaignId, language, limit },
      { subscribe: false, forceRefetch: true },
    );
    const { data, error } = await dispatch(list);
    if (!data) return { error };
    const empty = data.previews.find(isUntouched);
    if (empty) return { id: empty.id };
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

function isUntouched({ status, published_at, is_empty }: PostPreview): boolean {
  return status === 'draft' && !published_at && is_empty === true;
}
