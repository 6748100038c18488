import { useCallback } from 'react';
import { isApiError } from '../../../api/apiError';
import type { Link, Tag } from '../../../api/content';
import { experimentEndpoints, type ExperimentAdmin } from '../../../api/experiments';
import { useAppDispatch } from '../../../api/useAppDispatch';
import type { Sent } from '../autosaver';
import { ofLanguage, outcomes, type ExperimentParts, type Giver, type PartName } from './parts';

/** Sends one part of an experiment by the call that changes it; onAnswer gets how the experiment is then. */
export function useSendPart(experimentId: number, onAnswer: (admin: ExperimentAdmin) => void) {
  const dispatch = useAppDispatch();
  return useCallback(
    async <Name extends PartName>(
      name: Name,
      value: ExperimentParts[Name],
      version: number,
    ): Promise<Sent> => {
      const base = { experimentId, 'If-Match': `"${version}"` };
      const settings = (experimentSettingsChange: object) =>
        dispatch(
          experimentEndpoints.changeExperimentSettings.initiate({ ...base, experimentSettingsChange }),
        );
      const funding = (experimentFundingChange: object) =>
        dispatch(experimentEndpoints.changeExperimentFunding.initiate({ ...base, experimentFundingChange }));
      const call = () => {
        const text = ofLanguage(name);
        if (text && outcomes.some((field) => field === text.field))
          return dispatch(
            experimentEndpoints.changeExperimentCustomLanguage.initiate({
              ...base,
              language: text.language,
              customLanguageChange: { [text.field]: { value: value as string } },
            }),
          );
        if (text)
          return dispatch(
            experimentEndpoints.changeExperimentLanguage.initiate({
              ...base,
              language: text.language,
              experimentTextsChange: { [text.field]: value },
            }),
          );
        switch (name) {
          case 'tags':
            return dispatch(
              experimentEndpoints.setExperimentTags.initiate({
                ...base,
                tagsChange: { tags: (value as Tag[]).map(({ id }) => id) },
              }),
            );
          case 'links':
            return dispatch(
              experimentEndpoints.setExperimentLinks.initiate({
                ...base,
                experimentLinksChange: { links: value as Link[] },
              }),
            );
          case 'organizations':
            // A row in which nothing is written yet is no organisation.
            return funding({
              sources: {
                organizations: {
                  list: (value as Giver[]).filter((giver) => giver.name.trim() || giver.raised),
                },
              },
            });
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
      };
      const { data, error } = await call();
      if (data) {
        onAnswer(data.experiment);
        return { version: data.experiment.version };
      }
      return { error: isApiError(error) ? error : { status: 'invalid_response', http: 0 } };
    },
    [dispatch, experimentId, onAnswer],
  );
}
