export function front(options: {
  folder: string;
  target: string;
  port?: number;
}): Promise<{ url: string; close: () => Promise<void> }>;
