import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { subscriptionPayments, type Subscription } from '../../../api/subscriptionPayments';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { Button } from '../../../ui/Button';
import { useNotify } from '../../../ui/notify';
import { isOnItsWay } from '../../../ui/own/paying';
import { useHeadingAfter } from '../../../ui/useHeadingAfter';
import { ask, known, mapped } from '../flow/answer';
import { CardForAll } from './CardForAll';
import { CardForm } from './CardForm';
import { useCardRun } from './useCardRun';
import { useOtherSupport } from './useOtherSupport';

const calls = subscriptionPayments.endpoints;

export interface ChangeCardProps {
  subscription: Subscription;
  onClose: () => void;
}

/** The form for another card, which charges nothing itself. */
export function ChangeCard({ subscription, onClose }: ChangeCardProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const notify = useNotify();
  const [isForAll, setForAll] = useState(true);
  const { others, isKnown } = useOtherSupport(subscription);
  const cardRun = useCardRun();
  const { id: subscriptionId, currency } = subscription;
  const form = useRef<HTMLDivElement>(null);
  useHeadingAfter(form);

  const save = () => {
    let setupIntent = '';
    return cardRun.run({
      setUp: async () => {
        const answer = await ask(dispatch(calls.setupSubscriptionCard.initiate({ subscriptionId })));
        return mapped(answer, ({ stripe: { setup_intent: intent } }) => {
          setupIntent = intent.id;
          return { clientSecret: intent.client_secret };
        });
      },
      back: paths.subscription(language, subscriptionId),
      // After a lost answer the server, which asks the provider, knows whether the card was saved.
      finish: async (_, lostSetUp) => {
        // Without a set-up there was nothing that could have been saved.
        if (lostSetUp) return { kind: 'refused', error: known(lostSetUp) };
        const { error, lost } = await ask(
          dispatch(
            calls.changeSubscriptionCard.initiate({
              subscriptionId,
              cardChange: { setup_intent: setupIntent, also: isForAll ? others : [] },
            }),
          ),
        );
        if (lost) return { kind: 'unknown' };
        if (error) return { kind: 'refused', error };
        notify({
          tone: 'success',
          title: t('subscription.card.saved'),
          isAboutMoney: true,
          topic: 'subscription',
        });
        onClose();
        return { kind: 'done' };
      },
    });
  };

  return (
    <div ref={form}>
      <CardForm
        run={cardRun}
        cents={subscription.level.amount_minor}
        currency={currency}
        purpose="card"
        submitLabel={t('subscription.card.save')}
        onSubmit={save}
        hasOptions={isKnown}
        options={others.length > 0 && <CardForAll isChecked={isForAll} onChange={setForAll} />}
        others={
          <Button variant="transparent" onClick={onClose}>
            {t('subscription.card.cancel')}
          </Button>
        }
        note={t(isOnItsWay(subscription) ? 'subscription.card.fromNext' : 'subscription.card.text')}
      />
    </div>
  );
}
