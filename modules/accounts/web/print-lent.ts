import { lending } from '#kit/web/lent.ts'
import type { DocType } from '../domain/print.ts'
import type { PrintContent } from './print-sheet.tsx'

/** The newest real document of a kind, for the preview; nothing where there is none yet or it may not be seen. */
export interface Sample { readonly kind: DocType; readonly newest: (project: string | undefined) => Promise<PrintContent | undefined> }
/** Lent by the module that prints the kind. */
export const printSamples = lending<Sample>()
