import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import {
  useChangePostMutation,
  useDeletePostMutation,
  useSendTestLetterMutation,
} from '../../../api/editing';
import { useAppDispatch } from '../../../api/useAppDispatch';
import type { Language } from '../../../domain/languages';
import { paths, type Named } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { useNotify } from '../../../ui/notify';
import { askToSignIn } from '../../../ui/signInPrompt';
import type { PostEditing } from './usePostEditor';

/** The actions on a whole post: publish, unpublish, delete, send a test email. All but delete save first. */
export function usePostActs({ post, saver, act }: PostEditing, campaign: Named) {
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

  const fail = (error: unknown) => {
    if (!isApiError(error)) return;
    if (error.http === 401) dispatch(askToSignIn());
    setFailure(errorText(error, 'PostEditor'));
  };
  // Set from the press on: while the text is being saved, a second press would send a second request.
  const acting = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const once = async (run: () => Promise<void>) => {
    if (acting.current) return;
    acting.current = true;
    setBusy(true);
    await run();
    acting.current = false;
    setBusy(false);
  };
  const save = async () => {
    setFailure(undefined);
    const isSaved = await saver.flush();
    if (!isSaved) setFailure(t('editing.post.notSaved'));
    return isSaved;
  };

  return {
    /** Why the last action failed, in words. */
    failure,
    /** An action is running; no other begins meanwhile. */
    isBusy,
    /** Saves what is typed. Resolves to whether everything is saved. */
    save,
    setStatus: (status: 'draft' | 'published') =>
      once(async () => {
        if (!(await save())) return;
        const error = await act((ifMatch) =>
          changePost({ campaignId, postId, 'If-Match': ifMatch, postChange: { status } }),
        );
        if (!error)
          notify({
            tone: 'success',
            title: t(status === 'published' ? 'editing.post.published' : 'editing.post.unpublished'),
            topic: 'post-status',
          });
        else fail(error);
      }),
    remove: () =>
      once(async () => {
        setFailure(undefined);
        const { error } = await saver.runExclusive(() =>
          deletePost({ campaignId, postId, 'If-Match': `"${saver.version}"` }),
        );
        if (error) {
          fail(error);
          return;
        }
        saver.discard();
        notify({ tone: 'success', title: t('editing.post.deleted') });
        await navigate(paths.campaign(language, campaign));
      }),
    sendTest: (of: Language) =>
      once(async () => {
        if (!(await save())) return;
        const { error } = await sendTest({ campaignId, postId, language: of });
        if (error) fail(error);
        else notify({ tone: 'success', title: t('editing.post.testSent') });
      }),
  };
}
