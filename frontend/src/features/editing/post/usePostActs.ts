import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import {
  useChangePostMutation,
  useDeletePostMutation,
  useSendTestLetterMutation,
  type PostAdmin,
} from '../../../api/editing';
import { useAppDispatch } from '../../../api/useAppDispatch';
import type { Language } from '../../../domain/languages';
import { paths, type Named } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { useNotify } from '../../../ui/notify';
import { askToSignIn } from '../../../ui/signInPrompt';
import type { Autosaver } from '../autosaver';
import type { PostParts } from './parts';

export interface PostActsOptions {
  post: PostAdmin;
  saver: Autosaver<PostParts>;
  campaign: Named;
  /** Gets the post as a call has left it. */
  onChanged: (post: PostAdmin) => void;
}

/** What is done to a whole post: publish, take back, delete, try its letter. Each saves first what is typed. */
export function usePostActs({ post, saver, campaign, onChanged }: PostActsOptions) {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const notify = useNotify();
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const [changePost] = useChangePostMutation();
  const [deletePost, deleting] = useDeletePostMutation();
  const [sendTest, sending] = useSendTestLetterMutation();
  const [failure, setFailure] = useState<string>();
  const { id: postId, campaign_id: campaignId } = post;
  const version = () => `"${saver.version}"`;

  const fail = (error: unknown) => {
    if (!isApiError(error)) return;
    if (error.http === 401) dispatch(askToSignIn());
    setFailure(errorText(error, 'PostEditor'));
  };
  // From the press on: what is typed is saved before the call, and a second press meanwhile would send a second one.
  const acting = useRef(false);
  const [isActing, setActing] = useState(false);
  const begin = async () => {
    setFailure(undefined);
    return saver.flush();
  };
  const changeStatus = async (status: 'draft' | 'published') => {
    if (!(await begin())) return;
    const { data, error } = await saver.alone(async () => {
      const result = await changePost({ campaignId, postId, 'If-Match': version(), postChange: { status } });
      if (result.data) onChanged(result.data.post);
      return result;
    });
    if (!data) {
      fail(error);
      return;
    }
    notify({
      tone: 'success',
      title: t(status === 'published' ? 'editing.post.published' : 'editing.post.unpublished'),
    });
  };

  return {
    /** Why the last one did not work, in words. */
    failure,
    isBusy: isActing || deleting.isLoading,
    isSending: sending.isLoading,
    /** Sends what is typed; whether the server has it all. */
    save: begin,
    setStatus: async (status: 'draft' | 'published') => {
      if (acting.current) return;
      acting.current = true;
      setActing(true);
      await changeStatus(status);
      acting.current = false;
      setActing(false);
    },
    remove: async () => {
      setFailure(undefined);
      const { error } = await deletePost({ campaignId, postId, 'If-Match': version() });
      if (error) {
        fail(error);
        return;
      }
      saver.drop();
      notify({ tone: 'success', title: t('editing.post.deleted') });
      await navigate(paths.campaign(language, campaign));
    },
    sendTest: async (of: Language) => {
      if (!(await begin())) return;
      const { error } = await sendTest({ campaignId, postId, language: of });
      if (error) fail(error);
      else notify({ tone: 'success', title: t('editing.post.testSent') });
    },
  };
}
