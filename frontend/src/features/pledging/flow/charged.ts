import { findFinal, eventOf, type Doubt } from './lookUp';
import type { FlowEvent } from './machine';
import type { Ports } from './ports';

/** What is known of a payment that a call makes: the call's answer, or the event of what the services say meanwhile. */
type Charged<Answer> = { answer: Answer; event?: undefined } | { answer?: undefined; event: FlowEvent };

/**
 * Waits for the call that charges. It may hang although the payment was made long ago, so the services are asked beside
 * it. What they know for good ends the wait, and what the call answers later changes nothing. `isFirst`: no try of this
 * payment was refused before. Of any other an open payment may still tell of that one.
 */
export async function charged<Answer>(
  call: Promise<Answer>,
  doubt: Extract<Doubt, { about: 'payment' }>,
  ports: Ports,
  isFirst = false,
): Promise<Charged<Answer>> {
  let isOpen = true;
  let stop: () => void = () => undefined;
  const known = new Promise<Charged<Answer>>((resolve) => {
    stop = ports.besides(async () => {
      const found = await findFinal(doubt.pledgeId, ports, isFirst);
      if (found && isOpen) resolve({ event: eventOf(doubt, found, ports) });
    });
  });
  try {
    return await Promise.race([call.then((answer): Charged<Answer> => ({ answer })), known]);
  } finally {
    isOpen = false;
    stop();
  }
}
