import type { Link, Tag } from '../../../api/content';
import { experimentEndpoints } from '../../../api/experiments';
import type { useAppDispatch } from '../../../api/useAppDispatch';
import { ofLanguage } from '../partNames';
import type { Answer } from '../useEntityEditor';
import { outcomes, type ExperimentParts, type Giver, type PartName } from './parts';

/** Saves one part of an experiment, by the endpoint that has it. */
export function sendPart<Name extends PartName>(
  dispatch: ReturnType<typeof useAppDispatch>,
  experimentId: number,
  name: Name,
  value: ExperimentParts[Name],
  ifMatch: string,
): Promise<Answer> {
  const base = { experimentId, 'If-Match': ifMatch };
  const {
    changeExperimentCustomLanguage,
    changeExperimentFunding,
    changeExperimentLanguage,
    changeExperimentSettings,
    setExperimentLinks,
    setExperimentTags,
  } = experimentEndpoints;
  const settings = (experimentSettingsChange: object) =>
    dispatch(changeExperimentSettings.initiate({ ...base, experimentSettingsChange }));
  const funding = (experimentFundingChange: object) =>
    dispatch(changeExperimentFunding.initiate({ ...base, experimentFundingChange }));
  const text = ofLanguage(name);
  if (text && outcomes.some((field) => field === text.field)) {
    const customLanguageChange = { [text.field]: { value: value as string } };
    return dispatch(
      changeExperimentCustomLanguage.initiate({ ...base, language: text.language, customLanguageChange }),
    );
  }
  if (text) {
    const experimentTextsChange = { [text.field]: value };
    return dispatch(
      changeExperimentLanguage.initiate({ ...base, language: text.language, experimentTextsChange }),
    );
  }
  switch (name) {
    case 'tags': {
      const tagsChange = { tags: (value as Tag[]).map(({ id }) => id) };
      return dispatch(setExperimentTags.initiate({ ...base, tagsChange }));
    }
    case 'links': {
      const experimentLinksChange = { links: value as Link[] };
      return dispatch(setExperimentLinks.initiate({ ...base, experimentLinksChange }));
    }
    case 'organizations': {
      // A row in which nothing is written yet is no organisation.
      const list = (value as Giver[]).filter((giver) => giver.name.trim() || giver.raised);
      return funding({ sources: { organizations: { list } } });
    }
    case 'state':
      return funding({ sources: { state: { raised: value } } });
    case 'goal':
    case 'currency':
      return funding({ [name]: value });
    case 'index':
    case 'front_page':
      return settings({ show_in: { [name]: value } });
    case 'location':
      return settings({ geographic_location: value });
    default:
      return settings({ [name]: value });
  }
}
