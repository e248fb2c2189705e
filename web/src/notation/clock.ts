/** Clocks in words: "5:03", "0:09.4" when it gets close, "1:02:00". */
export function clockText(milliseconds: number): string {
  const left = Math.max(milliseconds, 0);
  const tenths = Math.floor(left / 100) % 10;
  const seconds = Math.floor(left / 1000) % 60;
  const minutes = Math.floor(left / 60_000) % 60;
  const hours = Math.floor(left / 3_600_000);
  const pad = (value: number) => String(value).padStart(2, '0');
  if (hours > 0) return `${hours}:${pad(minutes)}:${pad(seconds)}`;
  return left < 20_000 ? `${minutes}:${pad(seconds)}.${tenths}` : `${minutes}:${pad(seconds)}`;
}
