import { cropOf, isWhole, maxZoom, clampedView, initialView } from './crop';

const landscape = { width: 3000, height: 2000 };

test.each([
  ['wider than the picture', 2.5, { left: 0, top: 400, width: 3000, height: 1200 }],
  ['narrower than the picture', 1, { left: 500, top: 0, width: 2000, height: 2000 }],
])('the initial crop is the largest one in the middle: %s', (_, ratio, crop) => {
  expect(cropOf(landscape, ratio, initialView)).toEqual(crop);
});

test('a crop never extends beyond the picture', () => {
  expect(cropOf(landscape, 1, { x: 0, y: 9, zoom: 2 })).toEqual({
    left: 0,
    top: 1000,
    width: 1000,
    height: 1000,
  });
});

test('dragging beyond the edge does not have to be dragged back', () => {
  expect(clampedView(landscape, 1, { x: -3, y: 0.5, zoom: 2 }).x).toBeCloseTo(1 / 6);
});

test('the zoom is limited by the least width of the crop, and to 4', () => {
  expect(maxZoom(landscape, 2.5, 1200)).toBe(2.5);
  expect(maxZoom(landscape, 2.5, 100)).toBe(4);
  expect(maxZoom({ width: 1200, height: 480 }, 2.5, 1200)).toBe(1);
});

test('a picture of the right ratio needs no crop', () => {
  expect(isWhole(cropOf({ width: 1500, height: 600 }, 2.5, initialView), { width: 1500, height: 600 })).toBe(
    true,
  );
  expect(isWhole(cropOf(landscape, 2.5, initialView), landscape)).toBe(false);
});
