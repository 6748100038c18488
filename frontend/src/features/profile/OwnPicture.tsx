import { useTranslation } from 'react-i18next';
import { isApiError } from '../../api/apiError';
import { useChangeProfileImageMutation, type Profile } from '../../api/people';
import { useErrorText } from '../../i18n/errorText';
import { ImageUpload } from '../../ui/images/ImageUpload';
import { useNotify } from '../../ui/notify';
import { Picture } from '../../ui/Picture';

/** One's picture. It is saved at once: uploaded, put in place, and the profile is read anew. */
export function OwnPicture({ profile }: { profile: Profile }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const errorText = useErrorText();
  const [change] = useChangeProfileImageMutation();
  const { filename } = profile.image_collection.profile;
  // Without a picture of one's own the server draws one by this name.
  const isDrawn = filename.startsWith('avatar-');

  const put = async (name: string) => {
    notify({ tone: 'info', title: t('people.me.pictureSaving'), topic: 'picture' });
    const { error } = await change({
      profileImageChange: { image_collection: { profile: { filename: name } } },
    });
    if (isApiError(error)) notify({ tone: 'error', title: errorText(error, 'OwnPicture'), topic: 'picture' });
    else notify({ tone: 'success', title: t('people.me.pictureSaved'), topic: 'picture' });
  };

  return (
    <ImageUpload
      of="me"
      ratio={1}
      minWidth={200}
      isSmall
      help={t('people.me.pictureHelp')}
      onStored={({ name }) => void put(name)}
      onRemove={isDrawn ? undefined : () => void put('')}
    >
      <Picture
        name={filename}
        alt={t('people.me.picture')}
        ratio={1}
        widths={[96, 192]}
        sizes="6rem"
        shape="round"
        isFirst
      />
    </ImageUpload>
  );
}
