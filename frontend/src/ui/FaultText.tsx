import { useTranslation } from 'react-i18next';
import type { FieldError } from '../api/apiError';
import type { Fault, RuleKey } from '../domain/rules';

export interface FaultTextProps {
  fault: Fault;
}

/**
 * The text of a validation error. Translated when rendered, so that an error on screen follows a change of language.
 */
export function FaultText({ fault }: FaultTextProps) {
  const { t } = useTranslation();
  return <>{t(`rules.${fault.key}`, fault.params ?? {})}</>;
}

export interface ServerFaultTextProps {
  fault: FieldError;
}

/**
 * The text of a validation error that the server found: the app's own text for the rule, so that it follows a change of
 * language; the server's message if the app has no text for the rule.
 */
export function ServerFaultText({ fault: { rule, params = {}, message } }: ServerFaultTextProps) {
  const { t, i18n } = useTranslation();
  const key = `rules.${rule.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
  const text: unknown = i18n.getResource(i18n.language, 'translation', key);
  const hasOwnText =
    typeof text === 'string' && [...text.matchAll(/{{(\w+)/g)].every(([, name = '']) => name in params);
  return <>{hasOwnText ? t(key as `rules.${RuleKey}`, params) : message}</>;
}
