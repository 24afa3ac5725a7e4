import { serveOffline, type OfflineFiles, type OfflineWorker } from '#kit/web/offline/serve-offline.ts'

/** Put in by the build. */
declare const offlineFiles: OfflineFiles

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- runs as a service worker only
serveOffline(self as unknown as OfflineWorker, offlineFiles)
