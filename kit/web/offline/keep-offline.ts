import { keepMessage } from './offline-names.ts'

/** Written by the build, with the files of this release (`apps/web/offline-plugin.ts`). */
const workerUrl = '/offline.js'

/**
 * From now on the page at this path opens on this phone also without a network. Browsers have no service
 * workers where the product is served without TLS: there it needs a network, as before.
 */
export async function keepOffline(path: string): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registration = await navigator.serviceWorker.register(workerUrl, {
    scope: path,
    updateViaCache: 'none',
  })
  const worker = registration.installing ?? registration.waiting ?? registration.active
  worker?.postMessage(keepMessage)
}
