import { useTranslation } from 'react-i18next';
import { isApiError } from '../../api/apiError';
import { useChangeSettingsMutation, type Profile, type SettingsChange } from '../../api/people';
import { languages, type Language } from '../../domain/languages';
import { useErrorText } from '../../i18n/errorText';
import { SelectBox } from '../../ui/SelectBox';
import { LockIcon } from '../../ui/icons';
import { useNotify } from '../../ui/notify';
import { SwitchField } from '../../ui/SwitchField';
import classes from './MailSettings.module.css';

/** A language's name is written in itself. */
const names: Readonly<Record<Language, string>> = { fi: 'Suomi', en: 'English', sv: 'Svenska' };

/** Which mail one gets, its language, and what the public page says. Each is saved as it is changed. */
export function MailSettings({ profile }: { profile: Profile }) {
  const { t } = useTranslation();
  const notify = useNotify();
  const errorText = useErrorText();
  const [change, { originalArgs, isLoading }] = useChangeSettingsMutation();
  // While a change is on its way the switch is where it was put; a refused one goes back.
  const wanted = isLoading ? originalArgs?.settingsChange : undefined;
  const { settings } = profile;

  const save = async (settingsChange: SettingsChange) => {
    const { error } = await change({ settingsChange });
    if (isApiError(error))
      notify({ tone: 'error', title: errorText(error, 'MailSettings'), topic: 'settings' });
    else notify({ tone: 'success', title: t('people.me.settingsSaved'), topic: 'settings' });
  };

  return (
    <section aria-labelledby="mail" className={classes.root}>
      <h2 id="mail">{t('people.me.mailTitle')}</h2>
      <p className={classes.lead}>{t('people.me.mailLead')}</p>
      <ul className={classes.rows}>
        <li className={classes.always}>
          <span>
            <span className={classes.name}>{t('people.me.moneyMail')}</span>
            <span className={classes.help}>{t('people.me.moneyMailHelp')}</span>
          </span>
          <span className={classes.lock}>
            <LockIcon size={16} /> {t('people.me.always')}
          </span>
        </li>
        <li>
          <SwitchField
            label={t('people.me.letters')}
            help={t('people.me.lettersHelp')}
            isOn={wanted?.mail?.letters ?? settings.mail.letters}
            onChange={(letters) => void save({ mail: { letters } })}
          />
        </li>
        <li>
          <SwitchField
            label={t('people.me.showBacked')}
            help={t('people.me.showBackedHelp')}
            isOn={wanted?.show_backed ?? settings.show_backed}
            onChange={(show_backed) => void save({ show_backed })}
          />
        </li>
        <li>
          <SelectBox<Language>
            label={t('people.me.language')}
            value={languages.find((one) => one === (wanted?.language ?? settings.language)) ?? 'fi'}
            choices={languages.map((value) => ({ value, label: names[value] }))}
            onChange={(language) => language && void save({ language })}
          />
        </li>
      </ul>
      <p className={classes.help}>{t('people.me.atOnce')}</p>
    </section>
  );
}
