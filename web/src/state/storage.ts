/** Texts that are too long for the browser's small storage: a file of many games is kept over a reload in its database. */

const name = 'tabia';
const store = 'texts';

function open(): Promise<IDBDatabase> {
  return new Promise((done, failed) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(store);
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error ?? new Error('the database did not open'));
  });
}

async function transact<Value>(
  mode: IDBTransactionMode,
  act: (texts: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value | undefined> {
  try {
    const database = await open();
    return await new Promise<Value>((done, failed) => {
      const request = act(database.transaction(store, mode).objectStore(store));
      request.onsuccess = () => done(request.result);
      request.onerror = () => failed(request.error ?? new Error('the database refused'));
    }).finally(() => database.close());
  } catch {
    // A browser without a database keeps nothing; what is open stays open.
    return undefined;
  }
}

/** Whether they are kept. */
export const keepTexts = async (key: string, texts: string[]): Promise<boolean> =>
  (await transact('readwrite', (kept) => kept.put(texts, key))) !== undefined;

export const keptTexts = async (key: string): Promise<string[]> => {
  const found: unknown = await transact('readonly', (kept) => kept.get(key) as IDBRequest<unknown>);
  return Array.isArray(found) ? found.filter((text): text is string => typeof text === 'string') : [];
};
