import { screen } from '@testing-library/react';
import { renderPart } from '../../../test/part';
import { AxisDays } from './AxisDays';

/** Gives the labels with these texts a position: left and right edge in pixels. */
function layOut(places: Readonly<Record<string, readonly [number, number]>>) {
  jest.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const [from, to] = places[this.textContent] ?? [0, 0];
    return new DOMRect(from, 0, to - from, 16);
  });
}
afterEach(() => jest.restoreAllMocks());

/** The text key, shown in place of the text because this test loads no catalogue for it. */
const todayName = 'overview.today';

const isHidden = (name: string) => screen.getByText(name).hasAttribute('data-near');

test.each<[string, [number, number], boolean, boolean]>([
  ['in the middle', [200, 248], false, false],
  ['near the first day', [40, 88], true, false],
  ['a few pixels after the first day', [50, 98], true, false],
  ['near the last day', [640, 688], false, true],
])('with today %s, a label at an end that would touch it is hidden', async (_, today, first, last) => {
  layOut({ '20.11.': [0, 45], '19.12.': [680, 720], [todayName]: today });
  await renderPart(<AxisDays first="20.11." last="19.12." todayAt={0.3} />);
  expect([isHidden('20.11.'), isHidden('19.12.'), isHidden(todayName)]).toEqual([first, last, false]);
});

test('without today, the labels at both ends are shown', async () => {
  layOut({ '20.11.': [0, 45], '19.12.': [680, 720] });
  await renderPart(<AxisDays first="20.11." last="19.12." />);
  expect([isHidden('20.11.'), isHidden('19.12.')]).toEqual([false, false]);
});
