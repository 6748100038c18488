import { Trans, useTranslation } from 'react-i18next';
import { type NameShown, type OwnPledge } from '../../../api/own';
import { Segments } from '../../../ui/Segments';
import type { PledgeActs } from './acts';
import classes from './MyPledgesPage.module.css';
import { Row } from './Row';
import { ShownStatus, useShown } from './useShown';

/** How others see the backer's name. A choice is saved at once. */
export function NameRow({ pledge, acts }: { pledge: OwnPledge; acts: PledgeActs }) {
  const { t } = useTranslation();
  const shown = useShown(acts);
  const { first_name: first, last_name: last } = pledge;
  const initial = `${first} ${String.fromCodePoint(last.codePointAt(0) ?? 32)}.`;
  const chosen = shown.saving?.name_shown ?? pledge.name_shown;

  return (
    <Row
      label={t('myPledges.name.label')}
      value={
        <>
          {chosen === 'anonymous' ? (
            t('myPledges.name.shownNot')
          ) : (
            <Trans
              t={t}
              i18nKey="myPledges.name.shown"
              values={{ name: chosen === 'initial' ? initial : `${first} ${last}` }}
              components={{ b: <b /> }}
            />
          )}
          <p className={classes.help}>{t('myPledges.name.creator')}</p>
        </>
      }
      action={
        <Segments<NameShown>
          label={t('myPledges.name.choose')}
          value={chosen}
          onChange={(name_shown) => void shown.save({ name_shown })}
          segments={[
            { value: 'full_name', label: t('myPledges.name.full_name') },
            { value: 'initial', label: initial },
            { value: 'anonymous', label: t('myPledges.name.anonymous') },
          ]}
          isSmall
        />
      }
    >
      <ShownStatus shown={shown} />
    </Row>
  );
}
