/** Colours as they are seen: of pixels, not of style sheets. */
import type { Locator } from '@playwright/test';

export type Rgb = readonly [number, number, number];

/** A colour as browsers write it. */
export function rgb(text: string): Rgb {
  const [red = 0, green = 0, blue = 0] = (text.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue];
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color
    .map((value) => value / 255)
    .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number,
  ];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours by WCAG 2: 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** A part of something, in shares of its width and height. */
export interface Part {
  left?: number;
  top?: number;
  right?: number;
  bottom?: number;
}

/** The colours of a part of what is on the page, the most frequent first; those of fewer pixels than `least` are left out. */
export async function colors(target: Locator, part: Part = {}, least = 3): Promise<Rgb[]> {
  const picture = (await target.screenshot({ animations: 'disabled' })).toString('base64');
  return target.page().evaluate(
    async ({ picture, least, left, top, right, bottom }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${picture}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      if (!context) throw new Error('there is no canvas');
      context.drawImage(image, 0, 0);
      const [x, y] = [Math.floor(left * image.width), Math.floor(top * image.height)];
      const [width, height] = [Math.ceil(right * image.width) - x, Math.ceil(bottom * image.height) - y];
      const { data } = context.getImageData(x, y, width, height);
      const counts = new Map<string, number>();
      for (let at = 0; at < data.length; at += 4) {
        const color = data.slice(at, at + 3).join();
        counts.set(color, (counts.get(color) ?? 0) + 1);
      }
      return [...counts]
        .filter(([, count]) => count >= least)
        .sort(([, one], [, other]) => other - one)
        .map(([color]) => color.split(',').map(Number) as [number, number, number]);
    },
    { picture, least, left: 0, top: 0, right: 1, bottom: 1, ...part },
  );
}

/** How well the best of what stands there can be told from its ground. */
export async function legibility(target: Locator, part: Part = {}): Promise<number> {
  const [ground, ...others] = await colors(target, part);
  if (!ground) throw new Error('there is nothing');
  return Math.max(1, ...others.map((color) => contrast(color, ground)));
}

/** The contrast of the lightest and the darkest of what is there: of letters with a halo. */
export async function range(target: Locator, part: Part = {}): Promise<number> {
  const shades = (await colors(target, part, 1)).map(luminance);
  return (Math.max(...shades) + 0.05) / (Math.min(...shades) + 0.05);
}
