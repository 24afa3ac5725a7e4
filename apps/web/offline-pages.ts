/** The pages of the screens that their manifests call `offline` (`tools/offline-pages.test.ts`). */
export const offlinePages: readonly string[] = [
  'modules/cleaning/web/phone.tsx',
  'modules/landscaping/web/phone.tsx',
  'modules/notices/web/screen.tsx',
  'modules/patrol/web/walk.tsx',
  'modules/planned-work/web/phone.tsx',
  'modules/work-orders/web/mobile.tsx',
]

/** What these pages fetch when it is needed: scanner, questions, messages, bands, parts of their own. */
export const lazyOfflineParts =
  /^(kit\/web\/(phone\/|confirm-dialog|theme\/toasts)|modules\/work-orders\/web\/mobile-|apps\/web\/page-bands)/
