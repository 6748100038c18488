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

type Act = 'status' | 'remove' | 'test';

/** What is done to a whole post: publish, take back, delete, try its letter. Each saves first what is typed. */
export function usePostActs({ post, saver, campaign, onChanged }: PostActsOptions) {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const notify = useNotify();
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const [changePost] = useChangePostMutation();
  const [deletePost] = useDeletePostMutation();
  const [sendTest] = useSendTestLetterMutation();
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
  const [acted, setActed] = useState<Act>();
  const once = async (name: Act, act: () => Promise<void>) => {
    if (acting.current) return;
    acting.current = true;
    setActed(name);
    await act();
    acting.current = false;
    setActed(undefined);
  };
  const save = async () => {
    setFailure(undefined);
    const isSaved = await saver.flush();
    if (!isSaved) setFailure(t('editing.post.notSaved'));
    return isSaved;
  };

  return {
    /** Why the last one did not work, in words. */
    failure,
    /** What is being done. */
    acted,
    /** Sends what is typed; whether the server has it all. */
    save,
    setStatus: (status: 'draft' | 'published') =>
      once('status', async () => {
        if (!(await save())) return;
        const { data, error } = await saver.alone(async () => {
          const result = await changePost({
            campaignId,
            postId,
            'If-Match': version(),
            postChange: { status },
          });
          if (result.data) onChanged(result.data.post);
          return result;
        });
        if (data)
          notify({
            tone: 'success',
            title: t(status === 'published' ? 'editing.post.published' : 'editing.post.unpublished'),
            topic: 'post-status',
          });
        else fail(error);
      }),
    remove: () =>
      once('remove', async () => {
        setFailure(undefined);
        const { error } = await saver.alone(() => deletePost({ campaignId, postId, 'If-Match': version() }));
        if (error) {
          fail(error);
          return;
        }
        saver.drop();
        notify({ tone: 'success', title: t('editing.post.deleted') });
        await navigate(paths.campaign(language, campaign));
      }),
    sendTest: (of: Language) =>
      once('test', async () => {
        if (!(await save())) return;
        const { error } = await sendTest({ campaignId, postId, language: of });
        if (error) fail(error);
        else notify({ tone: 'success', title: t('editing.post.testSent') });
      }),
  };
}
