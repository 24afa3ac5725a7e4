import type { Permission } from '#kit/contract/call.ts'
import { createExtensionPoint } from '#kit/web/extension-point.ts'
import type { DocType } from '../domain/print-settings.ts'
import type { PrintContent } from './print-sheet.tsx'

/** A kind that is printed, with its newest real document for the preview; nothing where there is none yet. */
export interface PrintPreviewSource {
  readonly kind: DocType
  /** All that its calls need: without it nobody is asked. */
  readonly needs: readonly Permission[]
  readonly newest: (project: string | undefined) => Promise<PrintContent | undefined>
}

/** Lent by the module that prints the kind: what nobody prints has no template to be set up. */
export const printPreviewSources = createExtensionPoint<PrintPreviewSource>()
