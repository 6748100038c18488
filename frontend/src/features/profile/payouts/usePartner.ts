import {
  useLinkStripeAccountMutation,
  useVerifyCreatorAccountMutation,
  type Payee,
} from '../../../api/payees';
import { useLanguage } from '../../../i18n';
import { onboardingAddresses, returnAddress } from './payoutsAddress';

/** Asks for the partner's page on which what is missing of an account is done; without an address there is nothing to do. */
export function usePartner({ provider, account_id: id }: Pick<Payee, 'provider' | 'account_id'>) {
  const language = useLanguage();
  const [link, linking] = useLinkStripeAccountMutation();
  const [verify, verifying] = useVerifyCreatorAccountMutation();
  const isA = provider === 'stripe';
  const ask = async () => {
    if (isA) {
      const { data, error } = await link({
        id,
        stripeLinking: { account: onboardingAddresses(language) },
      });
      return { isAnswered: data !== undefined, address: data?.stripeAccountLink.url, error };
    }
    const { data, error } = await verify({ creatorVerification: { returnUrl: returnAddress(language) } });
    return { isAnswered: data !== undefined, address: data?.redirectUrl, error };
  };
  const { error, isLoading } = isA ? linking : verifying;
  return { ask, error, isLoading };
}
