import { readStored, saveStored } from '#kit/web/browser-store.ts'

const storeKey = 'sign-in-page'

/** Which company's sign-in page this is: by its address, else by the one that was used here last. */
export const readPageKey = (): string =>
  new URLSearchParams(location.search).get('company') || readStored(storeKey, '')

/** Kept, as the end of a session leads to the plain address. */
export function rememberPageKey(pageKey: string | undefined): void {
  if (pageKey !== undefined && readStored(storeKey, '') !== pageKey) {
    saveStored(storeKey, pageKey)
  }
}
