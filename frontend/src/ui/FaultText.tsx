import { useTranslation } from 'react-i18next';
import type { Fault } from '../domain/rules';

export interface FaultTextProps {
  fault: Fault;
}

/** A broken rule in words. Translated here, so that an open error changes language with the page. */
export function FaultText({ fault }: FaultTextProps) {
  const { t } = useTranslation();
  return <>{t(`rules.${fault.key}`, fault.params ?? {})}</>;
}
