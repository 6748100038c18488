import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { Button } from '../Button';
import { EmptyState } from '../EmptyState';
import { usePageTitle } from '../usePageTitle';
import { StagePath } from './StagePath';

/** In the place of an experiment that is not there: an empty one, no stage reached. */
export function EmptyExperiment() {
  const { t } = useTranslation();
  const language = useLanguage();
  usePageTitle(t('experiments.emptyTitle'));
  return (
    <article className="tk-container tk-section">
      <h1 className="tk-form-title">{t('experiments.emptyTitle')}</h1>
      <div style={{ marginBlock: '2rem' }}>
        <StagePath stage={-1} />
      </div>
      <EmptyState
        action={
          <Button component={Link} to={paths.experiments(language)} variant="light">
            {t('experiments.all')}
          </Button>
        }
      >
        {t('experiments.emptyText')}
      </EmptyState>
    </article>
  );
}
