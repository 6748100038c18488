import { useTranslation } from 'react-i18next';
import type { FieldError } from '../api/apiError';
import type { Fault, RuleKey } from '../domain/rules';

export interface FaultTextProps {
  fault: Fault;
}

/** A broken rule in words. Translated here, so that an open error changes language with the page. */
export function FaultText({ fault }: FaultTextProps) {
  const { t } = useTranslation();
  return <>{t(`rules.${fault.key}`, fault.params ?? {})}</>;
}

export interface ServerFaultTextProps {
  fault: FieldError;
}

/** The server's fault in our words, so that it changes language with the page too; in its own where we have none. */
export function ServerFaultText({ fault: { rule, params = {}, message } }: ServerFaultTextProps) {
  const { t, i18n } = useTranslation();
  const key = `rules.${rule.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
  const text: unknown = i18n.getResource(i18n.language, 'translation', key);
  const isOurs =
    typeof text === 'string' && [...text.matchAll(/{{(\w+)/g)].every(([, name = '']) => name in params);
  return <>{isOurs ? t(key as `rules.${RuleKey}`, params) : message}</>;
}
