import { useTranslation } from 'react-i18next';
import { languages, type Language } from '../../../domain/languages';
import { SelectField } from '../../../ui/fields';
import { SwitchField } from '../../../ui/SwitchField';
import { FieldErrorText } from '../campaign/FieldErrorText';
import { SidePanel } from '../campaign/SidePanel';
import { languageNames } from '../languageNames';
import { useEditor } from './useExperimentEditor';

/** Which lists show it, and its own language. */
export function ShowIn() {
  const { t } = useTranslation();
  const { parts, set, refused, isStaff } = useEditor();
  return (
    <SidePanel title={t('experimentEdit.showIn.title')} id="show-in">
      {isStaff && (
        <SwitchField
          label={t('experimentEdit.showIn.front_page')}
          help={t('experimentEdit.showIn.frontHelp')}
          isOn={parts.front_page}
          onChange={(isOn) => set('front_page', isOn)}
        />
      )}
      <SwitchField
        label={t('experimentEdit.showIn.index')}
        help={t('experimentEdit.showIn.indexHelp')}
        isOn={parts.index}
        onChange={(isOn) => set('index', isOn)}
      />
      <FieldErrorText error={refused.index ?? refused.front_page} />
      <SelectField
        label={t('experimentEdit.language.title')}
        help={t('experimentEdit.language.help')}
        value={parts.language}
        data={languages.map((value) => ({ value, label: languageNames[value] }))}
        onChange={({ currentTarget }) => set('language', currentTarget.value as Language)}
      />
      <FieldErrorText error={refused.language} />
    </SidePanel>
  );
}
