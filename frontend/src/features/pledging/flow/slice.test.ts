import { configureStore } from '@reduxjs/toolkit';
import { authFailed } from '../../../api/authEvents';
import { reducer } from '../../../api/reducer';
import { happened, opened, selectFlow } from './slice';

test('events of a submission whose page was left do not change the state of the page that is open now', () => {
  const store = configureStore({ reducer });
  const stateOf = (visit: string) => selectFlow(store.getState(), visit);
  store.dispatch(opened('first'));
  store.dispatch(happened({ visit: 'first', event: { type: 'payPressed' } }));
  expect(stateOf('first').name).toBe('checking');
  // The second page renders before its effect dispatches `opened`.
  expect(stateOf('second').name).toBe('idle');

  store.dispatch(opened('second'));
  store.dispatch(happened({ visit: 'first', event: { type: 'cardIncomplete' } }));
  store.dispatch(happened({ visit: 'first', event: { type: 'payPressed' } }));
  expect(stateOf('second').name).toBe('idle');
});

test.each([authFailed.signIn, authFailed.signUp])(
  'the event %p clears a pledge that waits for a sign-in, and no other',
  (failed) => {
    const store = configureStore({ reducer });
    const state = () => selectFlow(store.getState(), 'visit').name;
    const happens = (type: 'payPressed' | 'accountAsked' | 'pledgeAsked') =>
      store.dispatch(happened({ visit: 'visit', event: { type } }));
    const error = { status: 'sign_in_failed', http: 401 };
    store.dispatch(opened('visit'));
    happens('payPressed');
    happens('accountAsked');
    expect(state()).toBe('signingIn');
    store.dispatch(failed(error));
    expect(state()).toBe('invalid');
    happens('payPressed');
    happens('pledgeAsked');
    store.dispatch(failed(error));
    expect(state()).toBe('creating');
  },
);
