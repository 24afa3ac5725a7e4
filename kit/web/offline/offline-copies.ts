import { saveStored, storedKeys } from '../browser-store.ts'
import { offlineAnswerPrefix, offlineCachePrefix } from './offline-names.ts'

async function deleteCaches(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name.startsWith(offlineCachePrefix)) {
      await caches.delete(name)
    }
  }
}

/**
 * The person leaves, or another one comes: neither the pages nor the last answers stay on this phone.
 * What was done and is not sent yet stays, under the number of the person who did it.
 */
export function forgetOfflineCopies(): void {
  for (const key of storedKeys(offlineAnswerPrefix)) {
    saveStored(key, undefined)
  }
  // Missing where the page is served without TLS.
  if ('caches' in globalThis) {
    deleteCaches().catch(() => {
      /* the browser forbids it: there is nothing to delete */
    })
  }
}
