/** Files as a person chooses them: read whole, or refused with a sentence. */
import { m } from '../text/catalogue.svelte';

/** The largest file that the page opens, in megabytes. */
export const largest = 64;

/** The text of a file, UTF-8 or Latin-1; throws a sentence where it is too large or cannot be read. */
export async function textOf(file: File): Promise<string> {
  if (file.size > largest * 1_000_000)
    throw new Error(m.open.tooLarge(file.name, Math.round(file.size / 1_000_000), largest));
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch (error) {
    throw new Error(m.open.unreadable(file.name, error instanceof Error ? error.message : String(error)), {
      cause: error,
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}
