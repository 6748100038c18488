import { useTranslation } from 'react-i18next';
import { SelectField } from '../../../ui/fields';
import { useWriting } from './context';
import { PartField } from './fields';
import { SidePanel } from './SidePanel';

const types = ['', 'person', 'association', 'company'] as const;

/** Who is legally responsible for the campaign, and their contact details. */
export function Contact() {
  const { t } = useTranslation();
  const { parts, set } = useWriting();
  return (
    <SidePanel title={t('editing.campaign.contact.title')} id="contact" reviewParts={['contact']}>
      <PartField
        part="contact_email"
        label={t('editing.campaign.part.contact_email')}
        type="email"
        maxLength={254}
      />
      <SelectField
        label={t('editing.campaign.contact.type')}
        value={parts.legal_creator_type}
        data={types.map((value) => ({ value, label: t(`editing.campaign.contact.${value || 'none'}`) }))}
        onChange={({ currentTarget }) =>
          set('legal_creator_type', types.find((type) => type === currentTarget.value) ?? '')
        }
      />
      <PartField
        part="legal_creator"
        label={t('editing.campaign.part.legal_creator')}
        help={t('editing.campaign.contact.legalHelp')}
        maxLength={200}
      />
      <PartField
        part="external_link_1"
        label={t('editing.campaign.part.external_link_1')}
        type="url"
        isOptional
      />
    </SidePanel>
  );
}
