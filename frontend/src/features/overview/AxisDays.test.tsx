import { screen } from '@testing-library/react';
import { renderPart } from '../../../test/part';
import { AxisDays } from './AxisDays';

/** Lays names out at these places, from and to in pixels. */
function layOut(places: Readonly<Record<string, readonly [number, number]>>) {
  jest.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const [from, to] = places[this.textContent] ?? [0, 0];
    return new DOMRect(from, 0, to - from, 16);
  });
}
afterEach(() => jest.restoreAllMocks());

/** The key of its text, which comes with the page. */
const todayName = 'overview.today';

const gaveWay = (name: string) => screen.getByText(name).hasAttribute('data-near');

test.each<[string, [number, number], boolean, boolean]>([
  ['in the middle', [200, 248], false, false],
  ['near the first day', [40, 88], true, false],
  ['a few pixels after the first day', [50, 98], true, false],
  ['near the last day', [640, 688], false, true],
])('today %s: the day that touches it gives way, today never', async (_, today, first, last) => {
  layOut({ '20.11.': [0, 45], '19.12.': [680, 720], [todayName]: today });
  await renderPart(<AxisDays first="20.11." last="19.12." todayAt={0.3} />);
  expect([gaveWay('20.11.'), gaveWay('19.12.'), gaveWay(todayName)]).toEqual([first, last, false]);
});

test('without today both ends stand', async () => {
  layOut({ '20.11.': [0, 45], '19.12.': [680, 720] });
  await renderPart(<AxisDays first="20.11." last="19.12." />);
  expect([gaveWay('20.11.'), gaveWay('19.12.')]).toEqual([false, false]);
});
