import { configureStore } from '@reduxjs/toolkit';
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
