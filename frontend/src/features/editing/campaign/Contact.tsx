import { useTranslation } from 'react-i18next';
import { SelectField } from '../../../ui/fields';
import { Conflict } from './Conflict';
import { AskHeld, Fixed } from './Approved';
import approved from './Approved.module.css';
import { useEditor } from './useCampaignEditor';
import { ApiErrorText } from './FieldErrorText';
import { PartField } from './fields';
import { kindOf } from './parts';
import { SidePanel } from './SidePanel';

const types = ['', 'person', 'association', 'company'] as const;

/** Who is legally responsible for the campaign, and their contact details. */
export function Contact() {
  const { t } = useTranslation();
  const { admin, parts, refused, set } = useEditor();
  const isFixed = kindOf(admin, 'legal_creator_type') === 'fixed';
  return (
    <SidePanel
      title={t('editing.campaign.contact.title')}
      id="contact"
      reviewParts={['contact', 'legal_creator']}
    >
      <Conflict place="contact" />
      <PartField
        part="contact_email"
        label={t('editing.campaign.part.contact_email')}
        type="email"
        maxLength={254}
      />
      {isFixed ? (
        <Fixed label={t('editing.campaign.contact.type')}>
          {t(`editing.campaign.contact.${parts.legal_creator_type || 'none'}`)}
        </Fixed>
      ) : (
        <div>
          <SelectField
            label={t('editing.campaign.contact.type')}
            value={parts.legal_creator_type}
            error={refused.legal_creator_type && <ApiErrorText error={refused.legal_creator_type} />}
            data={types.map((value) => ({ value, label: t(`editing.campaign.contact.${value || 'none'}`) }))}
            onChange={({ currentTarget }) =>
              set('legal_creator_type', types.find((type) => type === currentTarget.value) ?? '')
            }
          />
          <AskHeld parts={['legal_creator_type']} />
        </div>
      )}
      <PartField
        part="legal_creator"
        label={t('editing.campaign.part.legal_creator')}
        help={t('editing.campaign.contact.legalHelp')}
        maxLength={200}
      />
      {isFixed && <p className={approved.why}>{t('editing.campaign.approved.fixed')}</p>}
      <PartField
        part="external_link_1"
        label={t('editing.campaign.part.external_link_1')}
        type="url"
        isOptional
      />
    </SidePanel>
  );
}
