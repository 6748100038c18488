import { cropOf, isWhole, maxZoom, settled, wholeView } from './crop';

const landscape = { width: 3000, height: 2000 };

test.each([
  ['wider than the picture', 2.5, { left: 0, top: 400, width: 3000, height: 1200 }],
  ['narrower than the picture', 1, { left: 500, top: 0, width: 2000, height: 2000 }],
])('the first crop is the largest one in the middle: %s', (_, ratio, crop) => {
  expect(cropOf(landscape, ratio, wholeView)).toEqual(crop);
});

test('a crop never reaches over the edge', () => {
  expect(cropOf(landscape, 1, { x: 0, y: 9, zoom: 2 })).toEqual({
    left: 0,
    top: 1000,
    width: 1000,
    height: 1000,
  });
});

test('pushing over the edge does not have to be pushed back', () => {
  expect(settled(landscape, 1, { x: -3, y: 0.5, zoom: 2 }).x).toBeCloseTo(1 / 6);
});

test('one may look closer until the crop would be too small, and four times at most', () => {
  expect(maxZoom(landscape, 2.5, 1200)).toBe(2.5);
  expect(maxZoom(landscape, 2.5, 100)).toBe(4);
  expect(maxZoom({ width: 1200, height: 480 }, 2.5, 1200)).toBe(1);
});

test('a picture of the right shape is taken whole', () => {
  expect(isWhole(cropOf({ width: 1500, height: 600 }, 2.5, wholeView), { width: 1500, height: 600 })).toBe(
    true,
  );
  expect(isWhole(cropOf(landscape, 2.5, wholeView), landscape)).toBe(false);
});
